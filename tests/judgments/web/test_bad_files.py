"""Bad files wherever files are taken: each is refused in sentences, and nothing is stored."""

import io
import tracemalloc
import warnings
import zipfile
from collections.abc import Mapping
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from judgments.campaigns import settings
from judgments.material import uploads
from judgments.material.rules.reading import Roles
from judgments.models import Campaign, Job, System
from judgments.rules.errors import Refused
from judgments.rules.files.archives import MOST_BYTES
from judgments.rules.files.text_files import UploadedFile
from ranking.models import Metric
from tests import factory
from tests.judgments.jobs.running import run_job

GOOD = ("\n".join(factory.SOURCE) + "\n").encode()
LINE = b"He go to school .\n"


@pytest.fixture
def fresh(db) -> Campaign:
    return settings.configure(Campaign(slug="fresh", name="Fresh"))


@pytest.fixture
def user(fresh):
    return factory.organiser(fresh, "oscar")


def archived(*members: tuple[str | zipfile.ZipInfo, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", packing) as archive, warnings.catch_warnings(action="ignore"):
        for name, text in members:
            archive.writestr(zipfile.ZipInfo(name) if isinstance(name, str) else name, text, packing)
    return content.getvalue()


def zipped(members: dict[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    return archived(*members.items(), packing=packing)


LINK = zipfile.ZipInfo("Heron")
LINK.create_system, LINK.external_attr = 3, 0o120777 << 16


def locked() -> bytes:
    """A ZIP that says of its file that it is encrypted."""
    content = bytearray(zipped({"Heron": GOOD}))
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(signature) + flags] |= 1
    return bytes(content)


def renamed(name: bytes) -> bytes:
    """A ZIP whose file has a name of raw bytes."""
    return zipped({"x" * len(name): GOOD}).replace(b"x" * len(name), name)


def overstated() -> bytes:
    """A ZIP that promises less than it holds."""
    content = zipped({"Heron": b"\n" * 10_000_000})
    return content.replace((10_000_000).to_bytes(4, "little"), (100).to_bytes(4, "little"))


def nested(depth: int) -> bytes:
    content = zipped({"Heron": b"x\n" * 5_000_000})
    for _ in range(depth):
        content = zipped({"inner.zip": content})
    return content


# Name, content or what makes it, and words of the expected message; None if the file is good.
TEXTS = {
    "UTF-16": ("Heron", "He .\n".encode("utf-16") * 5, "UTF-16"),
    "UTF-16 without a mark": ("Heron", "He .\n".encode("utf-16-le") * 5, "NUL"),
    "UTF-32": ("Heron", "He .\n".encode("utf-32") * 5, "UTF-16"),
    "Latin 1": ("Heron", "Ä .\n".encode("latin1") * 5, "not UTF-8"),
    "surrogates": ("Heron", "\ud800 .\n".encode("utf-8", "surrogatepass") * 5, "not UTF-8"),
    "an overlong NUL": ("Heron", b"\xc0\x80 .\n" * 5, "not UTF-8"),
    "a mark": ("Heron", b"\xef\xbb\xbf" + GOOD, None),
    "a mark alone": ("Heron", b"\xef\xbb\xbf", "empty"),
    "Windows": ("Heron", GOOD.replace(b"\n", b"\r\n"), None),
    "an old Mac": ("Heron", GOOD.replace(b"\n", b"\r"), "control character"),
    "no last line end": ("Heron", GOOD.removesuffix(b"\n"), None),
    "nothing": ("Heron", b"", "empty"),
    "line ends": ("Heron", b"\n" * 5, "empty"),
    "missing lines": ("Heron", LINE * 3, "has 3 lines"),
    "more lines": ("Heron", LINE * 7, "has 7 lines"),
    "a line of 10 MB": ("Heron", b"x " * 5 * 2**20 + b"\n" + LINE * 4, "Put one sentence on a line"),
    "five lines of 10 MB": ("Heron", (b"x" * 2 * 2**20 + b"\n") * 5, "Put one sentence on a line"),
    "100 MB": ("Heron", LINE * (100 * 2**20 // len(LINE)), "lines"),
    "a picture": ("Heron", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 100, "not UTF-8"),
    "NULs": ("Heron", b"\0" * 2**20, "NUL"),
    "escape sequences": ("Heron", b"\x1b[2J .\n" * 5, "control character"),
    "combining marks": ("Heron", ("a" + "\u0301" * 15_000 + "\n").encode() * 5, None),
    "overrides of direction": ("Heron", "\u202e\u2066abc .\n".encode() * 5, None),
    "a formula for a name": ("=1+1", GOOD, "cannot name a system"),
    "a script for a name": ("<script>alert(1)</script>", GOOD, "cannot name a system"),
    "an override in a name": ("He\u202eron", GOOD, "cannot name a system"),
    "no name": (".txt", GOOD, "cannot name a system"),
    "dots": ("..", GOOD, "cannot name a system"),
    "a long name": ("x" * 5000, GOOD, "longer than 80"),
    "a name of spaces": ("   ", GOOD, "cannot name a system"),
    "M2 of nonsense": ("Heron.m2", b"hello\nA x\nS\n\n|||", "expected a line"),
    "M2 of numbers": ("Heron.m2", b"S a\nA 99999999999999999999 1|||R|||b|||R|||-|||0\n", "does not lie within"),
    "M2 of annotators": (
        "Heron.m2", b"".join(b"S a\nA 0 1|||R|||b|||R|||-|||%d\n\n" % n for n in range(20_000)), "annotators",
    ),
    "M2 of a long sentence": (
        "Heron.m2", b"S " + b"a " * 9000 + b"\n" + b"A 0 1|||noop|||b|||R|||-|||0\n" * 20_000, "sentences",
    ),
    "M2 of one annotator's number": ("Heron.m2", b"S a\nA 0 1|||R|||b|||R|||-|||%s\n" % (b"9" * 5000), "whole numbers"),
    "documents of nonsense": ("documents.tsv", b"1\t\n\tx\n99\ta\n1\ta\tb\tc\n", "expected a line number"),
    "documents of long names": ("documents.tsv", b"1\t%s\n" % (b"x" * 300), "longer than 200"),
    "documents of long domains": ("documents.tsv", b"1\tx\t%s\n" % (b"y" * 300), "longer than 100"),
    "documents of scripts": ("documents.tsv", b"".join(b"%d\t<script>\n" % n for n in range(1, 6)), None),
    "a ZIP that is none": ("all.zip", b"PK\x03\x04" + b"x" * 1000, "cannot be read as a ZIP"),
    "a ZIP cut short": ("all.zip", zipped({"Heron": GOOD * 99})[:-30], "cannot be read as a ZIP"),
    "an empty ZIP": ("all.zip", zipped({}), None),
    "a high ratio": ("all.zip", lambda: zipped({"Heron": b"\n" * (MOST_BYTES + 1)}), "unpacks to more"),
    "a ZIP that lies": ("all.zip", overstated, "cannot be read as a ZIP"),
    "ZIPs in ZIPs": ("all.zip", lambda: nested(5), "cannot name a system|not UTF-8|NUL|control"),
    "100,000 files": (
        "all.zip", lambda: zipped({f"{n}": b"" for n in range(100_000)}, zipfile.ZIP_STORED), "lists more than",
    ),
    "an absolute name": ("all.zip", zipped({"/etc/passwd": GOOD}), "a file with a path"),
    "a name that goes up": ("all.zip", zipped({"../../x": GOOD}), "a file with a path"),
    "a Windows path": ("all.zip", zipped({"C:\\x": GOOD}), "a file with a path"),
    "a folder": ("all.zip", zipped({"texts/": b""}), "a file with a path"),
    "a link": ("all.zip", archived((LINK, b"/etc/passwd")), "has 1 lines"),
    "a password": ("all.zip", locked(), "encrypted"),
    "bzip2": ("all.zip", zipped({"Heron": GOOD}, zipfile.ZIP_BZIP2), "unsupported compression"),
    "LZMA": ("all.zip", zipped({"Heron": GOOD}, zipfile.ZIP_LZMA), "unsupported compression"),
    "a name twice": ("all.zip", archived(("Heron", GOOD), ("Heron", GOOD)), "a second file speaks for"),
    "a name that is no UTF-8": ("all.zip", renamed(b"\xff\xfe\xfd"), "cannot name a system|None"),
    "a name with a NUL": ("all.zip", renamed(b"a\0b"), None),
    "leftovers": ("all.zip", zipped({"__MACOSX/._Heron": b"\0", ".DS_Store": b"\0", "Heron": GOOD}), None),
}  # fmt: skip


def marked(files: Mapping[str, Any]) -> list:
    """The names of files, of which the largest cost much."""
    large = ("M2 of annotators", "a high ratio", "100,000 files", "names of 100,000 metrics")
    return [pytest.param(name, marks=pytest.mark.wide) if name in large else name for name in files]


@pytest.mark.parametrize("what", marked(TEXTS))
def test_bad_texts_are_reported_and_not_stored(what, fresh, user):
    name, content, expected = TEXTS[what]
    file = UploadedFile(name, content() if callable(content) else content)
    upload = uploads.upload_files(fresh, user, [UploadedFile("source", GOOD), file], Roles())
    run_job("upload", upload.pk)
    upload.refresh_from_db()
    assert upload.state == Job.State.DONE, upload.error
    reported = " ".join(problem["what"] for problem in upload.problems)
    assert len(str(upload.problems)) < 10_000
    if expected is None:
        assert not reported
        uploads.request_storing(upload, upload.request_number)
        run_job("upload", upload.pk)
        upload.refresh_from_db()
        assert upload.is_stored, upload.error
    else:
        assert any(words in reported for words in expected.split("|")), reported
        with pytest.raises(Refused, match="cannot be stored yet"):
            uploads.request_storing(upload, upload.request_number)
        assert not System.objects.exists()


@pytest.mark.long
def test_a_bomb_takes_no_more_memory_than_a_good_upload_may(fresh, user):
    """A hundred times as much is in the archive as may be unpacked."""
    bomb = zipped({f"{n}": b"\n" * 100 * 2**20 for n in range(6)})
    upload = uploads.upload_files(fresh, user, [UploadedFile("all.zip", bomb)], Roles())
    tracemalloc.start()
    try:
        run_job("upload", upload.pk)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    upload.refresh_from_db()
    assert "unpacks to more than" in upload.problems[0]["what"]
    assert peak < 1.5 * MOST_BYTES


SCORES = {
    "nothing": b"",
    "white space": b" \n\t\n",
    "NUL": b"Heron \0\n",
    "UTF-16": "Heron 1\n".encode("utf-16"),
    "Latin 1": "Żuraw 1\n".encode("latin2"),
    "no numbers": b"Heron NaN\nWren inf\nMagpie 1e999\nsource -\n",
    "a number of 5000 digits": b"Heron " + b"9" * 5000 + b"\n",
    "digits of another script": "Heron \u0661\n".encode(),
    "100,000 columns": b"Heron" + b" 1" * 100_000 + b"\n",
    "names of 100,000 metrics": b"system " + b" ".join(b"m%d" % n for n in range(10**5)) + b"\nHeron" + b" 1" * 10**5,
    "a cell of a megabyte": b'Heron,"' + b"x" * 2**20 + b'"\n',
    "an open quotation mark": b'"Heron,1\nWren,2\n',
    "a line of 5 MB": b"Heron" * 2**20,
    "formulas": b"=1+1 1\n@SUM 2\n",
    "huge segments": b"system,segment,m\nHeron,999999999,1\n",
    "a long name of a metric": b"system " + b"m" * 300 + b"\nHeron 1\nMagpie 2\nWren 3\nsource 4\n",
    "a ZIP": zipped({"x": b"1"}),
}  # fmt: skip


@pytest.mark.parametrize("what", marked(SCORES))
def test_bad_scores_are_refused_on_their_page(what, campaign, olga, browser_of):
    file = SimpleUploadedFile("scores", SCORES[what])
    answer = browser_of(olga).post(reverse("metrics", args=[campaign.slug]), {"file": file})
    assert answer.status_code == 200
    assert b"errorlist" in answer.content
    assert not Metric.objects.exists()
    assert len(answer.content) < 50_000


def test_scores_from_a_file_of_a_long_name_are_reported_or_kept(campaign, olga, browser_of, monkeypatch):
    good, client = b"Heron 1\nMagpie 2\nWren 3\nsource 4\n", browser_of(olga)
    address = reverse("metrics", args=[campaign.slug])
    answer = client.post(address, {"file": SimpleUploadedFile("x" * 240, good)})
    assert "shorten it" in answer.content.decode()
    answer = client.post(address, {"file": SimpleUploadedFile("x" * 240, good), "columns": "gleu"})
    assert answer.status_code == 302
    assert len(Metric.objects.get().origin) == 200
    # What takes too long is for the command.
    monkeypatch.setattr("ranking.web.forms.MOST_BYTES", 10)
    page = client.post(address, {"file": SimpleUploadedFile("scores", good)}).content.decode()
    assert "python manage.py add_metric_scores" in page


def test_more_than_can_be_taken_is_refused_before_it_is_read(campaign, olga, browser_of):
    """Nobody fills the disk of the server, at any address and under any account."""
    stranger = Client(enforce_csrf_checks=True)
    stranger.get(reverse("sign_in"))
    for client in (browser_of(olga), stranger):
        answer = client.generic(
            "POST", reverse("metrics", args=[campaign.slug]), b"--x\r\n", "multipart/form-data; boundary=x",
            CONTENT_LENGTH=str(10**12),
        )  # fmt: skip
        assert answer.status_code == 400
        assert "Nothing was stored" in answer.content.decode()
