"""Assigning without comparisons: everything once a round, controls mixed in, sentences in their order."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.assignment.rules.assigning import (
    COMPLETE,
    SAMPLED,
    PlanSettings,
    ScreenSubject,
    expected_assignments_without_comparisons,
    plan_subjects,
)


def settings(**changes) -> PlanSettings:
    chosen = {"design": COMPLETE, "screen_size": 5, "redundancy": 2, "batch_size": 10}
    return PlanSettings(**chosen | changes)


def subjects(plain: int, controls: int = 0) -> list[ScreenSubject]:
    return [ScreenSubject(n, "", n, is_control=n >= plain) for n in range(plain + controls)]


def planned(to_assign: list[ScreenSubject], chosen: PlanSettings, seed: int = 1):
    return list(plan_subjects(to_assign, chosen, random.Random(seed)))


def test_the_toy_has_as_many_assignments_as_expected():
    chosen = settings(redundancy=20, batch_size=20, control_share=0.1)
    assert expected_assignments_without_comparisons(subjects(90, 2), chosen) == 2000
    assert sum(len(batch.assignments) for batch in planned(subjects(90, 2), chosen)) == 2000


@pytest.mark.wide
@given(
    plain=st.integers(1, 60),
    controls=st.integers(0, 8),
    share=st.floats(0, 1),
    repeats=st.floats(0, 0.5),
    size=st.integers(1, 15),
    judges=st.integers(1, 4),
    seed=st.integers(0, 99),
)
def test_everybody_wanted_sees_everything_once_under_all_settings(plain, controls, share, repeats, size, judges, seed):
    chosen = settings(redundancy=judges, batch_size=size, control_share=share, repeat_share=repeats)
    seen: Counter[int] = Counter()
    for batch in planned(subjects(plain, controls), chosen, seed):
        assert len({screen.usage for screen in batch.screens}) == len(batch.screens)
        for number in range(judges):
            assignments = [assignment for assignment in batch.assignments if assignment.round == number]
            assert sorted(assignment.position for assignment in assignments) == list(range(len(assignments)))
            assert all(assignment.order == () for assignment in assignments)
            fresh = [assignment.screen for assignment in assignments if assignment.repeats is None]
            assert sorted(fresh) == list(range(len(batch.screens)))
            seen.update(batch.screens[screen].usage for screen in fresh)
    assert all(seen[number] == judges for number in range(plain))


def test_controls_come_in_every_batch_and_each_as_seldom_as_can_be():
    batches = planned(subjects(40, 4), settings(control_share=0.2))
    mixed_in = [[screen.usage for screen in batch.screens if screen.has_control] for batch in batches]
    assert all(len(controls) == 2 for controls in mixed_in)
    counted = Counter(control for controls in mixed_in for control in controls)
    assert max(counted.values()) - min(counted.values()) <= 1


def test_sentences_keep_their_order_and_usages_do_not():
    batches = planned(subjects(23), settings(in_order=True))
    assert [screen.segment for batch in batches for screen in batch.screens] == list(range(23))
    for batch in batches:
        for number in range(2):
            in_round = [assignment.screen for assignment in batch.assignments if assignment.round == number]
            assert in_round == list(range(len(batch.screens)))
    usages = [screen.segment for batch in planned(subjects(40), settings()) for screen in batch.screens]
    assert (usages != list(range(40)), sorted(usages)) == (True, list(range(40)))


def test_documents_fill_batches_and_a_longer_one_has_its_own():
    texts = [ScreenSubject(n, "", document=document) for n, document in enumerate([1, 1, 2, 2, 1, *[3] * 12, 4])]
    batches = planned(texts, settings(in_order=True, document_mode=True))
    assert [[screen.document for screen in batch.screens] for batch in batches] == [[1, 1, 1, 2, 2], [3] * 12, [4]]


def test_some_are_drawn_where_fewer_are_wanted():
    batches = planned(subjects(40), settings(design=SAMPLED, screens=7, in_order=True))
    drawn = [screen.segment for batch in batches for screen in batch.screens]
    assert len(drawn) == 7
    assert drawn == sorted(drawn)
    # Nothing gives nothing.
    assert planned([], settings()) == []
    assert planned(subjects(0, 3), settings(control_share=0.5)) == []
