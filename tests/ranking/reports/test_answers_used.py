"""Which answers a report uses: the independent ones, those changed after feedback, or those of the adjudicator."""

from dataclasses import replace
from uuid import uuid4

import pytest
from django.urls import reverse

from judgments.judging.adjudication import adjudicate, assignment_of
from judgments.judging.differences import give_feedback
from judgments.judging.submission import submit
from judgments.models import Assignment, Campaign, JudgeStatistics, Screen
from ranking.publishing.released_judgments import judgments_of
from ranking.reports.building import is_stale
from ranking.reports.kinds.kind import kind_for
from ranking.reports.renaming import anonymous_report
from ranking.reports.sentences.listing import refusal_of
from ranking.stats.choices import ADJUDICATED, INDEPENDENT, NOT_INDEPENDENT, REVISED
from tests import factory
from tests.judgments.judging.opinions import answers_of, judge_all
from tests.ranking.reports.test_reports import QUICK, made

# The candidates of one sentence in the order of their systems' names, which is that of storing.
TEXTS = {"source": ["He go ."], "Heron": ["He goes ."], "Wren": ["He going ."]}


@pytest.fixture
def duel(db) -> Campaign:
    """Ada and Ben prefer one version; Cleo, who preferred the other, changed her answer after feedback."""
    campaign = factory.open_campaign(TEXTS, redundancy=3, majority_feedback=True)
    judges = [factory.judge(campaign, name) for name in ("ada", "ben", "cleo")]
    for number, judge in enumerate(judges):
        judge_all(judge, is_contrary=number == 2)
    give_feedback(judges[2])
    assignment = Assignment.objects.get(judge=judges[2])
    submit(assignment, key=uuid4(), answers=answers_of(assignment))
    return campaign


def settle(campaign: Campaign) -> None:
    """Olga sides with Cleo's first answer."""
    screen = Screen.objects.get(campaign=campaign)
    adjudicate(screen, key=uuid4(), answers=answers_of(assignment_of(screen), is_contrary=True))


def wins(campaign: Campaign, answers: str) -> tuple[int, int]:
    """How often Heron and Wren won against each other."""
    study = kind_for(campaign.protocol).extract(campaign, replace(QUICK, answers=answers)).study
    heron, wren = (study.names.systems.index(name) for name in ("Heron", "Wren"))
    return int(study.counted.wins[heron, wren]), int(study.counted.wins[wren, heron])


def test_independent_answers_count_unless_a_report_asks_for_others(duel):
    independent = wins(duel, INDEPENDENT)
    assert sorted(independent) == [1, 2]
    assert sorted(wins(duel, REVISED)) == [0, 3]
    assert wins(duel, ADJUDICATED) == independent
    settle(duel)
    assert wins(duel, INDEPENDENT) == independent
    assert sorted(wins(duel, REVISED)) == [0, 3]
    # One answer replaces three, and for the version that Cleo preferred at first.
    assert wins(duel, ADJUDICATED) == tuple(int(many == 1) for many in independent)


@pytest.mark.postgresql
def test_verdicts_are_chosen_in_the_same_way(db):
    campaign = factory.open_verdicts(control_share=0.0, majority_feedback=True)
    for number, name in enumerate(("ada", "ben")):
        judge_all(factory.judge(campaign, name), is_contrary=number > 0)
    screen = Screen.objects.filter(campaign=campaign)[0]
    adjudicate(screen, key=uuid4(), answers=["unknown"])
    kind = kind_for(campaign.protocol)
    chosen = kind.preset("recommended")
    studies = [
        kind.extract(campaign, chosen.with_changes(answers=answers)).study for answers in (INDEPENDENT, ADJUDICATED)
    ]
    usage = list(studies[0].names.usages).index(screen.usage.name)
    assert [(study.verdicts.unit == usage).sum() for study in studies] == [2, 1]
    assert studies[1].judgments == studies[0].judgments - 1


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("answers", "used", "judgments"),
    [
        (INDEPENDENT, "the independent answers", 3),
        (REVISED, "the changed answers in place of the first ones", 3),
        (ADJUDICATED, "the adjudicated answers in place of those of the judges on these screens", 1),
    ],
)
def test_a_report_and_its_release_have_the_answers_that_were_chosen_and_say_so(
    duel, answers, used, judgments, browser_of
):
    settle(duel)
    report = made(duel, replace(QUICK, answers=answers))
    said = f"Answers changed after feedback: 1; adjudicated screens: 1. This report uses {used}."
    assert said in browser_of(factory.organiser(duel, "olga")).get(reverse("report", args=[report.pk])).content.decode()
    assert f"answers:{answers}" in report.signature
    assert (report.gaps.get("agreement") == report.gaps.get("judges") == NOT_INDEPENDENT) == (answers != INDEPENDENT)
    assert ("independent answers" in refusal_of(report)) == (answers != INDEPENDENT)
    assert JudgeStatistics.objects.exclude(compared_at=None).exists() == (answers == INDEPENDENT)
    released = judgments_of(report, anonymous_report(report).names, with_texts=False).rows
    assert report.judgments == len(released) == judgments
    ranks = {tuple(answer["rank"] for answer in given if answer["systems"] == "source") for _, given in released}
    assert len(ranks) == (2 if answers == INDEPENDENT else 1)


@pytest.mark.wide
def test_a_report_is_stale_when_the_answers_that_it_uses_changed(duel):
    reports = {answers: made(duel, replace(QUICK, answers=answers)) for answers in (INDEPENDENT, REVISED, ADJUDICATED)}
    assert not any(map(is_stale, reports.values()))
    cleo = Assignment.objects.get(judge__pseudonym="cleo")
    submit(cleo, key=uuid4(), answers=answers_of(cleo, is_contrary=True))
    assert {answers: is_stale(report) for answers, report in reports.items()} == {
        INDEPENDENT: False, REVISED: True, ADJUDICATED: False,
    }  # fmt: skip
    settle(duel)
    assert is_stale(reports[ADJUDICATED])
    assert not is_stale(reports[INDEPENDENT])
