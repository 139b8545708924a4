"""A published report: read without an account, opened from disk, without names of judges, withdrawn by one click."""

import io
import re
import zipfile
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from judgments.jobs.attempts import run_now
from judgments.models import JournalEntry, Membership, Segment
from judgments.rules.errors import Refused
from ranking.models import Publication, Report
from ranking.numbers.tables import for_latex
from ranking.publishing.facts import ReleaseChoices
from ranking.publishing.public_page import publish, withdraw
from ranking.reports import building
from ranking.reports.plans import fix_plan
from ranking.stats.comparisons.study import PRESETS
from tests import factory
from tests.ranking.publishing.cast import told

QUICK = PRESETS["recommended"].with_changes(replicates=200)


@pytest.fixture(scope="module")
def made_once(lasting) -> int:
    with lasting():
        campaign = factory.open_campaign()
        fix_plan(campaign, factory.organiser(campaign, "olga"), "recommended", QUICK, 9, "When all is judged.")
        for name, pseudonym, worker in (("ada", "Ada-Lovelace", "WORKER77"), ("ben", "Benjamin", "")):
            judge = factory.judge(campaign, name)
            factory.answer_all(judge)
            Membership.objects.filter(pk=judge.pk).update(pseudonym=pseudonym, worker=worker)
        report = building.request_report(campaign, parameters=QUICK)
        run_now(report)
        return report.pk


@pytest.fixture
def report(made_once, db) -> Report:
    return Report.objects.get(pk=made_once)


@pytest.fixture
def olga(report) -> User:
    return User.objects.get(username="olga")


def files_in(content: bytes, place: str = "") -> Iterator[tuple[str, bytes]]:
    """Every file of a ZIP, also of those inside it."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            yield f"{place}{name}", archive.read(name)
            if name.endswith(".zip"):
                yield from files_in(archive.read(name), f"{place}{name}/")


def test_everybody_who_knows_the_address_reads_it_until_it_is_withdrawn(report, olga, browser_of):
    client, anybody = browser_of(olga), Client()
    page = client.get(reverse("report", args=[report.pk])).content.decode()
    assert 'href="publication/"' in page
    address = reverse("publication", args=[report.pk])
    assert "Publish the report" in client.get(address).content.decode()
    chosen = {"licence": "cc-by-4.0", "contact": "lab@athens.example", "creators": "Lovelace, Ada"}
    shown = client.post(address, chosen, follow=True).content.decode()
    public = Publication.objects.get(report=report).get_absolute_url()
    assert f"http://127.0.0.1:8000{public}" in shown
    page = anybody.get(public).content.decode()
    assert "The ranking to cite: Expected Wins" in page
    assert "You may not say" in page
    assert 'href="https://creativecommons.org/licenses/by/4.0/"' in page
    assert "Contact: lab@athens.example" in page
    citation = anybody.get(f"{public}citation.bib").content.decode()
    assert "author = {Lovelace, Ada}" in citation
    assert for_latex(f"http://127.0.0.1:8000{public}") in citation
    assert "@misc{appraisegec," in citation
    assert anybody.get(f"{public}standings.csv").content.startswith(b"method,unit,")
    assert anybody.get(f"{public}report.zip").content == bytes(Publication.objects.get(report=report).content)
    assert anybody.get(f"{public}secrets.csv").status_code == 404
    client.post(reverse("withdraw_report", args=[report.campaign.slug, report.pk]))
    assert anybody.get(public).status_code == 404
    assert anybody.get(f"{public}standings.csv").status_code == 404
    assert [entry.what for entry in JournalEntry.objects.all()[:2]] == [
        f"withdrew report {report.pk} from the public", f"published report {report.pk} without texts",
    ]  # fmt: skip


def test_without_a_licence_the_page_says_so_and_with_an_own_one_it_has_its_text(report):
    texts = (
        dict(files_in(bytes(publish(report, choices).content)))["index.html"].decode()
        for choices in (ReleaseChoices(), ReleaseChoices(licence="other", own_licence="For <research> only."))
    )
    without, own = texts
    assert "No licence was given" in without
    assert "Contact:" not in without
    assert f"@misc{{{report.campaign.slug}-report-{report.pk}," in without
    assert "For &lt;research&gt; only." in own
    assert "No licence was given" not in own


@pytest.mark.postgresql
def test_texts_are_in_it_only_if_they_may_be_shown_and_every_link_leads_to_a_file(report):
    sentences = [line.encode() for line in factory.SOURCE]
    choices = (ReleaseChoices(with_texts=shown) for shown in (False, True))
    without, with_them = (dict(files_in(bytes(publish(report, chosen).content))) for chosen in choices)
    assert not [name for name, file in without.items() if any(sentence in file for sentence in sentences)]
    assert [name for name, file in with_them.items() if all(sentence in file for sentence in sentences)] == [
        "texts.csv"
    ]
    header = with_them["texts.csv"].decode().splitlines()[0].split(",")
    assert header[:2] == ["segment", "source"]
    assert {"Heron", "Wren"} <= set(header)
    page = with_them["index.html"].decode()
    links = set(re.findall(r' (?:href|src)="([^"#]+)"', page)) - {"data:,"}
    assert {"report.css", "files.zip", "bundle.zip", "texts.csv", "paper.md", "standings.csv"} <= links
    assert links <= with_them.keys()
    assert "<script" not in page
    assert "<form" not in page


def test_nothing_in_it_names_a_judge_or_tells_when_they_worked(report, olga):
    content = bytes(publish(report, ReleaseChoices(with_texts=True)).content)
    secrets = [b"Ada-Lovelace", b"Benjamin", b"WORKER77", olga.username.encode(), b"comment", b"submitted_at"]
    found = {
        (name, secret)
        for name, file in files_in(content)
        for secret in secrets
        if secret in file and not name.endswith((".py", ".css"))
    }
    assert found == set()
    assert b"judge 1" in dict(files_in(content))["judges.csv"]


@pytest.mark.wide
@pytest.mark.postgresql
@pytest.mark.usefixtures("db", "no_worker")
def test_corrections_without_texts_come_without_what_they_were_computed_from():
    report = told("correction")
    sources = [text.encode() for text in Segment.objects.values_list("text", flat=True)]
    choices = (ReleaseChoices(with_texts=shown) for shown in (False, True))
    without, with_them = (dict(files_in(bytes(publish(report, chosen).content))) for chosen in choices)
    assert not [name for name, file in without.items() if any(source in file for source in sources)]
    assert "bundle.zip" not in without
    assert b"bundle.zip" not in without["index.html"]
    assert "bundle.zip" in with_them


@pytest.mark.wide
def test_publishing_again_keeps_the_address_and_makes_the_same_bytes(report, no_worker):
    first = publish(report, ReleaseChoices())
    again = publish(report, ReleaseChoices())
    assert (again.token, bytes(again.content)) == (first.token, bytes(first.content))
    withdraw(report)
    assert publish(report, ReleaseChoices()).token != first.token
    with pytest.raises(Refused, match="finished"):
        publish(building.request_report(report.campaign), ReleaseChoices())
