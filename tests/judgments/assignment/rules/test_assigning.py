"""Assigning: toys counted by hand, and invariants for any material and seed."""

import random
from collections import Counter
from dataclasses import replace
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.assignment.rules.assigning import (
    COMPLETE,
    SAMPLED,
    Choice,
    PlannedScreen,
    PlanSettings,
    choose_screens,
    plan_batches,
)
from judgments.assignment.rules.sampling import CHANCE, DIVERSE
from judgments.models import Campaign


def settings(**changes) -> PlanSettings:
    plain = {"design": COMPLETE, "screen_size": 5, "redundancy": 1, "batch_size": 20}
    return PlanSettings(**(plain | changes))


def choice(segment: int, outputs: int, domain: str = "", **more) -> Choice:
    return Choice(segment, domain, tuple(range(outputs)), (1,) * outputs, **more)


def dealt(choices, rules: PlanSettings, seed: int = 1):
    rng = random.Random(seed)
    screens = choose_screens(choices, rules, rng)
    return screens, list(plan_batches(screens, rules, rng))


choices_of_a_campaign = st.lists(st.integers(1, 12), min_size=1, max_size=30).map(
    lambda sizes: [
        choice(number, size, f"domain {number % 5 % 3}", document=number % 5) for number, size in enumerate(sizes)
    ]
)
by_sentence = st.builds(
    settings,
    design=st.sampled_from([SAMPLED, COMPLETE]),
    screen_size=st.integers(2, 7),
    screens=st.integers(0, 60),
    redundancy=st.integers(1, 4),
    batch_size=st.integers(2, 25),
    repeat_share=st.floats(0, 0.5),
    one_domain_a_day=st.booleans(),
    automatic_ties=st.booleans(),
    allows_single=st.booleans(),
    sampling=st.sampled_from(Campaign.Sampling.values),
)
by_document = by_sentence.map(lambda rules: replace(rules, design=COMPLETE, document_mode=True))
any_settings = by_sentence | by_document


def test_a_complete_plan_shows_every_candidate_of_a_large_sentence_once_on_screens_of_equal_size():
    screens, _ = dealt([choice(7, 11)], settings())
    assert sorted(len(screen.candidates) for screen in screens) == [3, 4, 4]
    assert {screen.weight for screen in screens} == {None}
    assert sorted(candidate for screen in screens for candidate in screen.candidates) == list(range(11))
    # A lone candidate is ranked against another but rated alone.
    pairs, _ = dealt([choice(0, 3)], settings(screen_size=2))
    assert [len(screen.candidates) for screen in pairs] == [2, 2]
    alone, _ = dealt([choice(0, 3)], settings(screen_size=2, allows_single=True))
    assert sorted(len(screen.candidates) for screen in alone) == [1, 2]


def test_a_sentence_with_one_distinct_output_is_not_shown_or_an_automatic_tie_if_chosen():
    for chosen, automatic in (({}, []), ({"automatic_ties": True}, [(0, True)])):
        screens, batches = dealt([choice(0, 1), choice(1, 2)], settings(**chosen))
        assert [(screen.segment, screen.automatic) for screen in screens] == [(1, False), *automatic]
        assert [[screen.segment for screen in batch.screens] for batch in batches] == [[1]]


def test_a_sampled_screen_knows_what_its_judgments_count():
    """By hand: of three systems, two equal outputs have a chance of 1 / (2.5 * 1.5 / 2), three different ones 1."""
    chances = (1 / (2.5 * 1.5 / 2), 1)
    material = [Choice(0, "", (0, 1), (2, 1)), choice(1, 3), Choice(2, "", (0,), (3,))]
    screens, batches = dealt(material, settings(design=SAMPLED, screen_size=2, screens=40))
    assert {screen.segment: screen.weight for screen in screens} == {
        segment: pytest.approx(sum(chances) / 2 / chances[segment]) for segment in range(2)
    }
    assert {screen.weight for batch in batches for screen in batch.screens} == {screen.weight for screen in screens}


