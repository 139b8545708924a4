"""Metrics against people on the published essays: every number of other programs, and toys."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.stats import pearsonr

from ranking.metrics.catalogue import METRICS, metrics_of
from ranking.metrics.material import Material
from ranking.metrics.scoring import Scored, score
from ranking.numbers.tables import Gap, Table
from ranking.scores.files import GivenFile
from ranking.scores.metric_files import read_metric_scores
from ranking.scores.people import read_human
from ranking.stats.metaevaluation.correlations import (
    Coefficient,
    correlation,
    pairwise_accuracy,
    permutation_p,
    soft_pairwise_accuracy,
)
from ranking.stats.metaevaluation.evaluation import (
    LEVEL_OF_HYBRIDS,
    PRESETS,
    Sides,
    rows_against_people,
    tables_against_people,
)
from ranking.stats.metaevaluation.metric_tests import williams_test, williams_tests
from ranking.stats.metaevaluation.scores import MetricScores, ScoreLevel, pairs_of_scores
from ranking.stats.metaevaluation.sentences import Variant, agreement, calibrate, count_kinds
from tests.ranking.metrics.published import GMEG_SYSTEMS, gmeg_gold, gmeg_texts, golden, lines
from tests.ranking.metrics.toy import Toy
from tests.shared_data import shared

SIX = GMEG_SYSTEMS[:6]
# By the name that a metric gives its score, and by that of the other program's figures.
QUICK = {"M2 F0.5": "M2_0.5", "M2 (beta=0.2) F0.2": "M2_0.2", "BLEU": "BLEU", "chrF++": "chrF++"}
SLOW = {"GLEU": "GLEU", "charGLEU": "chargleu5_space"}
SEEDS = 20


@cache
def scored(part: str, names: str) -> tuple[Scored, ...]:
    """The six systems and both bounds by some metrics."""
    material = gmeg_texts(part).with_edits_of(gmeg_gold(part))
    outputs = [lines(f"data/gmeg-fce/{part}/{name}") for name in GMEG_SYSTEMS]
    return tuple(score(metric, material, GMEG_SYSTEMS, outputs) for metric in metrics_of(names).values())


def human_file(part: str) -> GivenFile:
    return GivenFile("segment-scores.csv", shared(f"data/gmeg-fce/{part}/segment-scores.csv").read_bytes())


@cache
def sides(part: str, names: str = "m2,m2:beta=0.2,bleu,chrf++") -> Sides:
    return Sides(*read_human(human_file(part), GMEG_SYSTEMS, 968, ["source+error"]), scored(part, names))


def with_gleu() -> Sides:
    return sides("test", "gleu,chargleu,m2,chrf++")


def chosen_by(of: Sides, **choices) -> Sides:
    return replace(of, choices=replace(of.choices, **choices))


def values(of: Sides) -> dict[tuple, float]:
    return {row[:3]: row[3] for row in rows_against_people(of)}


@pytest.mark.wide
def test_people_are_the_mean_of_the_sentences_that_they_scored():
    expected = [golden()["gmeg"][f"test.fce.{name}"]["human"] for name in SIX]
    assert sides("test").names == SIX
    assert sides("test").people.scores == pytest.approx(expected, abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("part", ["dev", "test"])
def test_correlations_over_six_systems_are_those_of_another_program(part):
    found, expected = values(sides(part)), golden()["correlations"][f"{part}.fce"]
    for name, key in QUICK.items():
        assert found[name, "system", "pearson"] == pytest.approx(expected[key]["six_systems"]["r"], abs=1e-6)
        assert found[name, "system", "spearman"] == pytest.approx(expected[key]["six_systems"]["rho"], abs=1e-6)


@pytest.mark.long
def test_those_of_metrics_with_drawn_references_are_too():
    """The other program correlated charGLEU from other draws than those that it lists, so it is set against these."""
    found, expected = values(with_gleu()), golden()["correlations"]["test.fce"]
    assert found["GLEU", "system", "pearson"] == pytest.approx(expected["GLEU"]["six_systems"]["r"], abs=1e-6)
    listed = [golden()["gmeg"][f"test.fce.{name}"] for name in SIX]
    r = pearsonr([one["human"] for one in listed], [one["chargleu"]["chargleu5_space"] for one in listed])[0]
    assert found["charGLEU", "system", "pearson"] == pytest.approx(r, abs=1e-6)
    assert r == pytest.approx(expected["chargleu5_space"]["six_systems"]["r"], abs=0.0015)
    for name, key in SLOW.items():
        assert found[name, "system", "spearman"] == pytest.approx(expected[key]["six_systems"]["rho"], abs=1e-6)


@pytest.mark.long
@pytest.mark.parametrize(
    ("names", "macro", "key"),
    [("i-measure", False, "I-measure"), ("errant", True, "ERRANT_0.5_macro24"),
     ("errant", False, "ERRANT_0.5_micro"), ("errant:beta=0.2", True, "ERRANT_0.2_macro24")],
)  # fmt: skip
def test_those_of_metrics_that_need_more_are_too(names, macro, key):
    """Where the metric is there."""
    if names.partition(":")[0] not in METRICS:
        pytest.skip(f"no {names} in the catalogue")
    if names.startswith("errant"):
        pytest.importorskip("spacy")
    found = {row[2]: row[3] for row in rows_against_people(chosen_by(sides("test", names), macro=macro))}
    expected = golden()["correlations"]["test.fce"][key]["six_systems"]
    assert (found["pearson"], found["spearman"]) == pytest.approx((expected["r"], expected["rho"]), abs=1e-6)


@cache
def seven() -> tuple[np.ndarray, dict[str, Scored]]:
    """People's scores of the six systems and the source, as the other program took them, and metrics of all."""
    names = ["amu", "marian", "nus", "lstm", "lstm-r", "ref", "source", "transformer"]
    file = human_file("test")
    (found,) = read_metric_scores(file.name, file.content, names)
    chosen = [names.index(name) for name in GMEG_SYSTEMS[:7]]
    return found.scores[:, chosen], {one.main_scores[0]: one for one in with_gleu().scored}


