"""Studies by simulation: what their docstrings and docs/statistics.md quote from them holds in a small form."""

from collections.abc import Callable

import pytest

from ranking.numbers.tables import Table
from studies.__main__ import as_text
from studies.adaptive import bias
from studies.alarms import alarms_study
from studies.best import best
from studies.calibration import calibration
from studies.coverage import coverage
from studies.essays import EQUAL, essays
from studies.metrics import correlations, metrics
from studies.power import power
from studies.programs import programs
from studies.questions import FALSE, questions
from studies.sampling import sampling
from studies.seldom import seldom, sparse
from studies.verdicts import verdicts
from tests.shared_data import shared

pytestmark = pytest.mark.wide  # runs when statistics, predictions or studies changed

CAMPAIGNS, REPLICATES = 40, 200


def lines_of(study: Callable[[int, int], Table], keys: int, campaigns: int = CAMPAIGNS) -> dict[tuple, dict]:
    table = study(campaigns, REPLICATES)
    assert as_text(table).count("\n") == len(table.rows) + 1
    return {row[:keys]: line for row, line in zip(table.rows, table.dicts(), strict=True)}


@pytest.fixture(scope="module")
def covered() -> dict[tuple, dict]:
    """With TrueSkill on one campaign, of which nothing is quoted here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("studies.coverage.EVERY", CAMPAIGNS)
        return lines_of(coverage, 3)


@pytest.mark.parametrize("method", ["expected-wins", "bradley-terry"])
def test_drawing_sentences_covers_the_truth_for_these_judges(covered, method):
    assert 0.92 < covered["agree", method, "sentence"]["score, other judges"] < 0.98
    assert covered["have tastes", method, "sentence"]["score, these judges"] > 0.92
    assert covered["five with tastes", method, "sentence"]["score, other judges"] < 0.9


@pytest.mark.parametrize("method", ["expected-wins", "bradley-terry"])
@pytest.mark.parametrize("judges", ["agree", "have tastes", "five with tastes"])
def test_sentences_and_judges_cover_the_truth_for_other_judges(covered, judges, method):
    line = covered[judges, method, "sentence-and-judge"]
    assert line["score, other judges"] > 0.93
    assert line["rank range"] > 0.97
    assert line["all ranks at once"] > 0.94
    assert line["false boundaries"] <= 0.05


def test_a_correlation_is_that_of_another_campaign_and_below_the_true_one():
    line = lines_of(correlations, 2)[0.9, 0.4]
    assert line["r found"] < 0.87
    assert line["true r above it"] > 0.3
    assert line["holds r of another"] > 0.75


def test_ranks_hold_for_a_system_on_few_screens():
    found = lines_of(seldom, 4)
    for truly in ("best", "middle", "worst"):
        ranges = [found[screens, truly, "expected-wins", "moderated"]["rank range"] for screens in (3, 10, 30)]
        assert sum(ranges) / len(ranges) >= 0.93


def test_scores_hold_where_pairs_are_hardly_compared():
    found = lines_of(sparse, 2)
    assert found["expected-wins", "moderated"]["score"] >= 0.92
    assert found["expected-wins-published", "percentile"]["score"] < found["expected-wins", "moderated"]["score"]


def test_answers_to_the_four_questions_are_seldom_false_and_judges_who_agree_cost_little(monkeypatch):
    judged = [
        (systems, 8, tastes, 1, 5) for systems in ("groups", "all equal") for tastes in ("agree", "one direction")
    ]
    monkeypatch.setattr("studies.questions.CELLS", judged)
    found = lines_of(questions, 6)
    for cell in judged:
        for false in FALSE:
            assert found[*cell, "sentence-and-judge"][false] <= 0.13, (cell, false)  # 5% and two standard errors
    by_sentence, by_both = (found["groups", 8, "agree", 1, 5, unit] for unit in ("sentence", "sentence-and-judge"))
    assert by_both["not the best"] >= 0.8 * by_sentence["not the best"]
    assert by_both["pairs"] >= 0.6 * by_sentence["pairs"]


def test_chances_to_be_best_promise_no_more_than_comes_true():
    found = best(CAMPAIGNS, REPLICATES).dicts()
    promised = {
        way: sum(
            (line["mean said"] - line["came true"]) * line["systems"] for line in lines if line["said from"] >= 0.4
        )
        for way in ("as drawn", "ours")
        for lines in ([line for line in found if (line["chance"], line["true scores"]) == (way, "close")],)
    }
    assert promised["ours"] <= promised["as drawn"]


def test_posterior_draws_cover_the_truth(monkeypatch):
    monkeypatch.setattr("studies.worlds.FOR_TRUTH", 5_000)  # campaigns are a fifth as large as those of other studies
    for (judges, method), line in lines_of(calibration, 2, campaigns=24).items():
        assert line["score"] > 0.9, (judges, method)
        assert line["rank range"] > 0.92, (judges, method)
        if judges != "one on 10 sentences":
            assert abs(line["0.05-0.30 said"] - line["0.05-0.30 best"]) < 0.08


def test_intervals_of_whole_texts_cover_the_truth_and_equal_systems_stay_together():
    held: dict[str, list[float]] = {}
    for line in essays(CAMPAIGNS // 2, REPLICATES).dicts():
        held.setdefault(line["number"], []).append(line["hold the truth"])
    shares = {name: sum(found) / len(found) for name, found in held.items()}
    assert shares.keys() == {"mean-score", "weighted", EQUAL}
    assert min(shares.values()) > 0.9, shares


def test_what_programs_correct_covers_what_people_think():
    """All programs face the same people, so shares are means over them all."""
    lines = programs(5, REPLICATES).dicts()
    for number in {line["number"] for line in lines}:
        found = [line for line in lines if line["number"] == number]
        assert sum(line["corrected"] for line in found) / len(found) > 0.9, number
    useless = [
        line for line in lines if line["program"] in ("useless", "adversarial") and "sensitivity" not in line["number"]
    ]
    good = [line for line in lines if line["program"] == "good" and line["number"] == "mean-score"]
    assert all(line["corrected width"] < 1.06 * line["classical width"] for line in useless)
    assert all(line["corrected width"] < line["classical width"] for line in good)


def test_alarms_find_those_who_do_not_read_and_spare_careful_judges():
    found = lines_of(alarms_study, 2)
    assert found["careful", "any"]["within 300"] <= 0.01
    assert found["careful, 2.5 times as fast", "any"]["within 300"] == 0
    for manner in ("random, 0.7 seconds each", "straight line", "copies: all equal"):
        assert found[manner, "any"]["within 20"] == 1
    assert found["random, plausible times", "any"]["within 300"] == 1


def test_what_is_predicted_comes_true():
    for line in power(12, REPLICATES).dicts():
        assert abs(line["predicted"] - line["came"]) < 8, line
        assert line["in the band"] >= 0.5, line


def test_diverse_sentences_resolve_most_and_shift_scores_most():
    shared("data/gmeg-fce")
    found = {(line["sentences chosen"], line["weighted"]): line for line in sampling(50, 0).dicts()}
    diverse, distinct, by_chance = (found[way, "no"] for way in ("diverse", "distinct", "chance"))
    assert diverse["resolved"] > distinct["resolved"] > by_chance["resolved"]
    assert diverse["shift"] > distinct["shift"] > by_chance["shift"]
    assert found["distinct", "yes"]["shift"] < distinct["shift"]
    assert diverse["tau"] < by_chance["tau"]


def test_verdicts_on_few_usages_resolve_pairs_the_wrong_way():
    first, *_, last = verdicts(40, 200).dicts()
    assert first["width"] < last["width"]
    assert first["wrong"] > 4 * last["wrong"]
    assert first["best found"] < last["best found"]


def test_favouring_undecided_pairs_biases_no_more_than_drawing_evenly():
    table = bias(20, REPLICATES)
    found = {row[:2]: line for row, line in zip(table.rows, table.dicts(), strict=True)}
    for way in ("undecided", "first-ranks"):
        line, even = found[way, "design"], found["chance", "design"]
        assert line["bias"] - even["bias"] < 4 * line["standard error"]
        assert line["covered"] > 0.88


def test_metrics_agree_with_people_as_said():
    shared("data/gjg15")
    found = {line["metric"]: line["r"] for line in metrics(0, 0).dicts()}
    assert found["GREEN F2"] > found["CLEME2"] > found["GLEU"] > found["CLEME F0.5"] > found["M2 F0.5"] > 0.6
    assert found["GoToScorer F0.5"] < found["M2 F0.5"]
    assert max(found["BLEU"], found["chrF"], found["I-measure"]) < 0
