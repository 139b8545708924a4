"""Screens that depend on the judgments so far: drawn before they run out, until a rule is met."""

import random

import pytest

from judgments.assignment import assigning, claiming, planning
from judgments.campaigns import states
from judgments.models import Assignment, Campaign, JournalEntry, Screen
from ranking.models import Look
from ranking.reports import plans
from ranking.reports.ballots import collect
from ranking.sequential import continuing
from ranking.stats.comparisons.study import PRESETS
from ranking.stats.rankings.stopping import Goal
from tests import factory

SYSTEMS = ("Crane", "Heron", "Magpie", "Raven", "Wren")
SENTENCES = 40


def texts() -> dict[str, list[str]]:
    """Every system has its own output for most sentences."""
    rng = random.Random(3)
    source = [f"This be sentence {number} ." for number in range(SENTENCES)]
    outputs = {name: [f"{one} {rng.choice((name, 'same'))}" for one in source] for name in SYSTEMS}
    return {"source": source, **outputs}


@pytest.fixture
def adaptive(db) -> Campaign:
    campaign = factory.make_campaign(
        texts(), redundancy=1, batch_size=5, screen_size=3, repeat_share=0.0, control_share=0.0
    )
    planning.launch(campaign, {"design": "sampled", "sampling": "undecided"}, 40)
    campaign.refresh_from_db()
    return campaign


def judge_batch(judge) -> None:
    for _ in range(5):
        factory.answer(claiming.claim_next(judge))
    claiming.finish_batch(judge)


@pytest.mark.postgresql
def test_a_first_part_is_drawn_evenly_and_the_others_as_judging_goes_on(adaptive):
    first = Screen.objects.filter(campaign=adaptive)
    assert (first.count(), adaptive.later_screens, adaptive.sentences_offered) == (10, 30, 10)
    assert set(first.values_list("weight", flat=True)) == {1.0}
    assert first.values("segment").distinct().count() == 10, "no sentence comes twice in a round"
    assert continuing.continue_campaign(adaptive) is None, "two batches are free, and nobody is at work"


@pytest.mark.wide
@pytest.mark.postgresql
def test_screens_never_run_out_and_end_with_the_number_planned(adaptive):
    ada, ben = factory.judge(adaptive, "ada"), factory.judge(adaptive, "ben")
    while True:
        for judge in (ada, ben):
            if claiming.claim_next(judge):
                judge_batch(judge)
        continuing.continue_campaigns()
        adaptive.refresh_from_db()
        if not adaptive.later_screens:
            break
    assert Screen.objects.filter(campaign=adaptive).count() == 40
    weights = list(Screen.objects.values_list("weight", flat=True)[10:])
    assert all(weights)
    assert len(set(weights)) > 1, "probabilities depend on what the judgments leave undecided"
    assert len(collect(adaptive).weights) == 40 - Assignment.objects.waiting().count()
    assert adaptive.sentences_offered >= 40


def test_a_second_worker_that_draws_at_the_same_time_draws_nothing(adaptive):
    judge_batch(factory.judge(adaptive, "ada"))
    first = assigning.next_batch(adaptive)
    assert assigning.assign_next(adaptive, 5, None, first).later == 25
    assert assigning.assign_next(adaptive, 5, None, first) is None
    states.close_campaign(adaptive)
    assert assigning.assign_next(adaptive, 5, None, assigning.next_batch(adaptive)) is None


@pytest.mark.wide
@pytest.mark.postgresql
def test_no_screens_are_drawn_once_a_rule_of_the_plan_is_met(adaptive, olga):
    plans.fix_plan(adaptive, olga, "recommended", PRESETS["recommended"], 10, goal=Goal.BEST)
    ada = factory.judge(adaptive, "ada")
    judge_batch(ada)
    assert continuing.continue_campaign(adaptive).screens
    judge_batch(ada)
    judge_batch(ada)
    judge_batch(ada)
    continuing.continue_campaign(adaptive)
    adaptive.refresh_from_db()
    assert adaptive.later_screens == 0
    assert "a rule for stopping is met: After 10 judgments" in JournalEntry.objects.first().what
    assert Look.objects.filter(campaign=adaptive).count() == 2


def test_a_judge_hears_that_there_will_be_more(adaptive):
    ada = factory.judge(adaptive, "ada")
    judge_batch(ada)
    judge_batch(ada)
    assert claiming.claim_next(ada) is None
    assert claiming.may_get_more(ada)
