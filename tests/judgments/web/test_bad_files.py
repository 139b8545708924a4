"""Bad files wherever files are taken: each is refused in sentences, and nothing is stored."""

import io
import json
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
from judgments.exchange.importers.rules import RANKINGS, RATINGS
from judgments.material import uploads
from judgments.material.rules.reading import Roles
from judgments.models import Campaign, Job, System
from judgments.rules.errors import Refused
from judgments.rules.files.archives import MOST_BYTES
from judgments.rules.files.problems import Problems
from judgments.rules.files.text_files import UploadedFile
from ranking.models import Metric
from tests import factory
from tests.judgments.exchange.importing import bring_in
from tests.judgments.jobs.running import run_job
from tests.judgments.rules.zips import packed

GOOD = ("\n".join(factory.SOURCE) + "\n").encode()
LINE = b"He go to school .\n"


@pytest.fixture
def fresh(db) -> Campaign:
    return settings.configure(Campaign(slug="fresh", name="Fresh"))


@pytest.fixture
def user(fresh):
    return factory.organiser(fresh, "oscar")


def archived(*members: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    """A ZIP with a link, or with two files of one name."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive, warnings.catch_warnings(action="ignore"):
        for name, text in members:
            archive.writestr(name, text)
    return content.getvalue()


LINK = zipfile.ZipInfo("Heron")
LINK.create_system, LINK.external_attr = 3, 0o120777 << 16


def locked() -> bytes:
    """A ZIP that says of its file that it is encrypted."""
    content = bytearray(packed({"Heron": GOOD}))
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(signature) + flags] |= 1
    return bytes(content)


def renamed(name: bytes) -> bytes:
    """A ZIP whose file has a name of raw bytes."""
    return packed({"x" * len(name): GOOD}).replace(b"x" * len(name), name)


def overstated() -> bytes:
    """A ZIP that promises less than it holds."""
    content = packed({"Heron": b"\n" * 10_000_000})
    return content.replace((10_000_000).to_bytes(4, "little"), (100).to_bytes(4, "little"))


def nested(depth: int) -> bytes:
    content = packed({"Heron": b"x\n" * 5_000_000})
    for _ in range(depth):
        content = packed({"inner.zip": content})
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
    "a ZIP cut short": ("all.zip", packed({"Heron": GOOD * 99})[:-30], "cannot be read as a ZIP"),
    "an empty ZIP": ("all.zip", packed({}), None),
    "a high ratio": ("all.zip", lambda: packed({"Heron": b"\n" * (MOST_BYTES + 1)}), "unpacks to more"),
    "a ZIP that lies": ("all.zip", overstated, "cannot be read as a ZIP"),
    "ZIPs in ZIPs": ("all.zip", lambda: nested(5), "a document or an archive"),
    "100,000 files": (
        "all.zip", lambda: packed({f"{n}": b"" for n in range(100_000)}, zipfile.ZIP_STORED), "lists more than",
    ),
    "an absolute name": ("all.zip", packed({"/etc/passwd": GOOD}), "a file with a path"),
    "a name that goes up": ("all.zip", packed({"../../x": GOOD}), "a file with a path"),
    "a Windows path": ("all.zip", packed({"C:\\x": GOOD}), "a file with a path"),
    "a folder": ("all.zip", packed({"texts/": b""}), "a file with a path"),
    "a link": ("all.zip", archived((LINK, b"/etc/passwd")), "has 1 line"),
    "a password": ("all.zip", locked(), "encrypted"),
    "bzip2": ("all.zip", packed({"Heron": GOOD}, zipfile.ZIP_BZIP2), "unsupported compression"),
    "LZMA": ("all.zip", packed({"Heron": GOOD}, zipfile.ZIP_LZMA), "unsupported compression"),
    "a name twice": ("all.zip", archived(("Heron", GOOD), ("Heron", GOOD)), "a second file has the name"),
    "a name that is no UTF-8": ("all.zip", renamed(b"\xff\xfe\xfd"), "cannot name a system|None"),
    "a name with a NUL": ("all.zip", renamed(b"a\0b"), None),
    "leftovers": ("all.zip", packed({"__MACOSX/._Heron": b"\0", ".DS_Store": b"\0", "Heron": GOOD}), None),
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
    bomb = packed({f"{n}": b"\n" * 100 * 2**20 for n in range(6)})
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


SCRIPT = "&lt;script&gt;"
RANKED = '<r><ranking-item user="%s" src-id="%s"><translation rank="1" system="%s"/></ranking-item></r>'
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
XML = {
    "a billion laughs": f'<!DOCTYPE r [<!ENTITY l0 "ha">{LAUGHS}]><r>&l9;</r>',
    "a quadratic blow-up": f'<!DOCTYPE r [<!ENTITY a "{"x" * 100_000}">]><r>{"&a;" * 10_000}</r>',
    "an external entity": '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>',
    "an entity over the network": '<!DOCTYPE r [<!ENTITY x SYSTEM "http://127.0.0.1:9/x">]><r>&x;</r>',
    "a parameter entity": '<!DOCTYPE r [<!ENTITY % x SYSTEM "http://127.0.0.1:9/x"> %x;]><r/>',
    "a DTD over the network": '<!DOCTYPE r SYSTEM "http://127.0.0.1:9/x.dtd"><r/>',
    "a public DTD": '<!DOCTYPE r PUBLIC "-//W3C//DTD" "http://127.0.0.1:9/x.dtd"><r/>',
    "an inclusion": '<r xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="file:///etc/passwd"/></r>',
    "an unknown entity": "<r>&nbsp;</r>",
    "100,000 elements in each other": "<r>" * 100_000,
    "100,000 attributes": "<r " + " ".join(f"a{n}='1'" for n in range(100_000)) + "/>",
    "an unknown encoding": '<?xml version="1.0" encoding="nonsense"?><r/>',
    "another encoding than it says": '<?xml version="1.0" encoding="utf-16"?><r/>',
    "NUL": "<r>\0</r>",
    "nothing": "",
    "no ranking": "<r/>",
    "numbers beyond all": RANKED % ("ada", "9" * 20, "Heron"),
    "a script": RANKED % (SCRIPT, "0", SCRIPT),
    "text": "hello",
}
PAIRS = "segmentId,judgeId,system1Id,system1rank,system2Id,system2rank\n"
TABLES = {
    "nothing": "",
    "a header alone": PAIRS,
    "NUL": PAIRS + "0,ada,He\0ron,1,Wren,2\n",
    "a cell of a megabyte": PAIRS + f'0,ada,"{"x" * 2**20}",1,Wren,2\n',
    "an open quotation mark": PAIRS + '0,"ada,Heron,1,Wren,2\n' * 3,
    "formulas": PAIRS + "0,=1+1,=HYPERLINK(1),1,@SUM,2\n",
    "huge numbers": PAIRS + f"{10**30},ada,Heron,{10**30},Wren,-1\n",
    "no numbers": PAIRS + "NaN,ada,Heron,Infinity,Wren,1.5\n",
    "digits of another script": PAIRS + "\u0661,ada,Heron,\u0661,Wren,\u0662\n",
    "100,000 columns": ",".join(f"system{n}Id,system{n}rank" for n in range(100_000)) + "\n",
    "columns of huge numbers": f"segmentId,judgeId,system1Id,system1rank,system{'9' * 5000}Id\n0,a,b,1,c\n",
    "UTF-16": "\ufeff\ud7ff",
    "a long name of a judge": PAIRS + f"0,{'x' * 5000},Heron,1,Wren,2\n",
    "an invisible name of a judge": PAIRS + "0,\u202eada,Heron,1,Wren,2\n",
}


@pytest.mark.parametrize("what", XML)
def test_bad_xml_is_refused_without_being_expanded_or_fetched(what, campaign, monkeypatch):
    monkeypatch.setattr("socket.socket.connect", lambda *_: pytest.fail("something was fetched"))
    check_refused(campaign, XML[what].encode(), "appraise-xml")


@pytest.mark.parametrize("what", TABLES)
@pytest.mark.parametrize("form", ["pairs-csv", "wmt-csv"])
def test_bad_tables_are_refused(what, form, campaign):
    encoding = "utf-16" if what == "UTF-16" else "utf-8"
    check_refused(campaign, TABLES[what].encode(encoding), form)


def check_refused(campaign, content, form):
    members = campaign.membership_set.count()
    with pytest.raises((Problems, Refused)) as found:
        bring_in(campaign, "judged.txt", content, form)
    assert len(str(found.value)) < 10_000
    assert campaign.membership_set.count() == members


RATED = "judge,segment,system,score\n"
SCORED = {
    "nothing": ("", "", ""),
    "a header alone": (RATED, "Heron,Wren\n", "user,system,item,type,source,target,score\n"),
    "NUL": (f"{RATED}ada,0,He\0ron,1\n", "Heron\n\0\n", "ada,Heron,0,TGT,eng,deu,\0\n"),
    "a cell of a megabyte": (
        f'{RATED}ada,0,"{"x" * 2**20}",1\n',
        f'"{"x" * 2**20}"\n1\n',
        f'a,"{"x" * 2**20}",0,TGT,e,d,1\n',
    ),
    "an open quotation mark": (f'{RATED}ada,0,"Heron,1\n', '"Heron\n1\n', 'ada,"Heron,0,TGT,eng,deu,1\n'),
    "formulas": (f"{RATED}=1+1,0,=HYPERLINK(1),1\n", "=1+1,@SUM\n1,2\n", "=1+1,@SUM,0,TGT,eng,deu,1\n"),
    "huge numbers": (f"{RATED}ada,{10**30},Heron,1\n", f"Heron\n{10**30}\n", f"ada,Heron,{10**30},TGT,eng,deu,1\n"),
    "no numbers": (f"{RATED}ada,0,Heron,NaN\n", "Heron\nInfinity\n", "ada,Heron,0,TGT,eng,deu,1e999\n"),
    "digits of another script": (f"{RATED}ada,\u0661,Heron,1\n", "Heron\n\u0661\n", "ada,Heron,\u0661,TGT,eng,deu,1\n"),
    "100,000 columns": (f"{RATED.strip()}{',x' * 10**5}\n", f"{'Heron,' * 10**5}\n1\n", f"ada{',x' * 10**5}\n"),
    "a long name of a judge": (f"{RATED}{'x' * 5000},0,Heron,1\n", "Stork\n1\n", f"{'x' * 5000},Heron,0,TGT,e,d,1\n"),
    "a script": (f"{RATED}ada,0,{SCRIPT},1\n", f"{SCRIPT}\n1\n", f"ada,{SCRIPT},0,TGT,eng,deu,1\n"),
}


@pytest.mark.parametrize("what", SCORED)
def test_bad_ratings_are_refused(what, db):
    campaign = factory.open_campaign(protocol="rating")
    rows, matrix, of_wmt = SCORED[what]
    entry = json.dumps({"user_id": rows, "item_i": matrix, "item": of_wmt, "annotation": [rows]})
    for form, content in zip(RATINGS, (rows, matrix, of_wmt, f"{of_wmt.strip()},[],1,2\n", entry), strict=True):
        check_refused(campaign, content.encode(), form)


def test_every_format_of_rankings_is_attacked():
    assert RANKINGS.keys() == {"appraise-xml", "pairs-csv", "wmt-csv"}


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
    "a ZIP": packed({"x": b"1"}),
}  # fmt: skip


@pytest.mark.parametrize("what", marked(SCORES))
def test_bad_scores_are_refused_on_their_page(what, campaign, olga, browser_of):
    file = SimpleUploadedFile("scores", SCORES[what])
    answer = browser_of(olga).post(reverse("metrics", args=[campaign.slug]), {"files": file})
    assert answer.status_code == 200
    assert b"errorlist" in answer.content
    assert not Metric.objects.exists()
    assert len(answer.content) < 50_000


def test_scores_from_a_file_of_a_long_name_are_reported_or_kept(campaign, olga, browser_of, monkeypatch):
    good, client = b"Heron 1\nMagpie 2\nWren 3\nsource 4\n", browser_of(olga)
    address = reverse("metrics", args=[campaign.slug])
    answer = client.post(address, {"files": SimpleUploadedFile("x" * 240, good)})
    assert "shorten it" in answer.content.decode()
    answer = client.post(address, {"files": SimpleUploadedFile("x" * 240, good), "columns": "gleu"})
    assert answer.status_code == 302
    assert len(Metric.objects.get().origin) == 200
    # What takes too long is for the command.
    monkeypatch.setattr("ranking.web.metrics.MOST_BYTES", 10)
    page = client.post(address, {"files": SimpleUploadedFile("scores", good)}).content.decode()
    assert f"python manage.py act {campaign.slug} add-metrics" in page


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