SEGMENTS = {"GLEU": "GLEU_mean_refs", "chrF++": "chrF++", "M2 F0.5": "M2_F0.5"}


@pytest.mark.long
@pytest.mark.parametrize("name", SEGMENTS)
def test_sentences_say_what_another_program_says(name):
    """GLEU scores one pair of 20,223 apart by rounding alone; they count it as a tie once."""
    human, metrics = seven()
    expected = golden()["segment_meta_evaluation"][f"test.fce.{SEGMENTS[name]}"]
    pairs = pairs_of_scores(human, metrics[name].sentences[name][:, :7])
    by_kind = ("con", "dis", "tie_human", "tie_metric", "tie_both")
    kinds = dict(zip(by_kind, count_kinds(pairs).sum(axis=0), strict=True))
    assert {kind: abs(int(number) - expected["pairs"][kind]) for kind, number in kinds.items()} == {
        "con": name == "GLEU", "dis": 0, "tie_human": 0, "tie_metric": name == "GLEU", "tie_both": 0,
    }  # fmt: skip
    epsilon, accuracy, uncalibrated = calibrate(pairs)
    assert uncalibrated == pytest.approx(expected["acc_eq_eps0"], abs=1e-12)
    assert epsilon == expected["epsilon"]
    assert accuracy == pytest.approx(expected["acc_eq_calibrated"], abs=1e-12)
    tau = agreement(pairs, Variant.TAU_B)
    assert tau == pytest.approx(expected["tau_b_item_mean"], abs=1e-12)


@pytest.mark.wide
@pytest.mark.parametrize("name", SEGMENTS)
def test_soft_pairwise_accuracy_is_theirs_but_for_the_coins(name):
    """1,000 permutations leave a p of each pair by .016, and 21 pairs share their coins."""
    human, metrics = seven()
    expected = golden()["segment_meta_evaluation"][f"test.fce.{SEGMENTS[name]}"]
    complete, own = np.isfinite(human).all(axis=1), metrics[name].sentences[name][:, :7]
    found = [
        soft_pairwise_accuracy(
            permutation_p(human[complete], 1000, seed), permutation_p(own[complete], 1000, seed + 100)
        )
        for seed in range(10)
    ]  # fmt: skip
    assert np.std(found) < 0.006
    assert np.mean(found) == pytest.approx(expected["SPA"], abs=0.012)
    means = pairwise_accuracy(human[complete].mean(axis=0), own[complete].mean(axis=0))
    assert means == pytest.approx(expected["system_pairwise_acc"])