def test_the_most_diverse_sentences_come_first_and_shown_ones_last():
    material = [choice(at, 3, diversity=diversity) for at, diversity in enumerate((0.2, 0.9, 0.4))]
    material.append(Choice(3, "", (0,), (3,)))
    rules = settings(design=SAMPLED, sampling=DIVERSE, screens=4)
    screens, _ = dealt(material, rules)
    assert [(screen.segment, screen.weight) for screen in screens] == [(1, None), (2, None), (0, None), (1, None)]
    again, _ = dealt([one._replace(shown=one.segment == 1) for one in material], rules)
    assert [screen.segment for screen in again] == [2, 0, 1, 2]


def test_by_chance_all_sentences_and_outputs_come_alike_and_weigh_the_same():
    material = [choice(0, 2), choice(1, 5), choice(2, 1)]
    screens, _ = dealt(material, settings(design=SAMPLED, sampling=CHANCE, screens=6))
    assert Counter(screen.segment for screen in screens) == {0: 3, 1: 3}
    assert {screen.weight for screen in screens} == {1.0}
    screens, _ = dealt([choice(0, 10)], settings(design=SAMPLED, screens=4000))
    shown = Counter(candidate for screen in screens for candidate in screen.candidates)
    assert all(abs(shown[candidate] - 2000) < 250 for candidate in range(10))


def test_a_sampled_plan_counts_only_screens_that_are_shown():
    unanimous = Choice(0, "", (0,), (6,))
    screens, _ = dealt([unanimous, choice(1, 6)], settings(design=SAMPLED, screens=40, automatic_ties=True))
    assert sum(not screen.automatic for screen in screens) == 40
    # The chances are 5 x 4 / (6 x 5) and 1.
    weights = {screen.automatic: screen.weight for screen in screens}
    assert weights == {True: pytest.approx(5 / 4), False: pytest.approx(5 / 6)}


def test_nothing_is_assigned_where_nothing_can_be_compared_and_one_screen_makes_one_batch():
    unanimous = Choice(0, "", (0,), (6,))
    assert dealt([unanimous], settings(design=SAMPLED, screens=5, automatic_ties=True)) == ([], [])
    (batch,) = plan_batches([PlannedScreen(0, "", (0, 1))], settings(repeat_share=0.5), random.Random(1))
    assert [assignment.repeats for assignment in batch.assignments] == [None]


def test_control_and_source_share_a_screen_on_the_chosen_share_of_sentences():
    choices = [choice(n, 7, source=0, control=99) for n in range(40)]
    for design in (SAMPLED, COMPLETE):
        screens, _ = dealt(choices, settings(design=design, screens=40, control_share=0.25))
        controlled = [screen for screen in screens if screen.has_control]
        assert len(controlled) == 10
        assert all({0, 99} <= set(screen.candidates) and len(screen.candidates) <= 5 for screen in controlled)
    screens, _ = dealt([choice(0, 3, source=0, control=0)], settings(control_share=1.0))
    assert not screens[0].has_control


@pytest.mark.parametrize("systems", [2, 3, 4, 7])
def test_a_sampled_screen_with_a_control_has_as_many_candidates_as_without(systems):
    """Two systems and a control of four versions: nobody would need to read them."""
    choices = [choice(n, systems, source=0, control=99) for n in range(20)]
    sampled = settings(design=SAMPLED, screens=40)
    plain, _ = dealt(choices, sampled)
    screens, _ = dealt(choices, replace(sampled, control_share=0.5))
    assert sum(screen.has_control for screen in screens) == 20
    assert [len(screen.candidates) for screen in screens] == [len(screen.candidates) for screen in plain]


