"""Sections of a report on programs, their files, and the toys of agreement, habits and assistance."""

from dataclasses import replace

import numpy as np
import pytest

from ranking.numbers.intervals import Interval
from ranking.numbers.tables import Gap
from ranking.stats.analysis import analyse
from ranking.stats.ballots import Ballots, together
from ranking.stats.choices import ParametersError
from ranking.stats.programs import SECTIONS
from ranking.stats.programs.agreement import agreement, share
from ranking.stats.programs.habits import assistance, consistency, earlier_wins, longer_wins, ties
from ranking.stats.programs.study import NO_EXPERIMENT, REVERSED, Experiment, Probes, ProgramParameters, orders
from tests.ranking.stats.ballots import Ballot, Group, columns
from tests.ranking.stats.programs.cast import ASKED, PROGRAM, asked_again, rankings, ratings, study, verdicts


def lines(of, section: str, table: str) -> list[dict]:
    found = {part.name: part for part in SECTIONS[section](of)}
    return found[table].dicts()


def two(judge: int, segment: int, first: float, second: float, is_swapped: bool = False) -> Ballot:
    """A's version has the first merit; it is shown first unless the order is swapped."""
    groups = Group((0,), first), Group((1,), second)
    return Ballot(judge, segment, groups[::-1] if is_swapped else groups)


def test_the_toy_of_agreement_and_a_program_that_answered_nothing_that_people_did():
    ballots = columns([two(0, 0, 2, 1), two(1, 0, 2, 1), two(2, 0, 1, 2), two(3, 0, 1, 2)], 2, 4)
    people, program = (orders(ballots.choose(which)) for which in (ballots.judge < 3, ballots.judge == 3))
    every, heron, wren = agreement(people, program, ballots.candidates, 2)
    with_people, of_people, _ = every
    assert (with_people.value, with_people.answers) == (pytest.approx(1 / 3), 3)
    assert (of_people.value, of_people.answers) == (pytest.approx(1 / 3), 3)
    assert (heron[-1].value, wren[-1].value) == (pytest.approx(-2 / 3), pytest.approx(2 / 3))
    ballots = columns([two(0, 0, 2, 1), two(1, 1, 2, 1)], 2, 2)
    people, program = (orders(ballots.choose(ballots.judge == judge)) for judge in range(2))
    (with_people, *_), *_ = agreement(people, program, ballots.candidates, 2)
    assert with_people.cells(0.95) == (None, None, None)


def test_the_toys_of_shares_and_habits():
    ten, three = np.arange(10), np.arange(3)
    found = share(ten, np.repeat([1.0, 0.0], [8, 2]), np.ones(10), 10)
    assert found.value == 0.8
    assert found.cells(0.95)[1:] == pytest.approx((0.8 - 2.262 * 0.2, 1), abs=0.001)
    assert share(ten, np.ones(10), np.ones(10), 10).cells(0.95)[1] < 0.7, "ten of ten is not certainty"
    assert share(three, np.ones(3), np.ones(3), 3).cells(0.95) == (1, None, None), "three sentences have no interval"
    assert share(three, np.zeros(3), np.zeros(3), 3, Interval(-1, 1)).cells(0.95) == (None, None, None)
    ballots = columns([two(0, place, 2, 1, is_swapped=place == 0) for place in range(10)], 2, 1)
    assert earlier_wins(ballots).value == 0.9
    lengths = np.where(ballots.candidates.members == 0, 30, 20)
    assert longer_wins(ballots, lengths).value == 1
    assert longer_wins(ballots, np.zeros(len(lengths))).answers == 0
    assert ties(columns([two(0, 0, 2, 2), two(0, 1, 2, 1), two(0, 2, 1, 1), two(0, 3, 3, 3)], 2, 1)).value == 0.75
    ballots = columns([two(0, 0, 2, 1), two(0, 1, 2, 1), two(0, 0, 1, 2), two(0, 1, 3, 1), two(0, 2, 3, 1)], 2, 1)
    first, again = (orders(ballots.choose(np.array(which))) for which in ([0, 1], [2, 3, 4]))
    found = consistency(first, again)
    assert (found.value, found.answers, found.counts.tolist()) == (0.5, 2, [True, True, False])


