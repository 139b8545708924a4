"""A release arrives at a host as a draft; tokens are in headers alone, and a failure says what to do."""

import json
import re
import threading
from base64 import b64decode
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

import pytest
from django.core.management import CommandError, call_command

from judgments.models import Campaign, JournalEntry
from judgments.rules.errors import Refused
from ranking.models import Report
from ranking.publishing import deposits
from ranking.publishing.deposits import HubDeposit, ZenodoDeposit
from ranking.publishing.facts import ReleaseChoices
from ranking.reports.downloads import make_zip, read_zip
from tests.ranking.publishing.cast import told

TOKEN = "zT-9c3a71d0"
CARD, RECORD = b"---\nlicense: cc-by-4.0\n---\n\n# Judgments\n", "every_eval_ever/gec/unknown/A/1.json"
CONTENT = make_zip({"README.md": CARD, "judgments.csv": "a\n" * 50, RECORD: "{}"})
CHOICES = {
    "licence": "cc-by-4.0", "creators": ("Lovelace, Ada", "An Institute"), "contact": "https://example.org/paper",
    "description": "Judged <twice>.\n\nBy experts.",
}  # fmt: skip


class Host(ThreadingHTTPServer):
    """A local stand-in for a host of data: it keeps what it was asked, with which authorization, and what it got."""

    daemon_threads = True

    def __init__(self, answering: type[BaseHTTPRequestHandler]) -> None:
        self.asked: list[tuple[str, str]] = []
        self.tokens: set[str | None] = set()
        self.got: dict[str, bytes] = {}
        self.drafts: list[dict] = []
        self.is_private = True
        # Answers to give instead of those of the real host, the next one first: status and content.
        self.faults: list[tuple[int, object]] = []
        super().__init__(("127.0.0.1", 0), answering)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Asked(BaseHTTPRequestHandler):
    server: Host

    def do_GET(self) -> None:
        host, self.place = self.server, unquote(urlsplit(self.path).path)
        host.asked.append((self.command, self.path))
        host.tokens.add(self.headers["Authorization"])
        self.body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        status, content = host.faults.pop(0) if host.faults else self.answer()
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")  # also for pages of errors, as of some gateways
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_PUT = do_GET  # noqa: N815

    def answer(self) -> tuple[int, object]:
        raise NotImplementedError

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class AskedOfZenodo(Asked):
    def answer(self) -> tuple[int, object]:
        host = self.server
        match self.command, self.place.split("/")[2:]:
            case "GET", ["deposit", "depositions"]:
                return 200, host.drafts[::-1]
            case "POST", ["deposit", "depositions"]:
                number = len(host.drafts) + 1
                links = {"bucket": f"{host.url}/api/files/bucket-{number}", "html": f"{host.url}/deposit/{number}"}
                host.drafts.append({"id": number, "state": "unsubmitted", "links": links})
            case "PUT", ["deposit", "depositions", number] if int(number) <= len(host.drafts):
                pass
            case "PUT", ["files", bucket, name]:
                host.got[f"{bucket}/{name}"] = self.body
                return 201, {"key": name}
            case _:
                return 404, {"status": 404, "message": "Not found"}
        draft = host.drafts[int(number) - 1]
        draft["metadata"] = json.loads(self.body)["metadata"] | {"prereserve_doi": {"doi": f"10.5072/zenodo.{number}"}}
        return 201 if self.command == "POST" else 200, draft


