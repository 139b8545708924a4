"""Ratio scoring: by hand, as the formula says it, and as another program computed it.

By hand: the score is the share of sentences on which an output is like one of the references. Of the references `x y`
and `x z`, and a system with `w y` (two sentences each), human_1 is 1/2; the system has 1/2 by the first and 0 by the
second, so system_1 is 1/4 and ratio_1 is 1/2. By both it has 1/2.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import pytest

from judgments.rules.progress import Progress, no_progress
from ranking.metrics import maxmatch, ratio
from ranking.metrics.base import Metric, Scores
from ranking.metrics.material import Candidates, Material, MetricError
from ranking.metrics.maxmatch import MaxMatch
from ranking.metrics.ratio import RatioScores, as_outputs, ratio_scores, subsets_by_size
from tests.ranking.metrics import published


@dataclass(frozen=True)
class Equal(Metric):
    """How many sentences are like one of the references, by counts for each reference or for all."""

    by_reference: bool = True
    name = "equal"
    main_scores = ("equal",)

    def signature(self, material: Material) -> str:
        return "equal"

    def count(self, material: Material, candidates: Candidates, progress: Progress = no_progress) -> np.ndarray:
        sentences = [tuple(texts[place] for texts in material.texts) for place in candidates.sentence]
        rows = zip(candidates.texts, sentences, strict=True)
        like = np.array([[text == other for other in row] for text, row in rows])
        return like if self.by_reference else like.max(axis=1, keepdims=True)

    def of_systems(self, counts: np.ndarray, chosen: np.ndarray) -> Scores:
        return {"equal": counts.max(axis=1)[chosen].mean(axis=1)}

    def of_candidates(self, counts: np.ndarray) -> Scores:
        return {"equal": counts.max(axis=1).astype(float)}


def made(references: int, sentences: int = 30, seed: int = 0) -> tuple[Material, list[list[str]]]:
    """References and two systems of random words."""
    rng = np.random.default_rng(seed)
    texts = [[str(word) for word in rng.integers(4, size=sentences)] for _ in range(references + 2)]
    return Material.of_texts(["0"] * sentences, texts[2:]), texts[:2]


def equal(one: RatioScores, other: RatioScores) -> bool:
    return all(np.allclose(*pair, rtol=0, atol=1e-12) for pair in zip(one, other, strict=True))


@pytest.mark.parametrize("by_reference", [True, False])
def test_by_hand(by_reference):
    given = Material.of_texts(["x", "v"], [["x", "y"], ["x", "z"]])
    found = ratio_scores(Equal(by_reference), given, [["w", "y"]])
    assert [figures.tolist() for figures in found] == [[0.5], [[0.25, 0.5]], [[0.5]]]


@pytest.mark.wide
def test_as_the_formula_says_it():
    given, outputs = made(5)
    found = ratio_scores(MaxMatch(), given, outputs)

    def score(output: list[str], subset: tuple[int, ...]) -> float:
        candidates = Candidates.of([output])
        counts = MaxMatch().count(given.only(subset), candidates)
        return float(MaxMatch().of_systems(counts, candidates.chosen)["M2 F0.5"][0])

    for size in range(1, 5):
        subsets = list(combinations(range(5), size))
        human = np.mean(
            [np.mean([score(given.texts[one], some) for one in range(5) if one not in some]) for some in subsets]
        )
        systems = [np.mean([score(output, some) for some in subsets]) for output in outputs]
        assert found.humans[size - 1] == pytest.approx(human, abs=1e-12)
        assert found.systems[:, size - 1] == pytest.approx(systems, abs=1e-12)
        assert found.ratios[:, size - 1] == pytest.approx(systems / human, abs=1e-12)


def test_references_may_lack_sentences_but_there_must_be_two_with_something_in_common():
    given = Material.of_texts(["a", "b"], [["x", None], ["a", "b"]])
    assert as_outputs(given) == [["x", "b"], ["a", "b"]]
    assert ratio_scores(Equal(), given, [["a", "b"]]).humans.tolist() == [0.25]
    with pytest.raises(MetricError, match="at least two references"):
        ratio_scores(Equal(), Material.of_texts(["a"], [["a"]]), [["a"]])
    with pytest.raises(MetricError, match="score 0 or less against one another"):
        ratio_scores(Equal(), Material.of_texts(["a"], [["x"], ["y"]]), [["a"]])


@pytest.mark.wide
@pytest.mark.parametrize("part", ["dev", "test"])
def test_learners_essays(part, monkeypatch):
    """These values follow the rule alone; in one of 50,632 counts the official program finds another path."""
    monkeypatch.setattr(maxmatch, "MOST_NODES", 0)
    names = published.GMEG_SYSTEMS
    outputs = [published.lines(f"data/gmeg-fce/{part}/{name}") for name in names]
    found = ratio_scores(MaxMatch(), published.gmeg_gold(part), outputs)
    golden = published.golden()["ratio_scoring_m2"][f"{part}.fce"]
    assert found.humans == pytest.approx(list(golden["human"].values()), abs=1e-9)
    for values, key in ((found.systems, "system"), (found.ratios, "ratio")):
        for name, scores in golden[key].items():
            assert values[names.index(name)] == pytest.approx(list(scores.values()), abs=1e-9)


@pytest.mark.wide
def test_beyond_some_references_subsets_are_drawn(monkeypatch):
    given, outputs = made(9)
    exact = ratio_scores(MaxMatch(), given, outputs)
    assert [len(size) for size in subsets_by_size(9, seed=3)] == [9, 36, 84, 126, 126, 84, 36, 9, 1]
    monkeypatch.setattr(ratio, "EXACT_TO", 8)
    monkeypatch.setattr(ratio, "DRAWN", 180)
    assert [len(size) for size in subsets_by_size(9, seed=3)] == [9, 20, 20, 20, 20, 20, 20, 9, 1]
    drawn, again = (ratio_scores(MaxMatch(), given, outputs, seed=3) for _ in range(2))
    assert equal(drawn, again)
    for figures, others in zip(exact, drawn, strict=True):
        assert others == pytest.approx(figures, abs=0.1)


@pytest.mark.wide
def test_subsets_of_very_many_references():
    by_size = subsets_by_size(100, seed=1)
    assert [len(size) for size in by_size] == [40] * 99 + [1]
    assert all(len(set(size)) == len(size) for size in by_size)
    assert by_size == subsets_by_size(100, seed=1) != subsets_by_size(100, seed=2)
