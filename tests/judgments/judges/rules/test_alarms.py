"""Alarms about judges: toys by hand, and casts of simulated judges whose manner is known."""

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.judges.rules.alarms import AlarmKind, Answered, Judge, alarms
from studies.alarms import CAREFUL, MANNERS, simulated

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
OTHERS = ("ben", "cy", "dee")


def screens(number: int, seconds: float = 10.0, words: int = 40) -> tuple[Answered, ...]:
    """Screens of one text that all judges rate differently: nothing but the time can raise an alarm."""
    return tuple(Answered((at,), (float(at),), words, seconds) for at in range(number))


def found(*judges: Judge) -> dict[str, set[AlarmKind]]:
    kinds: dict[str, set[AlarmKind]] = {judge.name: set() for judge in judges}
    for alarm in alarms(judges, NOON):
        kinds[alarm.judge].add(alarm.kind)
    return kinds


def the_alarm(*judges: Judge):
    (alarm,) = alarms(judges, NOON)
    return alarm


# Haste


def test_haste_is_a_sentence_with_its_figures():
    others = [Judge(name, screens(10)) for name in OTHERS]
    alarm = the_alarm(Judge("ada", screens(5) + screens(20, seconds=1.0)), *others)
    assert (alarm.judge, alarm.kind, alarm.first, alarm.last) == ("ada", AlarmKind.HASTE, 1, 11)
    assert alarm.sentence == (
        "ada reads 40 words per second in the median of 11 screens in a row; 4 words per second are usual."
    )
    assert alarm.evidence == pytest.approx({"screens": 11, "speed": 40, "usual": 4, "bound": 32})


def test_haste_is_eight_times_the_usual_speed_on_ten_screens():
    others = [Judge(name, screens(10)) for name in OTHERS]
    assert found(Judge("ada", screens(10, seconds=1.26)), *others)["ada"] == set()
    assert found(Judge("ada", screens(10, seconds=1.24)), *others)["ada"] == {AlarmKind.HASTE}
    assert found(Judge("ada", screens(9, seconds=1.24)), *others)["ada"] == set()
    # A judge alone is compared with usual reading, quick judges with each other; no time or words say nothing.
    assert found(Judge("ada", screens(10, seconds=1.24)))["ada"] == {AlarmKind.HASTE}
    assert found(Judge("ada", screens(10, seconds=3.0)))["ada"] == set()
    assert not any(found(*(Judge(name, screens(20, seconds=1.0)) for name in ("ada", *OTHERS))).values())
    untimed = tuple(replace(one, seconds=None) for one in screens(20)) + screens(20, seconds=0.1, words=0)
    assert found(Judge("ada", untimed))["ada"] == set()


@given(st.lists(st.floats(0.1, 100), max_size=40), st.lists(st.floats(1.26, 100), max_size=25))
@settings(max_examples=30, deadline=None)
def test_careful_screens_never_create_an_alarm_of_haste(before, careful):
    def judge(times: list[float]) -> Judge:
        return Judge("ada", tuple(replace(screens(1)[0], seconds=time) for time in times))

    others = [Judge(name, screens(10)) for name in OTHERS]
    hasty = {one.judge for one in alarms([judge(before), *others], NOON) if one.kind is AlarmKind.HASTE}
    later = {one.judge for one in alarms([judge(before + careful), *others], NOON) if one.kind is AlarmKind.HASTE}
    assert later == hasty


# Answers


def test_a_straight_line_is_known_by_its_orders_and_a_habit_of_place_is_none():
    line = tuple(Answered((3 * at, 3 * at + 1, 3 * at + 2), (70 + at, 60 + at, 50), 40) for at in range(20))
    alarm = the_alarm(Judge("ada", line))
    assert (alarm.kind, alarm.first) == (AlarmKind.STRAIGHT_LINE, 2)
    assert alarm.last <= 20
    number = alarm.last - 1
    assert alarm.sentence == f"ada gives the same order from top to bottom on {number} of {number} screens."
    orders = [(3, 2, 1), (3, 1, 2)] * 30
    habit = tuple(Answered((3 * at, 3 * at + 1, 3 * at + 2), order, 40) for at, order in enumerate(orders))
    (alarm,) = (one for one in alarms([Judge("ada", habit)], NOON) if one.kind is not AlarmKind.COPYING)
    assert alarm.kind is AlarmKind.POSITION
    assert alarm.evidence["same"] == alarm.evidence["screens"] / 2
    assert 0.8 < alarm.evidence["correlation"] < 0.9


def test_all_versions_equal_are_ties_without_anybody_to_compare_with_and_pairs_may_be_equal_more_often():
    pairs = [Answered((at, -at), (1.0, 1.0), 40) for at in range(1, 31)]
    alarm = the_alarm(Judge("ada", tuple(pairs)))
    assert alarm.sentence == f"ada finds all versions equally good on {alarm.last} of {alarm.last} screens."
    assert (alarm.kind, alarm.first, alarm.last > 20) == (AlarmKind.TIES, 1, True), "two versions may well be equal"
    of_five = [Answered((at, *range(1000, 1004)), (1.0,) * 5, 40) for at in range(40)]
    assert the_alarm(Judge("ada", tuple(of_five))).last < 15
    mixed = [replace(one, merits=(float(at), 1.0, 2.0, 3.0, 4.0)) if at % 2 else one for at, one in enumerate(of_five)]
    assert AlarmKind.TIES not in {one.kind for one in alarms([Judge("ada", tuple(mixed))], NOON)}


