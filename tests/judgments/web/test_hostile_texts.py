"""A campaign full of scripts: shown as text on every page, harmless in every downloaded file."""

import csv
import io
import re
from html.parser import HTMLParser
from uuid import uuid4
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from judgments.actions.judges import SendMessage
from judgments.assignment import claiming
from judgments.campaigns import settings
from judgments.exchange.exporters import EXPORTS
from judgments.jobs import tasks
from judgments.jobs.attempts import run_now
from judgments.judges import exclusion, invitations
from judgments.judging import submission
from judgments.judging.submission import submit
from judgments.material import uploads
from judgments.material.rules.reading import Roles
from judgments.models import Campaign, Document, Membership
from judgments.models.journal import acting
from judgments.rules.datasheet import sheet
from judgments.rules.files.csv_tables import DANGEROUS
from judgments.rules.files.text_files import UploadedFile
from ranking.models import AnalysisPlan, Report
from ranking.publishing.facts import ReleaseChoices
from ranking.publishing.public_page import publish
from ranking.reports import building
from ranking.scores.stored import add_metrics
from ranking.stats.comparisons.study import PRESETS
from tests import factory
from tests.judgments.campaigns.test_access import ADDRESSES, addresses_of

SCRIPT = "<script>alert(1)</script>"
QUOTE = "\" onload='alert(1)' x=\""
HOSTILE = f"{SCRIPT}{QUOTE}<img src=x onerror=alert(1)>&lt;b&gt;{{{{ 7*7 }}}}"
FORMULA = '=HYPERLINK("http://example.org","x")'
SIGNS = ("<script>alert", "<img src=x", " 49 ", "{49}")
TUTORIAL = f"> {HOSTILE}\n1: a {SCRIPT}\n2: b {SCRIPT}\n! {HOSTILE}\n"
RUBRIC = f"? {SCRIPT}: {HOSTILE}\n4: {SCRIPT}\n1: b {SCRIPT}\n"
QUESTIONS = f"? {HOSTILE}\n+ {SCRIPT}\n- b {SCRIPT}\n! {HOSTILE}\n"
MARKDOWN = f"{HOSTILE}\n\n[x](javascript:alert(1)) ![x](http://example.org/x.png)\n\n# {SCRIPT}\n\n* <b>{SCRIPT}</b>\n"


@pytest.fixture(scope="module")
def made_once(lasting) -> dict[str, str]:
    with lasting(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "wake_worker", lambda queue: None)
        campaign = hostile_campaign()
        return in_use(campaign, hostile_judge(campaign), factory.organiser(campaign, "olga"))


@pytest.fixture
def hostile(made_once, db, no_worker) -> dict[str, str]:
    return made_once


@pytest.fixture
def olga(hostile) -> factory.User:
    return factory.User.objects.get(username="olga")


@pytest.fixture
def ada(hostile) -> Membership:
    return Membership.objects.get(user__username="ada")


@pytest.fixture
def campaign(ada) -> Campaign:
    return ada.campaign


def hostile_campaign() -> Campaign:
    """Everything that somebody can write is hostile."""
    texts = {
        "source": [f"{text} {HOSTILE}" for text in factory.SOURCE],
        **{name: [f"{text} {HOSTILE} {name}" for text in lines] for name, lines in factory.SYSTEMS.items()},
    }
    of_others = {"edit_verdicts": f"+ {SCRIPT}\n- b {SCRIPT}", "rubric": RUBRIC}
    made = factory.open_campaign(texts, name=HOSTILE[:200], language="en", **of_others)
    Document.objects.filter(campaign=made).update(name=FORMULA, domain=SCRIPT)
    settings.configure(
        made,
        instructions=MARKDOWN,
        assistance=HOSTILE[:80],
        consent=MARKDOWN,
        completion_code=SCRIPT,
        failed_code=QUOTE,
        screened_out_code=SCRIPT,
        categories=f"{SCRIPT[:20]}: {HOSTILE}",
        datasheet={number: {"words": HOSTILE} for number in sheet.QUESTIONS},
    )
    return made