def serve(answering: type[Asked]) -> Iterator[Host]:
    host = Host(answering)
    threading.Thread(target=host.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield host
    host.shutdown()
    host.server_close()


@pytest.fixture
def zenodo(settings) -> Iterator[Host]:
    for host in serve(AskedOfZenodo):
        settings.ZENODO_URL, settings.ZENODO_TOKEN = host.url, TOKEN
        yield host


def to_zenodo(**chosen: object) -> ZenodoDeposit:
    campaign = Campaign(name="GEC", slug="gec", protocol="ranking", language="en-GB")
    report = Report(campaign=campaign, finished_at=datetime(2026, 6, 1, 13, tzinfo=UTC))
    return ZenodoDeposit(report, ReleaseChoices(**CHOICES | chosen), CONTENT)


def test_zenodo_gets_a_draft_with_the_zip_its_card_and_who_what_and_under_which_licence(zenodo):
    said = to_zenodo().send()
    assert zenodo.got == {"bucket-1/gec-release.zip": CONTENT, "bucket-1/README.md": CARD}
    about = zenodo.drafts[0]["metadata"]
    assert about == {
        "upload_type": "dataset", "title": "Judgments of GEC", "license": "cc-by-4.0", "version": "1.0.0",
        "creators": [{"name": "Lovelace, Ada"}, {"name": "An Institute"}], "publication_date": "2026-06-01",
        "description": "<p>Judged &lt;twice&gt;.</p>\n\n<p>By experts.</p>", "language": "en",
        "keywords": ["grammatical error correction", "human evaluation", "ranking"],
        "related_identifiers": [{"identifier": "https://example.org/paper", "relation": "isSupplementTo"}],
        "prereserve_doi": {"doi": "10.5072/zenodo.1"},
    }  # fmt: skip
    assert f"Made the draft {zenodo.url}/deposit/1" in said
    assert "10.5072/zenodo.1" in said
    assert not [path for _, path in zenodo.asked if "publish" in path or TOKEN in path]
    assert zenodo.tokens == {f"Bearer {TOKEN}"}


def test_an_own_licence_is_not_taken_for_an_open_one_and_a_contact_by_mail_for_a_paper():
    about = to_zenodo(licence="other", own_licence="Ask us.", contact="ada@example.org").metadata
    assert about["license"] == "other-closed"
    assert "related_identifiers" not in about


def test_the_same_release_goes_into_the_same_draft_until_that_is_published(zenodo):
    to_zenodo().send()
    assert "Updated the draft" in to_zenodo(description="Better said.").send()
    assert [draft["metadata"]["description"] for draft in zenodo.drafts] == ["<p>Better said.</p>"]
    to_zenodo(title="Another").send()
    zenodo.drafts[0]["state"] = "done"
    to_zenodo().send()
    assert [draft["metadata"]["title"] for draft in zenodo.drafts] == [
        "Judgments of GEC",
        "Another",
        "Judgments of GEC",
    ]


FIELDS = {
    "message": f"Validation error for {TOKEN}",
    "errors": [{"field": "title", "message": "Too short"}, {"field": "creators", "messages": ["Unknown", "Empty"]}],
}


@pytest.mark.parametrize(
    ("status", "content", "message"),
    [
        (401, {"message": "Unauthorized"}, "answers 401: Unauthorized. Set ZENODO_TOKEN to .* scope deposit:write"),
        (403, {}, "answers 403. Set ZENODO_TOKEN"),
        (400, FIELDS, r"400: Validation error for \[token\]; title: Too short; creators: Unknown Empty. Change that"),
        (503, b"<html>", "answers 503: .*. Try again later."),
        (302, b"<html>", "answers 302: this is not the API of Zenodo; check ZENODO_URL"),
        (200, b"<html>", "answers 200: this is not the API of Zenodo; check ZENODO_URL"),
    ],
)
def test_what_zenodo_refuses_says_why_and_what_to_do_without_the_token(zenodo, status, content, message):
    zenodo.faults = [(status, content)]
    with pytest.raises(Refused, match=message) as refusal:
        to_zenodo().send()
    assert TOKEN not in str(refusal.value)
    assert (len(zenodo.asked), zenodo.got) == (1, {})


def test_without_zenodo_or_a_token_nothing_is_sent(zenodo, settings):
    settings.ZENODO_TOKEN = ""
    with pytest.raises(Refused, match=r"There is no token. Set ZENODO_TOKEN"):
        to_zenodo().send()
    assert not zenodo.asked
    settings.ZENODO_TOKEN, settings.ZENODO_URL = TOKEN, "http://127.0.0.1:1"
    with pytest.raises(
        Refused, match=r"http://127.0.0.1:1 cannot be reached \(NewConnectionError\). Check its address"
    ):
        to_zenodo().send()


class AskedOfHub(Asked):
    def answer(self) -> tuple[int, object]:
        host, commit = self.server, "1" * 40
        match self.command, self.place.split("/")[2:]:
            case "POST", ["repos", "create"]:
                asked = json.loads(self.body)
                if asked != {"type": "dataset", "organization": "olga", "name": "data", "visibility": "private"}:
                    return 400, {"error": f"Asked for {asked}"}
                return 200, {"url": f"{host.url}/datasets/olga/data"}
            case "GET", ["datasets", "olga", "data"]:
                return 200, {"id": "olga/data", "private": host.is_private, "sha": commit, "tags": []}
            case "GET", [*_, "tree", "main"]:
                return 200, [{"type": "file", "path": name, "oid": commit, "size": 1} for name in host.got]
            case "POST", ["validate-yaml"]:
                return 200, {"errors": [], "warnings": []}
            case "POST", [*_, "preupload", "main"]:
                files = json.loads(self.body)["files"]
                return 200, {
                    "files": [{"path": one["path"], "uploadMode": "regular", "shouldIgnore": False} for one in files]
                }
            case "POST", [*_, "commit", "main"]:
                for line in map(json.loads, self.body.splitlines()):
                    match line:
                        case {"key": "file", "value": {"path": path, "content": content, "encoding": "base64"}}:
                            host.got[path] = b64decode(content)
                        case {"key": "deletedFile", "value": {"path": path}}:
                            del host.got[path]
                return 200, {"commitOid": commit, "commitUrl": f"{host.url}/datasets/olga/data/commit/{commit}"}
        return 404, {"error": "Not found"}


@pytest.fixture
def hub(settings, monkeypatch) -> Iterator[Host]:
    """The library may ask no other host, either."""
    constants = pytest.importorskip("huggingface_hub.constants")
    for host in serve(AskedOfHub):
        settings.HF_ENDPOINT, settings.HF_TOKEN = host.url, TOKEN
        monkeypatch.setattr(constants, "ENDPOINT", host.url)
        yield host


@pytest.mark.wide
def test_the_hub_gets_the_files_in_a_private_dataset_and_what_earlier_runs_sent_goes(hub, capfd):
    hub.got = {".gitattributes": b"", "tables/old.csv": b"a\n"}
    said = HubDeposit("olga/data", CONTENT).send()
    assert hub.got == {".gitattributes": b"", **read_zip(CONTENT)}
    assert f"Sent 3 files to the private dataset {hub.url}/datasets/olga/data\n" in said
    assert hub.tokens == {f"Bearer {TOKEN}"}
    assert not [path for _, path in hub.asked if TOKEN in path or "agent" in path]
    assert capfd.readouterr() == ("", ""), "no bars of the library"


@pytest.mark.wide
def test_nothing_is_sent_to_a_public_dataset(hub):
    hub.is_private = False
    with pytest.raises(Refused, match="olga/data is public, so everybody would see these files at once"):
        HubDeposit("olga/data", CONTENT).send()
    assert hub.got == {}


@pytest.mark.wide
def test_what_the_hub_refuses_says_what_to_do_without_the_token(hub, settings):
    for status, error, message in (
        (
            401,
            f"Invalid {TOKEN}",
            r"answers 401: Invalid \[token\]. Set HF_TOKEN to a token that may write to .* of olga",
        ),
        (403, "No right", "answers 403: .*No right.* Set HF_TOKEN"),
        (400, "Bad name", "answers 400: .*Bad name.* Change that"),
    ):
        hub.faults = [(status, {"error": error})] * 2  # after the first the library looks whether it is there
        with pytest.raises(Refused, match=message) as refusal:
            HubDeposit("olga/data", CONTENT).send()
        assert TOKEN not in str(refusal.value)
    assert hub.got == {}
    with pytest.raises(Refused, match="The Hub allows no dataset of this name"):
        HubDeposit("olga/a--b", CONTENT).send()
    settings.HF_ENDPOINT = "http://127.0.0.1:1"
    with pytest.raises(Refused, match=r"http://127.0.0.1:1 cannot be reached \(ConnectError\)"):
        HubDeposit("olga/data", CONTENT).send()


def test_the_hub_needs_a_token_its_package_and_a_name_with_an_owner(settings, monkeypatch):
    settings.HF_TOKEN = ""
    with pytest.raises(Refused, match=r"There is no token. Set HF_TOKEN"):
        HubDeposit("olga/data", CONTENT).send()
    settings.HF_TOKEN = TOKEN
    monkeypatch.setattr(deposits, "find_spec", lambda name: None)
    with pytest.raises(Refused, match=r'pip install "appraise-gec\[hub\]"'):
        HubDeposit("olga/data", CONTENT).send()
    with pytest.raises(Refused, match="'data' is no repository; give OWNER/NAME"):
        HubDeposit("data", CONTENT)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "Say where to: --out FILE, --to zenodo or --to hub"),
        (["--out", "release.zip", "--dry-run"], "--dry-run goes with --to"),
        (["--to", "hub"], "--to hub needs it"),
        (["--to", "zenodo", "--repository", "olga/data"], "--repository OWNER/NAME goes with --to hub"),
    ],
)
def test_a_command_that_does_not_say_where_to_ends_with_a_sentence(words, message):
    with pytest.raises(CommandError, match=message):
        call_command("release_data", "17", "--licence", "cc0-1.0", *words)


