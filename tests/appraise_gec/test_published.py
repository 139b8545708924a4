"""Published evaluations: what is fetched, checked and kept, and that every entry of the registry can be opened."""

import hashlib
import io
import shlex
import tarfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import StringIO
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command, get_commands, load_command_class

from appraise_gec.published import Download, Evaluation, evaluations, fetch
from judgments.judges.first_account import owner
from judgments.models import Campaign, Membership
from judgments.rules.errors import Refused
from tests.shared_data import shared

WHOLE = b"A cat sat .\n" * 1000
ENTRIES = evaluations()


def tar(**files: bytes) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name.replace("__", "/"))
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def zipped() -> bytes:
    packed = io.BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.writestr("repository/outputs/B", "b\n")
    return packed.getvalue()


CONTENT = {
    "/text": WHOLE,
    "/broken": WHOLE,
    "/submissions.tar.gz": tar(all__A=b"a\n", all__B=b"b\n", readme=b"no\n"),
    "/out.tar.gz": tar(all__A=b"a\n", **{"..__outside": b"no\n"}),
    "/whole.zip": zipped(),
}


class Origin(BaseHTTPRequestHandler):
    """Breaks off a first answer of the text half way, and goes on where one asks it to."""

    asked: list[str] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        content = CONTENT.get(self.path)
        if content is None:
            self.send_error(404)
            return
        begun = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").rstrip("-"))
        self.send_response(206 if begun else 200)
        self.send_header("Content-Length", str(len(content) - begun))
        self.end_headers()
        breaks = self.path == "/broken" and self.asked.count("/broken") == 1
        self.wfile.write(content[begun : len(content) // 2 if breaks else None])

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def origin(monkeypatch) -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Origin)
    Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setattr(Origin, "asked", [])
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def of(**files: Download) -> Evaluation:
    return Evaluation("A paper", "https://example.org/paper", "none stated", files, [])


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_a_download_that_breaks_off_goes_on_and_is_kept(origin, tmp_path):
    one = of(text=Download(f"{origin}/broken", digest(WHOLE)))
    with pytest.raises(Refused, match=r"cannot be fetched.* Try again, which goes on where it broke off"):
        fetch(one, tmp_path, None, print)
    assert not (tmp_path / "text").exists()
    for _ in range(2):
        fetch(one, tmp_path, None, print)
        assert (tmp_path / "text").read_bytes() == WHOLE
    assert len(Origin.asked) == 2


def test_of_an_archive_what_is_wanted_is_taken(origin, tmp_path):
    files = {"outputs": Download(f"{origin}/submissions.tar.gz", inside="all")}
    files["B"] = Download(f"{origin}/whole.zip", digest(b"b\n"), "repository/outputs/B")
    fetch(of(**files), tmp_path, None, print)
    assert sorted(file.name for file in (tmp_path / "outputs").iterdir()) == ["A", "B"]
    assert (tmp_path / "B").read_text() == "b\n"


def test_lines_are_taken_by_their_beginning(origin, tmp_path):
    fetch(of(INPUT=Download(f"{origin}/text", lines="A cat ")), tmp_path, None, print)
    assert (tmp_path / "INPUT").read_bytes() == b"sat .\n" * 1000


def test_what_is_given_ready_is_taken_as_it_is(tmp_path):
    (tmp_path / "INPUT").write_text("A cat .\n")
    archive = Download("https://example.invalid/data.tar.gz", inside="data.m2", lines="S ")
    fetch(of(INPUT=archive), tmp_path / "kept", tmp_path, print)
    assert (tmp_path / "kept/INPUT").read_text() == "A cat .\n"


def test_two_files_of_one_archive_are_fetched_once(origin, tmp_path):
    files = {name: Download(f"{origin}/submissions.tar.gz", inside=f"all/{name}") for name in "AB"}
    fetch(of(**files), tmp_path, None, print)
    assert Origin.asked == ["/submissions.tar.gz"]


def test_another_file_than_the_known_one_is_refused_and_forgotten(origin, tmp_path):
    one = of(B=Download(f"{origin}/submissions.tar.gz", digest(b"a\n"), "all/B"))
    for asked in (1, 2):
        with pytest.raises(Refused, match="B is not the file that this version knows"):
            fetch(one, tmp_path, None, print)
        assert not (tmp_path / "B").exists()
        assert len(Origin.asked) == asked


@pytest.mark.parametrize(
    ("path", "inside", "message"),
    [
        ("missing", "", r"answers 404\. Fetch the files by hand, and add --from FOLDER"),
        ("submissions.tar.gz", "elsewhere", "has no elsewhere"),
    ],
)
def test_what_is_not_there_is_said(origin, tmp_path, path, inside, message):
    with pytest.raises(Refused, match=message):
        fetch(of(text=Download(f"{origin}/{path}", inside=inside)), tmp_path, None, print)


def test_an_archive_writes_nowhere_else(origin, tmp_path):
    with pytest.raises(Refused, match=r"would be extracted to .* outside the destination. Delete it and try again"):
        fetch(of(text=Download(f"{origin}/out.tar.gz", inside="../outside")), tmp_path / "in", None, print)
    assert not list(tmp_path.rglob("outside"))


def test_a_folder_gives_files_or_archives_and_nothing_is_asked(tmp_path):
    given = tmp_path / "given"
    given.mkdir()
    (given / "text").write_bytes(WHOLE)
    (given / "submissions.tar.gz").write_bytes(CONTENT["/submissions.tar.gz"])
    files = {"text": Download("https://example.invalid/text", digest(WHOLE))}
    files["outputs"] = Download("https://example.invalid/submissions.tar.gz", inside="all")
    said: list[str] = []
    fetch(of(**files), tmp_path / "kept", given, said.append)
    assert (tmp_path / "kept/outputs/A").read_text() == "a\n"
    assert said == []
    lacking = of(more=Download("https://example.invalid/more.zip"))
    with pytest.raises(Refused, match=r"has neither more nor more\.zip, which comes from https://example\.invalid"):
        fetch(lacking, tmp_path / "kept", given, print)
    with pytest.raises(Refused, match="is not the file that this version knows"):
        fetch(of(text=Download("https://example.invalid/text", digest(b""))), tmp_path / "other", given, print)
    assert (given / "text").exists()


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=[*ENTRIES])
def test_an_entry_says_its_terms_and_its_commands_are_ours(entry):
    assert entry.title
    assert entry.licence
    assert all(urlsplit(source.url).scheme == "https" for source in entry.files.values())
    for line in entry.commands:
        name, *words = shlex.split(line.format(slug="x"))
        load_command_class(get_commands()[name], name).create_parser("manage.py", name).parse_args(words)
    words = set(shlex.split(" ".join(entry.commands)))
    assert [file for file in entry.files if not words & {file, file.partition("/")[0]}] == []