def hostile_judge(campaign: Campaign) -> Membership:
    """A judge who is called by a formula, from a platform that sends scripts, and who writes scripts."""
    judge = factory.judge(campaign, "ada")
    now = timezone.now()
    factory.agree(judge)
    changed = {"pseudonym": FORMULA, "worker": SCRIPT, "platform": {"workerId": SCRIPT}}
    Membership.objects.filter(pk=judge.pk).update(**changed, taught_at=now, passed_at=now)
    judge.user.first_name = HOSTILE[:150]
    judge.user.save()
    judge.refresh_from_db()
    return judge


def in_use(campaign: Campaign, ada: Membership, olga: factory.User) -> dict[str, str]:
    """Judged, mailed about, excluded, reported on, with files on their way; all addresses."""
    addresses = addresses_of(campaign, ada, olga)
    settings.configure(campaign, consent=MARKDOWN, tutorial=TUTORIAL, questions=QUESTIONS)
    with acting(lambda: HOSTILE[:150]):
        assignment = claiming.claim_next(ada)
        submission.save_draft(assignment, {"comment": HOSTILE}, 1.0)
        while assignment := claiming.claim_next_skipping_breaks(ada):
            answers = factory.answers_for(assignment)
            submit(assignment, key=uuid4(), answers=answers, comment=f"={HOSTILE}", flagged=True)
        claiming.finish_batch(ada)
        invitations.invite(campaign, [SCRIPT, "@SUM(1)", '"<img>"@example.org'])
        exclusion.exclude(ada, HOSTILE[:150])
        exclusion.include(ada, HOSTILE[:150])
        factory.act(SendMessage, ada, message=HOSTILE)
    scores = "\n".join(f"{name} {n}" for n, name in enumerate(("source", *factory.SYSTEMS)))
    add_metrics(campaign, SCRIPT, scores.encode(), (SCRIPT,))
    add_metrics(campaign, SCRIPT, factory.SENTENCE_SCORES.encode())
    files = [UploadedFile(SCRIPT, b"x\n"), UploadedFile(QUOTE, b"\xff\n"), UploadedFile("a.zip", b"x")]
    upload = uploads.upload_files(campaign, olga, files, Roles(references=frozenset({SCRIPT})))
    run_now(upload)
    AnalysisPlan.objects.update(stopping=HOSTILE)
    few = PRESETS["recommended"].with_changes(replicates=200, seed=1)
    ready = building.request_report(campaign, olga, "recommended", few)
    run_now(ready)
    ready.refresh_from_db()
    assert ready.state == Report.State.DONE, ready.error
    public = publish(ready, ReleaseChoices(with_texts=True))
    return addresses | {
        "public_page": public.get_absolute_url(),
        "report": reverse("report", args=[ready.pk]),
        "report_file": reverse("report_file", args=[ready.pk, "standings.csv"]),
        **{name: reverse(name, args=[ready.pk]) for name in ("report_pairs", "report_judges", "report_metrics")},
        "release_data": reverse("release_data", args=[ready.pk]),
        "upload": reverse("upload", args=[campaign.slug, upload.pk]),
    }