def test_the_alternative_annotator_test_averages_over_people():
    (found,), people = (part.dicts() for part in SECTIONS["alternative annotator test"](study(ratings())))
    assert [one["judge"] for one in people] == ["ada", "ben", "cyd"]
    assert (found["judges"], found["won"]) == (3, sum(one["won"] for one in people))
    assert found["winning_rate"] == pytest.approx(found["won"] / 3)
    assert found["average_advantage"] == pytest.approx(np.mean([one["program_advantage"] for one in people]))
    assert found["passes"] is None, "twelve sentences are fewer than the paper asks for"


def test_who_judged_what():
    people, ada, *_, robot = lines(rankings(), "who judged what", "who_judged")
    assert (people["judgments"], people["sentences"], people["shared"]) == (54, 30, 30)
    assert (ada["is_program"], ada["judgments"], ada["controls"]) == (False, 18, None)
    assert (robot["controls"], robot["controls_passed"]) == (5, 4)
    assert (robot["judgments"], robot["sentences"], robot["shared"]) == (60, 60, 30)
    (asked,) = lines(rankings(), "who judged what", "program_models")
    assert (asked["program"], *list(asked.values())[1:]) == ("robot", *ASKED[1:])


def test_what_probes_bring():
    steady = {line["habit"]: line for line in lines(rankings(), "habits", "program_habits")}
    assert steady["earlier wins, both orders"]["value"] == 0.5, "the same version wins in both orders"
    assert steady["same in the opposite order"]["value"] == steady["same in another sample"]["value"] == 1
    assert steady["one version twice ties"]["value"] == 1
    assert steady["one version twice ties"]["people"] is None, "people get no probes"
    ballots = ratings()
    first = replace(ballots, merit=-shown_at(ballots))
    again = asked_again(ballots)
    probes = again._replace(ballots=replace(again.ballots, merit=-shown_at(again.ballots)))
    swayed = {line["habit"]: line for line in lines(study(first, probes=probes), "habits", "program_habits")}
    assert swayed["earlier wins, both orders"]["value"] == 1
    assert swayed["same in the opposite order"]["value"] == swayed["one version twice ties"]["value"] == 0
    assert swayed["same in another sample"]["value"] == 1


def test_a_probe_is_compared_with_the_same_screen_and_no_other_of_its_sentence():
    ballots = columns([two(0, 0, 2, 1), two(0, 0, 1, 2), two(0, 0, 1, 2, is_swapped=True)], 2, 1)
    probes = Probes(ballots.choose(np.array([2])), np.array([0]), np.array([1]))
    first, again = probes.beside_first(0, REVERSED, ballots)
    found = consistency(orders(first), orders(again))
    assert (found.value, found.answers) == (1, 1)
    assert earlier_wins(together(first, again)).value == 0.5


def shown_at(ballots: Ballots) -> np.ndarray:
    return np.arange(float(len(ballots.candidate))) - ballots.starts[ballots.ballot_of]


def test_a_program_that_favours_a_system_shows():
    ballots = ratings()
    owl = ballots.candidates.members[ballots.candidate] == 2
    favoured = replace(ballots, merit=np.where(owl & (ballots.judge[ballots.ballot_of] == PROGRAM), 99, ballots.merit))
    fair, biased = ({line["system"]: line for line in lines(study(one), "agreement with people", "program_agreement")}
                    for one in (ballots, favoured))  # fmt: skip
    assert fair["Owl"]["favour_low"] < 0 < fair["Owl"]["favour_high"]
    assert biased["Owl"]["favour_low"] > 0.2
    assert biased["all systems"]["with_people"] < biased["all systems"]["among_people"]