@pytest.fixture
def opened(db, settings, tmp_path, monkeypatch) -> list[tuple]:
    settings.DATA_DIR, settings.IS_LOCAL = tmp_path, True
    started: list[tuple] = []
    monkeypatch.setattr("appraise_gec.management.commands.open.become_platform", lambda *given: started.append(given))
    return started


def test_nothing_is_fetched_without_agreement(opened):
    with pytest.raises(
        CommandError, match=r"Fetch 4 files from raw\.githubusercontent\.com and www\.comp\.nus\.edu\.sg"
    ):
        call_command("open", "gjg15", stdout=StringIO())
    assert not Campaign.objects.exists()
    assert not opened


@pytest.fixture
def as_published(tmp_path) -> Path:
    """The files of gjg15 as its authors and those of the shared task offer them."""
    data, folder = shared("data/gjg15"), tmp_path / "given"
    folder.mkdir()
    (folder / "judgments.xml").write_bytes((data / "judgments.xml").read_bytes())
    with tarfile.open(folder / "official_submissions.tar.gz", "w:gz") as archive:
        for file in sorted((data / "outputs").iterdir()):
            if file.name != "INPUT":
                archive.add(file, f"official_submissions/{file.name}")
    with tarfile.open(folder / "conll14st-test-data.tar.gz", "w:gz") as archive:
        archive.add(data / "references/gold.m2", "conll14st-test-data/noalt/official-2014.combined.m2")
    return folder


def opened_from(name: str, folder: Path) -> str:
    owner()
    out = StringIO()
    call_command("open", name, "--from", str(folder), stdout=out, stderr=StringIO())
    assert "Licence: none stated" in out.getvalue()
    assert Campaign.objects.get().slug == name
    assert Membership.objects.get(role=Membership.Role.ORGANISER).user == owner()
    return out.getvalue()


@pytest.mark.long
def test_the_report_of_the_published_rankings_stands_beside_the_paper(opened, as_published):
    said = opened_from("gjg15", as_published).split("and the same here:")[1]
    rows = [line.split("|")[1:4] for line in said.splitlines() if "|" in line][2:]
    assert len(rows) == 13
    assert all(abs(float(printed) - float(here)) < 0.003 for _, printed, here in rows), rows
    assert len(opened) == 1


@pytest.mark.long
def test_the_published_ratings_are_set_beside_metrics(opened):
    assert "| METEOR | system | pearson |" in opened_from("gmeg", shared("data/gmeg-fce/test"))
    assert len(opened) == 1
