"""Workers that read the queue of files while others write it."""

import json
from pathlib import Path

from appraise_gec.celery import app
from appraise_gec.queue_of_files import WholeTransport


def test_a_message_has_its_name_only_once_it_is_whole(tmp_path, monkeypatch):
    (tmp_path / "control").mkdir()
    folders = {"data_folder_in": tmp_path, "data_folder_out": tmp_path, "control_folder": tmp_path / "control"}
    rename, seen = Path.replace, []

    def replace(part: Path, message: Path) -> Path:
        seen.extend([list(tmp_path.glob("*.short.msg")), json.loads(part.read_text())])
        return rename(part, message)

    monkeypatch.setattr(Path, "replace", replace)
    with app.connection_for_write(transport_options={name: str(folder) for name, folder in folders.items()}) as queue:
        assert isinstance(queue.transport, WholeTransport)
        queue.default_channel._put("short", {"body": "all of it"})
        assert seen == [[], {"body": "all of it"}]
        assert queue.default_channel._get("short") == {"body": "all of it"}
        assert not list(tmp_path.glob("*.*.*"))