def test_corrected_numbers_stand_beside_the_classical_ones_and_verdicts_are_corrected_in_both_ways():
    given = study(ratings())
    found = lines(given, "corrected numbers", "program_estimates")
    assert [(line["measure"], line["system"]) for line in found[::3]] == [
        ("mean-score", "Heron"), ("expected-wins", "Heron"),
    ]  # fmt: skip
    for line in found:
        assert line["corrected_low"] < line["corrected"] < line["corrected_high"]
    heron = lines(given, "corrected ranking", "program_ranking")[0]
    assert (heron["system"], heron["corrected_rank"], heron["classical_rank"]) == ("Heron", 1, 1)
    assert len(lines(given, "corrected ranking", "program_pairs")) == 3
    given = verdicts()
    usages = {line["system"]: line for line in lines(given, "corrected numbers", "program_estimates")}
    converted = {line["system"]: line for line in lines(given, "verdicts by sensitivity", "program_verdicts")}
    for system, share_of_errors in (("all usages", 0.35), ("Heron", 0.5)):
        assert usages[system]["corrected_low"] < share_of_errors < usages[system]["corrected_high"]
        assert converted[system]["share_low"] < share_of_errors < converted[system]["share_high"]
    assert not list(SECTIONS["corrected ranking"](given)), "usages are not compared"


@pytest.mark.parametrize("missing", ["programs", "people"])
def test_without_one_side_gaps_say_so(missing):
    ballots = ratings()
    is_program = ballots.judge == PROGRAM
    given = study(ballots.choose(~is_program if missing == "programs" else is_program))
    found = analyse(given, SECTIONS)
    assert {"counts", "who_judged"} <= found.tables.keys()
    assert f"No {'program' if missing == 'programs' else 'person'} has judged" in found.gaps["corrected numbers"]


def test_few_sentences_are_a_gap_and_a_report_reads_both_people_and_programs():
    found = list(SECTIONS["alternative annotator test"](study(ratings().choose(np.array([0, 1, 2, 56])))))
    assert isinstance(found[0], Gap)
    with pytest.raises(ParametersError, match="leave judged_by as everybody"):
        ProgramParameters(judged_by="people")


STUDY = rankings()


def effects(given: Experiment) -> dict:
    return {row["measure"]: row for part in assistance(replace(STUDY, experiment=given)) for row in part.dicts()}


def test_by_hand_and_without_an_experiment_or_times():
    sentence = np.arange(4)
    seconds, same = np.array([60, 40, 80, 50.0]), np.array([5, 4, 4, 3.0])
    given = Experiment(sentence, sentence < 2, seconds, np.full(4, 5), same)
    found = effects(given)
    assert found["seconds"]["shown"] == pytest.approx(48.99, abs=0.01)
    assert found["seconds"]["effect"] == pytest.approx(0.7746, abs=1e-4)
    assert found["agreement"]["effect"] == pytest.approx(0.2)
    assert (found["agreement"]["judgments_shown"], found["agreement"]["judgments_hidden"]) == (2, 2)
    assert effects(NO_EXPERIMENT) == {}
    one = np.zeros(1, dtype=np.int64)
    assert effects(Experiment(one, one > 0, np.array([np.nan]), one, one.astype(float))) == {}


def test_intervals_hold_what_showing_it_caused():
    """Of 200 experiments in which it saves a fifth of the time and draws people by .1."""
    rng, held = np.random.default_rng(3), np.zeros(2)
    for _ in range(200):
        is_shown = rng.random(120) < 0.5
        sentence = np.arange(120)
        hard = rng.normal(size=120)
        seconds = 40 * np.exp(0.3 * hard + 0.4 * rng.normal(size=120)) * np.where(is_shown, 0.8, 1)
        same = rng.binomial(3, np.clip(0.6 + 0.1 * is_shown + 0.1 * hard, 0, 1)).astype(float)
        found = effects(Experiment(sentence, is_shown, seconds, np.full(120, 3), same))
        held += [
            found[measure]["effect_low"] < truth < found[measure]["effect_high"]
            for measure, truth in (("seconds", 0.8), ("agreement", 0.1))
        ]
    assert (held >= 180).all(), "95 % of 200, less three standard deviations"