def test_a_batch_keeps_to_one_domain_if_chosen_and_a_full_one_has_its_size_and_share_of_repeats():
    choices = [choice(n, 3, f"domain {n % 3}") for n in range(60)]
    _, batches = dealt(choices, settings(one_domain_a_day=True, batch_size=7))
    assert all({screen.domain for screen in batch.screens} == {batch.domain} for batch in batches)
    _, batches = dealt([choice(n, 3) for n in range(90)], settings(repeat_share=0.1))
    assert [len(batch.assignments) for batch in batches] == [20] * 5
    assert all(sum(assignment.repeats is not None for assignment in batch.assignments) == 2 for batch in batches)


@pytest.mark.wide
@given(choices_of_a_campaign, any_settings, st.integers())
def test_every_screen_shows_distinct_candidates_of_its_segment_and_not_too_many(choices, rules, seed):
    screens, batches = dealt(choices, rules, seed)
    for screen in screens:
        assert set(screen.candidates) <= set(choices[screen.segment].candidates)
        assert 1 <= len(set(screen.candidates)) == len(screen.candidates) <= rules.screen_size
    for batch in batches:
        for assignment in batch.assignments:  # all of them, in some order
            assert sorted(assignment.order) == list(range(len(batch.screens[assignment.screen].candidates)))
    assert dealt(choices, rules, seed) == (screens, batches), "the same seed assigns the same"


@given(choices_of_a_campaign, any_settings, st.integers())
def test_a_complete_plan_shows_every_candidate(choices, rules, seed):
    if rules.design == COMPLETE:
        screens, _ = dealt(choices, rules, seed)
        shown = {(screen.segment, candidate) for screen in screens for candidate in screen.candidates}
        least = 1 if rules.allows_single or rules.automatic_ties else 2
        assert shown == {(c.segment, of) for c in choices if len(c.candidates) >= least for of in c.candidates}


@given(choices_of_a_campaign, any_settings, st.integers())
def test_every_shown_screen_is_assigned_once_in_every_round(choices, rules, seed):
    screens, batches = dealt(choices, rules, seed)
    assigned = [screen for batch in batches for screen in batch.screens]
    assert Counter(assigned) == Counter(screen for screen in screens if not screen.automatic)
    for batch in batches:
        fresh = Counter((one.screen, one.round) for one in batch.assignments if one.repeats is None)
        assert fresh == {(s, r): 1 for s in range(len(batch.screens)) for r in range(rules.redundancy)}


@given(choices_of_a_campaign, any_settings, st.integers())
def test_a_repeat_follows_its_original_by_half_a_round(choices, rules, seed):
    for batch in dealt(choices, rules, seed)[1]:
        for number in range(rules.redundancy):
            assignments = [assignment for assignment in batch.assignments if assignment.round == number]
            assert [assignment.position for assignment in assignments] == list(range(len(assignments)))
            for assignment in assignments:
                if assignment.repeats is not None:
                    assert assignments[assignment.repeats].screen == assignment.screen
                    assert assignment.position - assignment.repeats >= len(assignments) // 2
            assert len(assignments) <= rules.batch_size or rules.document_mode


@pytest.mark.wide
@given(choices_of_a_campaign, by_document, st.booleans(), st.integers())
def test_documents_stay_whole_and_in_order_and_repeats_come_last(choices, rules, in_order, seed):
    screens, batches = dealt(choices, replace(rules, in_order=in_order), seed)
    shown = [screen for screen in screens if not screen.automatic]
    texts = {one.document: [screen for screen in shown if screen.document == one.document] for one in choices}
    for batch in batches:
        for number in range(rules.redundancy):
            assignments = [assignment for assignment in batch.assignments if assignment.round == number]
            repeated = [assignment.repeats is not None for assignment in assignments]
            assert repeated == sorted(repeated)
            fresh = [batch.screens[assignment.screen] for assignment in assignments if assignment.repeats is None]
            documents = [list(run) for _, run in groupby(fresh, key=lambda screen: screen.document)]
            assert all(run == texts[run[0].document] for run in documents)
            assert len(documents) == 1 or len(assignments) <= rules.batch_size
