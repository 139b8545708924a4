"""Reports without names: judges are numbered in an order that says nothing, everywhere the same."""

import json

import pytest
from django.http import Http404

from judgments.privacy.person import names_pattern
from ranking.models import Report
from ranking.publishing.anonymous import anonymised
from ranking.reports import building, renaming
from ranking.reports.downloads import inputs_of, tables_of
from tests import factory
from tests.ranking.publishing.cast import PROTOCOLS, report_on, told, with_program

pytestmark = pytest.mark.django_db


@pytest.mark.wide
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_judge_has_a_number_and_nothing_else_changes(protocol):
    report = told(protocol)
    nameless = anonymised(report)
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
    nameless = anonymised(report)
    numbers = nameless.names
    assert nameless.report.gaps == {
        f"ranking by {numbers['Yorick']} alone": f"{numbers['Xanthippe']} and {numbers['Yorick']} differ."
    }
    assert report.gaps == {"ranking by Yorick alone": "Xanthippe and Yorick differ."}
    assert "Yorick" in str(tables_of(Report.objects.get(pk=report.pk)))
    numbers = anonymised(with_program(report)).names
    assert numbers["Quasimodo"] == "program 1"
    assert sorted(numbers.values()) == ["judge 1", "judge 2", "program 1"]


@pytest.mark.wide
def test_the_order_is_neither_that_of_names_nor_of_enrolment_and_stays_the_same():
    campaign = factory.open_campaign(redundancy=6)
    for name in "abcdef":
        factory.judge_batch(factory.judge(campaign, name))
    first = anonymised(report_on(campaign)).names
    assert sorted(first.values()) == [f"judge {number}" for number in range(1, 7)]
    orders = {tuple(sorted(anonymised(report_on(campaign, seed=seed)).names.items())) for seed in range(3)}
    assert tuple(sorted(first.items())) in orders
    assert len(orders) > 1


@pytest.mark.wide
def test_a_judge_who_was_called_like_a_number_is_numbered_like_all():
    """Two judges swap the names that they get; none is renamed twice, and forgetting a judge changes no number."""
    report = told("ranking")
    before = anonymised(report).tables
    for name, number in (("Xanthippe", "judge 2"), ("Yorick", "judge 1")):
        judge = report.campaign.membership_set.get(pseudonym=name)
        renaming.rename(judge, number)
        judge.pseudonym = number
        judge.save()
    nameless = anonymised(report)
    assert nameless.tables == before
    study = json.loads(inputs_of(report)["study.json"])
    expected = [nameless.names[name] for name in study["judges"]]
    assert json.loads(nameless.inputs["study.json"])["judges"] == expected
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
    assert anonymised(report).tables["instances"] == tables_of(report)["instances"]
    assert "error" in tables_of(report)["instances"].column("majority")


def test_a_report_that_was_never_computed_is_not_found():
    with pytest.raises(Http404):
        anonymised(building.create_report(factory.open_campaign()))