def test_what_came_before_is_compared_with_and_not_examined():
    of_five = tuple(Answered((at, *range(1000, 1004)), (1.0,) * 5, 40) for at in range(30))
    careful = tuple(Answered((at, *range(1000, 1004)), tuple(map(float, random.Random(at).sample(range(5), 5))), 40)
                    for at in range(30))  # fmt: skip
    judges = [Judge("ada", of_five + careful), Judge("ben", careful + of_five)]
    assert [(one.judge, one.kind) for one in alarms(judges, NOON, {"ada": 30, "ben": 30})] == [("ben", AlarmKind.TIES)]
    assert {one.judge for one in alarms(judges, NOON, {"ada": 0})} == {"ada"}


def rated(name: str, scores: list[int], **changes) -> Judge:
    return Judge(name, tuple(Answered((at,), (float(score),), 40, **changes) for at, score in enumerate(scores)))


def test_the_same_score_always_is_copying_unless_others_give_it_too():
    rng = random.Random(5)
    others = [rated(name, [rng.randint(0, 100) for _ in range(20)]) for name in OTHERS]
    alarm = the_alarm(rated("ada", [75] * 20), *others)
    assert alarm.kind is AlarmKind.COPYING
    number = alarm.last - alarm.first + 1
    assert (alarm.first, alarm.last <= 20) == (2, True)
    given_by_others = sum(one.answers[(75.0,)] for one in others)
    assert alarm.sentence == (
        f"ada gives the same answer on {number} of {number} screens; "
        f"the other judges give it on {given_by_others} of 60."
    )
    assert not any(found(*(rated(name, [75] * 20) for name in ("ada", *OTHERS))).values())


def test_careful_judges_may_be_severe_or_lenient():
    rng = random.Random(7)
    quality = [rng.gauss(70, 15) for _ in range(300)]

    def judge(name: str, shift: float) -> Judge:
        return rated(name, [min(100, max(0, round(one + rng.gauss(0, 8) + shift))) for one in quality])

    shifts = {"ada": -40, "ben": 0, "cy": 0, "dee": 0, "eve": 20}
    cast = [judge(name, shift) for name, shift in shifts.items()]
    assert sum(score == (100.0,) for score in cast[-1].answers.elements()) > 60
    assert not any(found(*cast).values())


def verdicts(name: str, share: float, truth: list[float], noise: random.Random) -> Judge:
    return rated(name, [int(one + noise.gauss(0, 0.1) < share) for one in truth])


def test_verdicts_may_be_severe_and_must_not_be_by_chance():
    rng = random.Random(11)
    truth = [rng.random() for _ in range(100)]
    careful = [verdicts(name, share, truth, rng) for name, share in zip(OTHERS, (0.5, 0.6, 0.7), strict=True)]
    severe = verdicts("eve", 0.35, truth, rng)
    by_chance = verdicts("ada", 0.6, [rng.random() for _ in truth], rng)
    assert found(by_chance, severe, *careful) == {"ada": {AlarmKind.AGREEMENT}, "eve": set()} | {
        n: set() for n in OTHERS
    }


def test_failed_controls_are_compared_with_those_of_others():
    others = [rated(name, list(range(20)), passed_control=True) for name in OTHERS]
    alarm = the_alarm(rated("ada", list(range(20)), passed_control=False), *others)
    assert alarm.kind is AlarmKind.CONTROLS
    assert alarm.sentence == (f"ada failed {alarm.last} of {alarm.last} controls; the other judges failed 0 of 60.")
    as_bad = [rated(name, list(range(20)), passed_control=False) for name in ("ada", *OTHERS)]
    assert not any(found(*as_bad).values())


def test_an_open_batch_is_idle_after_a_day_if_screens_wait():
    yesterday = NOON - timedelta(hours=24)
    alarm = the_alarm(Judge("ada", (), yesterday, 3))
    assert (alarm.kind, alarm.first, alarm.last) == (AlarmKind.IDLE, 0, 0)
    assert alarm.sentence == "ada has not touched an open batch for 24 hours; screens that wait in it: 3."
    assert found(Judge("ada", (), yesterday, 0), Judge("ben", (), NOON, 3), Judge("cy", ())) == {
        "ada": set(), "ben": set(), "cy": set()
    }  # fmt: skip


# Simulated judges


def test_slow_random_answers_are_found_by_their_agreement_and_careful_judges_raise_no_alarm():
    judges = simulated([MANNERS["random, plausible times"]] + [CAREFUL] * 7, 200, np.random.default_rng(3))
    assert [(alarm.judge, alarm.kind) for alarm in alarms(judges, NOON) if alarm.kind is not AlarmKind.CONTROLS] == [
        ("0", AlarmKind.AGREEMENT)
    ]
    cast = [MANNERS["careful, 2.5 times as fast"]] + [CAREFUL] * 7
    for seed, screens_each in enumerate((50, 300)):
        assert not any(found(*simulated(cast, screens_each, np.random.default_rng(seed))).values())
