"""Files that are sent while they are made: each keeps a thread to its end, and judges must always find one."""

from collections.abc import Iterable, Iterator
from threading import BoundedSemaphore

from django.conf import settings
from django.http import StreamingHttpResponse
from django.utils.translation import gettext_lazy

from judgments.faults import Busy

MOST = max(1, settings.WEB_THREADS // 2)
ALL_TAKEN = gettext_lazy("Other files are being fetched at this moment. Try again in a minute.")

_room = BoundedSemaphore(MOST)


class Stream:
    """The pieces of a file; its place is free again when they are sent, or when nobody wants them any more."""

    def __init__(self, pieces: Iterable[str] | Iterable[bytes]):
        self._room, self._is_open = _room, False
        if not self._room.acquire(blocking=False):
            raise Busy(str(ALL_TAKEN))
        self._pieces, self._is_open = pieces, True

    def __iter__(self) -> Iterator[str | bytes]:
        try:
            yield from self._pieces
        finally:
            self.close()

    def close(self) -> None:
        """As often as one likes."""
        if self._is_open:
            self._is_open = False
            self._room.release()

    def __del__(self) -> None:
        self.close()


def streamed(pieces: Iterable[str] | Iterable[bytes], content_type: str, file_name: str) -> StreamingHttpResponse:
    """A file under a name."""
    headers = {"Content-Disposition": f'attachment; filename="{file_name}"'}
    return StreamingHttpResponse(Stream(pieces), content_type=content_type, headers=headers)