class Harm(HTMLParser):
    """Everything in a page that a browser would run, or fetch from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: (value or "").strip().casefold() for name, value in attrs}
        if tag in {"iframe", "object", "embed", "base"} or (tag == "script" and not self._is_ours(attributes)):
            self.found.append(f"{tag} {attributes}")
        self.found += [f"{tag} {name}" for name in attributes if name.startswith("on") or name == "style"]
        ours = ("/", "#", "?", "data:,", "http://testserver", *(["http://", "https://"] if tag == "a" else []))
        leads = [attributes.get(name, "") for name in ("href", "src", "action", "formaction", "xlink:href")]
        # Without a scheme it leads to a place beside the page.
        self.found += [f"{tag} {place}" for place in leads if ":" in place and not place.startswith(ours)]

    def _is_ours(self, attributes: dict[str, str]) -> bool:
        return attributes.get("src", "").startswith("/static/") or attributes.get("type") == "application/json"


def harm(page: str) -> list[str]:
    """What a browser would run, or what a template did."""
    parser = Harm()
    parser.feed(page)
    return parser.found + [sign for sign in SIGNS if sign in page.replace("\\u003C", "<")]


@pytest.mark.wide
@pytest.mark.parametrize("person", ["olga", "ada", "operator", "nobody"])
def test_no_page_runs_what_somebody_wrote(person, hostile, olga, ada, browser_of):
    users = {
        "olga": olga,
        "ada": ada.user,
        "operator": factory.User.objects.create_superuser("operator", first_name=SCRIPT),
    }
    client = browser_of(users[person]) if person in users else Client()
    shown = 0
    for name in [name for name, verb in ADDRESSES if verb == "get" and not name.startswith("api_")]:
        answer = client.get(hostile[name], follow=True)
        if "text/html" in answer.headers["Content-Type"]:
            page = answer.content.decode()
            assert not harm(page), name
            shown += "&lt;script&gt;alert(1)" in page
    assert shown > {"olga": 15, "operator": 15, "ada": 5, "nobody": 0}[person]


@pytest.mark.wide
def test_a_form_shown_again_runs_nothing(hostile, campaign, olga, browser_of):
    client = browser_of(olga)
    names = ("name", "slug", "typed", "reason", "names", "subject", "text", "columns", "tutorial")
    fields = dict.fromkeys(names, HOSTILE)
    for name in [name for name, verb in ADDRESSES if verb == "post" and not name.startswith("api_")]:
        answer = client.post(hostile[name], fields, follow=True)
        if "text/html" in answer.headers["Content-Type"]:
            assert not harm(answer.content.decode()), name


def test_files_that_are_taken_along_are_harmless(hostile, campaign, olga, browser_of):
    client = browser_of(olga)
    for name in EXPORTS:
        answer = client.get(reverse("export", args=[campaign.slug, name]), {"with_names": ""})
        if answer.status_code == 302:
            continue
        content = b"".join(answer.streaming_content)
        check_disposition(answer.headers["Content-Disposition"])
        if name.endswith(".csv"):
            check_cells(content.decode())
        if name.endswith(".xml"):
            ElementTree.fromstring(content)  # noqa: S314 (we wrote it)


@pytest.mark.wide
def test_tables_and_charts_of_reports_are_harmless(hostile, olga, browser_of, campaign):
    client = browser_of(olga)
    page = client.get(hostile["report"]).content.decode()
    names = set(re.findall(r'href="([^"/]+\.(?:csv|svg|json|md|tex|typ|bib))"', page))
    files = sorted(f"{hostile['report']}{name}" for name in names)
    assert any(file.endswith(".svg") for file in files)
    assert any(file.endswith(".csv") for file in files)
    for file in files:
        answer = client.get(file)
        assert answer.status_code == 200
        check_disposition(answer.headers["Content-Disposition"])
        text = answer.content.decode()
        if file.endswith(".csv"):
            check_cells(text)
        if file.endswith(".svg"):
            tags = {element.tag.split("}")[-1] for element in ElementTree.fromstring(text).iter()}  # noqa: S314
            assert not tags & {"script", "img", "foreignObject", "a"}
    for name in ("report_pairs", "report_judges", "report_metrics"):
        answer = client.get(hostile[name], {"format": "csv"})
        check_disposition(answer.headers["Content-Disposition"])
        text = b"".join(answer.streaming_content).decode()
        assert SCRIPT in text, name
        check_cells(text)
    answer = client.get(reverse("invitations_csv", args=[campaign.slug]))
    check_disposition(answer.headers["Content-Disposition"])
    check_cells(answer.content.decode())


def check_cells(text: str) -> None:
    rows = list(csv.reader(io.StringIO(text)))
    numbers = re.compile(r"-?[0-9.]+(e-?[0-9]+)?")
    suspect = [cell for row in rows for cell in row if DANGEROUS.match(cell) and cell[0] != "'"]
    assert rows
    assert not [cell for cell in suspect if not numbers.fullmatch(cell)]


def check_disposition(header: str) -> None:
    assert re.fullmatch(r'attachment; filename="[\w.-]+"', header, re.ASCII)
