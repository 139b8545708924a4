"""Reports without names: judges are numbered in an order that says nothing, everywhere the same."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import pytest
from django.db import transaction
from django.http import Http404

from judgments.assignment import claiming
from judgments.models import Assignment, Judgment, Membership
from judgments.privacy.person import names_pattern
from ranking.models import Report
from ranking.publishing.facts import ReleaseChoices
from ranking.publishing.public_page import site_of
from ranking.reports import building, renaming
from ranking.reports.downloads import inputs_of, read_zip, tables_of
from ranking.reports.renaming import anonymous_report
from tests import factory
from tests.ranking.publishing.cast import PROTOCOLS, files_of, judge_all, open_for, report_on, told, with_program

pytestmark = pytest.mark.django_db


@pytest.mark.wide
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_judge_has_a_number_and_nothing_else_changes(protocol):
    report = told(protocol)
    nameless = anonymous_report(report)
    assert nameless.names.keys() == {"Xanthippe", "Yorick"}
    assert set(nameless.names.values()) == {"judge 1", "judge 2"}

    back = {number: name for name, number in nameless.names.items()}
    stored = tables_of(report)
    for name, table in nameless.tables.items():
        rows = [tuple(back.get(cell, cell) for cell in row) for row in table.rows]
        assert rows == list(stored[name].rows), name
    assert "judge 1" in str(nameless.tables)
    assert not names_pattern(set(nameless.names)).search(f"{nameless.tables} {nameless.inputs} {nameless.report.gaps}")
    assert nameless.inputs.keys() == inputs_of(report).keys()


@pytest.mark.wide
def test_programs_are_numbered_apart_from_people_and_the_stored_report_keeps_its_names():
    report = told("ranking")
    Report.objects.filter(pk=report.pk).update(gaps={"ranking by Yorick alone": "Xanthippe and Yorick differ."})
    report.refresh_from_db()
    nameless = anonymous_report(report)
    numbers = nameless.names
    assert nameless.report.gaps == {
        f"ranking by {numbers['Yorick']} alone": f"{numbers['Xanthippe']} and {numbers['Yorick']} differ."
    }
    assert report.gaps == {"ranking by Yorick alone": "Xanthippe and Yorick differ."}
    assert "Yorick" in str(tables_of(Report.objects.get(pk=report.pk)))
    numbers = anonymous_report(with_program(report)).names
    assert numbers["Quasimodo"] == "program 1"
    assert sorted(numbers.values()) == ["judge 1", "judge 2", "program 1"]


@pytest.mark.wide
@pytest.mark.parametrize("protocol", [*PROTOCOLS, "essays"])
def test_no_public_file_tells_the_order_of_joining_of_submission_or_of_names(protocol):
    """Judges who say the same, but are called otherwise, and join and submit in another order on other days."""
    assert published(protocol, "abc", joining=(0, 1, 2), submitting=(0, 1, 2), day=3) == published(
        protocol, "bca", joining=(2, 0, 1), submitting=(1, 2, 0), day=9
    )


def published(protocol: str, names: str, joining: Sequence[int], submitting: Sequence[int], day: int) -> dict:
    """All files of the public page and of the release; the campaign is gone afterwards."""
    with transaction.atomic():
        campaign = open_for(protocol, slug="secret", redundancy=3, batch_size=10)
        judges = {}
        for lot in joining:
            judges[lot] = factory.judge(campaign, f"{names[lot]}{names[lot]}")
            Membership.objects.filter(pk=judges[lot].pk).update(lot=lot)
        for lot in sorted(judges):  # whoever claims first gets the first round
            claiming.claim_next(judges[lot])
        for place, lot in enumerate(submitting):
            judge_all(judges[lot])
            moment = datetime(2026, 5, day + place, 12, tzinfo=UTC)
            Assignment.objects.filter(judge=judges[lot]).done().update(submitted_at=moment)
        Judgment.objects.update(wall_seconds=7, active_seconds=None)
        report = report_on(campaign)
        report.created_at = report.started_at = report.finished_at = datetime(2026, 6, 1, tzinfo=UTC)
        report.save()
        site = site_of(report, ReleaseChoices(with_texts=True, licence="cc-by-4.0"), "https://report.example")
        files = {f"site/{name}": content for name, content in every_file(site)}
        files |= {f"release/{name}": content for name, content in files_of(report, with_texts=True).items()}
        transaction.set_rollback(True)
    return files


def every_file(archive: bytes) -> Iterator[tuple[str, bytes]]:
    for name, content in read_zip(archive).items():
        yield from every_file(content) if name.endswith(".zip") else [(name, content)]


@pytest.mark.wide
def test_a_judge_who_was_called_like_a_number_is_numbered_like_all():
    """Two judges swap the names that they get; none is renamed twice, and forgetting a judge changes no number."""
    report = told("ranking")
    before = anonymous_report(report).tables
    for name, number in (("Xanthippe", "judge 2"), ("Yorick", "judge 1")):
        judge = report.campaign.membership_set.get(pseudonym=name)
        renaming.rename(judge, number)
        judge.pseudonym = number
        judge.save()
    nameless = anonymous_report(report)
    assert nameless.tables == before
    expected = [nameless.names[name] for name in renaming.judges_in(inputs_of(report)["study.json"])]
    assert renaming.judges_in(nameless.inputs["study.json"]) == expected
    assert sorted(expected) == ["judge 1", "judge 2"]
    assert renaming.words_with_names("judge 1, judge 2", {"judge 1": "judge 2", "judge 2": "judge 1"}) == (
        "judge 2, judge 1"
    )


@pytest.mark.wide
def test_a_judge_may_be_called_like_an_answer():
    campaign = factory.open_verdicts()
    for name in ("error", "ok"):
        factory.answer_all(factory.judge(campaign, name))
    report = report_on(campaign)
    assert anonymous_report(report).tables["usages"] == tables_of(report)["usages"]
    assert "error" in tables_of(report)["usages"].column("majority")


def test_a_report_that_was_never_computed_is_not_found():
    with pytest.raises(Http404):
        anonymous_report(building.create_report(factory.open_campaign()))