@pytest.mark.long
@pytest.mark.parametrize("part", ["dev", "test"])
def test_with_mixtures_another_programs_draw_is_one_of_ours(part):
    """Its one draw of 675 lies within four standard deviations of 20 of ours: .002 for BLEU, up to .007 for rho."""
    drawn: dict[tuple[str, str], list[float]] = {}
    for seed in range(SEEDS):
        human, metrics, _ = chosen_by(sides(part), seed=seed).with_mixtures()
        assert len(human) == 681
        for metric in metrics:
            for key, by in (("r", Coefficient.PEARSON), ("rho", Coefficient.SPEARMAN)):
                drawn.setdefault((metric.name, key), []).append(correlation(human, metric.scores, by))
    for (name, key), found in drawn.items():
        expected = golden()["correlations"][f"{part}.fce"][QUICK[name]]["with_675_hybrids"][key]
        assert np.std(found) < 0.009
        assert abs(expected - np.mean(found)) < 4 * np.std(found, ddof=1)


def test_williams_test_is_that_of_another_program():
    for expected in golden()["williams_one_sided"].values():
        t, p_value = williams_test(expected["r12"], expected["r13"], expected["r23"], expected["n"])
        assert t == pytest.approx(expected["t"], rel=1e-9)
        assert p_value == pytest.approx(expected["p"], rel=1e-6)


@pytest.mark.wide
def test_on_mixtures_it_says_what_another_program_says_of_its_own():
    """Nearly: t depends on the draw."""
    human, metrics, _ = with_gleu().with_mixtures()
    tests = {(metrics[one].name, metrics[other].name): found for one, other, *found in
             williams_tests(human, np.array([metric.scores for metric in metrics]))}  # fmt: skip
    for ours, theirs in {
        ("charGLEU", "GLEU"): "chargleu5_space>GLEU",
        ("M2 F0.5", "GLEU"): "M2_0.5>GLEU",
        ("charGLEU", "chrF++"): "chargleu5_space>chrF++",
        ("M2 F0.5", "chrF++"): "M2_0.5>chrF++",
        ("charGLEU", "M2 F0.5"): "chargleu5_space>M2_0.5",
    }.items():
        expected = golden()["williams_one_sided"][f"fce|{theirs}"]
        t, p_value = tests[ours]
        assert t == pytest.approx(expected["t"], rel=0.15)
        assert p_value < 1e-6


@pytest.mark.long
def test_the_preset_has_the_rows_of_table_8_and_the_tests_of_figure_3():
    chosen = PRESETS["napoles2019"]
    assert chosen.bounds == {"source+error"}
    assert [name for name in chosen.metrics if name.partition(":")[0] in ("chrf++", "gleu", "chargleu", "m2")] == [
        "chrf++", "gleu", "chargleu", "m2:beta=0.2", "m2",
    ]  # fmt: skip
    parts = tables_against_people(replace(sides("test"), choices=chosen))
    tables = {part.name: part for part in parts if isinstance(part, Table)}
    rows = [row for row in tables["metric_correlations"].dicts() if row["level"] == LEVEL_OF_HYBRIDS]
    assert {(row["coefficient"], row["systems"]) for row in rows} == {("pearson", 681), ("spearman", 681)}
    assert all(row["low"] < row["value"] < row["high"] for row in rows)
    assert tables["williams_hybrids"].columns == tables["williams"].columns
    assert {"hybrid_differences", "metric_leave_out", "metric_scatter"} <= tables.keys()


SOURCE = ["a b", "c d", "e f", "g h"]
REFERENCE = ["a x", "c d", "e f", "g y"]
OUTPUTS = {
    "A": ["a x", "c d", "e f", "g y"],
    "B": ["a x", "c d", "e f", "g h"],
    "C": ["a b", "c d", "e z", "g h"],
    "D": ["q b", "q d", "q z", "q h"],
}


def toy(names=("A", "B", "C", "D"), human=None) -> Sides:
    one = score(Toy(), Material.of_texts(SOURCE, [REFERENCE]), list(OUTPUTS), list(OUTPUTS.values()))
    scores = np.array([[4, 4, 3, 1], [4, 4, 4, 1], [4, 4, 2, 1], [4, 3, 3, np.nan]]) if human is None else human
    return Sides(tuple(names), scores[:, : len(names)], (one,))