@pytest.mark.wide
@pytest.mark.django_db
def test_the_command_says_what_it_would_send_sends_it_and_notes_that(zenodo, settings, tmp_path, capsys):
    report, out = told("verdict"), tmp_path / "release.zip"
    words = ["release_data", str(report.pk), "--licence", "cc0-1.0", "--to"]
    settings.ZENODO_TOKEN = ""
    call_command(*words, "zenodo", "--dry-run", "--out", str(out))
    call_command(*words, "hub", "--repository", "olga/data", "--dry-run")
    said = capsys.readouterr().out
    assert f"A draft on {zenodo.url} would get:\n  {report.campaign.slug}-release.zip " in said
    assert '"license": "cc0-1.0"' in said
    assert "The private dataset https://huggingface.co/datasets/olga/data would get:\n  README.md " in said
    assert re.search(r"^  tables/ [\d,]+ bytes in \d+ files$", said, re.MULTILINE)
    assert said.count("Nothing was sent.") == 2
    assert (zenodo.asked, out.exists()) == ([], False)

    settings.ZENODO_TOKEN = TOKEN
    call_command(*words, "zenodo", "--out", str(out))
    assert zenodo.got[f"bucket-1/{report.campaign.slug}-release.zip"] == out.read_bytes()
    assert f"sent the data of report {report.pk} to zenodo" in JournalEntry.objects.latest("pk").what
