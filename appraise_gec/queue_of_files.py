"""The queue of jobs in files, without Redis: a message appears only once it is whole.

Kombu opens a message under its name before writing it, and a worker that takes it in between ends with an error.
"""

from pathlib import Path
from time import monotonic
from typing import Any
from uuid import uuid4

from kombu.exceptions import ChannelError
from kombu.transport import filesystem
from kombu.utils.json import dumps


class WholeChannel(filesystem.Channel):
    def _put(self, queue: str, payload: dict[str, Any], **kwargs: Any) -> None:  # type: ignore[override]
        """Write it under a name that no worker looks for, then give it that of a message."""
        whole = Path(self.data_folder_out, f"{round(monotonic() * 1000)}_{uuid4()}.{queue}.msg")
        part = whole.with_suffix(".part")
        try:
            part.write_text(dumps(payload), encoding="utf-8")
            part.replace(whole)
        except OSError as reason:
            raise ChannelError(f"Cannot add {whole.name} to the queue") from reason


class WholeTransport(filesystem.Transport):
    Channel = WholeChannel