@pytest.mark.wide
def test_numbers_by_hand():
    """The metric says 1, 7/8, 5/8 and 1/8 less ...: the order of people, over systems as by sentence."""
    found = values(toy())
    assert toy().people.scores.tolist() == [4, 3.75, 3, 1]
    assert found["Toy", "system", "kendall"] == found["Toy", "system", "pairwise accuracy"] == 1
    assert found["Toy", "sentence, systems that differ", "acc-eq"] == 1
    (leave_out,) = (table for table in tables_against_people(toy()) if table.name == "metric_leave_out")
    assert {row[4] for row in leave_out.rows if row[3] == "kendall"} == {1}
    lacking = MetricScores("lacking", ScoreLevel.SENTENCE, np.where(np.arange(4)[:, None] == 2, np.nan, toy().human))
    assert values(replace(toy(), outside=(lacking,)))["lacking", "system", "soft pairwise accuracy"] == 1


@pytest.mark.wide
def test_only_outputs_that_are_no_bounds_are_correlated():
    assert {row[6] for row in rows_against_people(toy(("A", "B", "C")))} == {3}


@pytest.mark.wide
def test_toys_of_few_systems_and_of_people_who_found_all_alike():
    names = {part.name for part in tables_against_people(toy(("A", "B", "C")))}
    assert names == {"metric_correlations", "signatures", "metric_scatter"}
    alike = chosen_by(toy(human=np.ones((4, 4))), hybrids=True)
    other = MetricScores("other", ScoreLevel.SENTENCE, toy().human)
    parts = list(tables_against_people(replace(alike, outside=(other,))))
    gaps = [part.reason for part in parts if isinstance(part, Gap)]
    assert len(gaps) == 2 * 2
    assert all("All scores by people are equal" in gap for gap in gaps)


def test_scores_from_elsewhere_are_mixed_and_metrics_of_one_name_distinguished():
    human = toy().human
    whole = MetricScores("whole", ScoreLevel.SYSTEM, np.array([4.0, 3.0, 2.0, 1.0]))
    both = replace(toy(), outside=(MetricScores("theirs", ScoreLevel.SENTENCE, 2 * human), whole))
    people, metrics, _ = both.with_mixtures()
    assert [metric.name for metric in metrics] == ["Toy", "theirs"]
    assert np.allclose(metrics[1].scores, 2 * people)
    twice = replace(toy(), scored=toy().scored * 2)
    assert [name.partition("|data")[0] for name in twice.labels] == ["Toy (toy|weight:1.0|edits:texts"] * 2


class ByKinds(Toy):
    """A toy that also reports a mean over kinds of error: the square of the share."""

    def of_systems(self, counts: np.ndarray, chosen: np.ndarray) -> dict[str, np.ndarray]:
        found = super().of_systems(counts, chosen)
        return found | {"Toy macro F1": found["Toy"] ** 2}


@pytest.mark.wide
def test_a_mean_over_kinds_of_error_is_taken_for_systems_where_it_is_wanted_and_there():
    one = score(ByKinds(), Material.of_texts(SOURCE, [REFERENCE]), list(OUTPUTS), list(OUTPUTS.values()))
    macro = chosen_by(replace(toy(), scored=(one, *toy().scored)), macro=True)
    micro = replace(toy(), scored=(one,))
    assert (macro.labels, micro.labels) == (["Toy macro F1", "Toy"], ["Toy"])
    (by_kinds, plain), (same,) = macro.metrics, micro.metrics
    assert by_kinds.scores == pytest.approx(plain.scores**2)
    assert by_kinds.replicates == pytest.approx(plain.replicates**2)
    assert same.scores.tolist() == plain.scores.tolist()
    _, mixed, _ = chosen_by(macro, seed=1).with_mixtures()
    assert mixed[0].scores == pytest.approx(mixed[1].scores ** 2)
    assert {row[0] for row in rows_against_people(macro) if row[1].startswith("sentence")} == {"Toy"}


@pytest.mark.wide
def test_the_same_seed_gives_the_same_mixtures_and_another_one_others():
    one, same, other = (chosen_by(sides("test"), seed=seed).with_mixtures()[0] for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert np.array_equal(one[:6], other[:6])
    assert not np.array_equal(one, other)
