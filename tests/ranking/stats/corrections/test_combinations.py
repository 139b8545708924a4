"""People against people and systems against people: as the formula says it, and as another program computed it."""

from itertools import combinations as subsets_of

import numpy as np
import pytest

from ranking.metrics.candidates import Candidates
from ranking.metrics.material import Material
from ranking.metrics.maxmatch.metric import MaxMatch
from ranking.stats.corrections.people import combinations
from ranking.stats.corrections.scoring import Corrections, DrawnBy, F, Rows, Units
from tests.ranking.metrics import published
from tests.ranking.stats.corrections import toy


def combined(corrections: Corrections, replicates: int = 20, by: DrawnBy = DrawnBy.SENTENCE, seed: int = 1, **chosen):
    return combinations(Rows.of(corrections, 0.5), Units.drawn(corrections, by, replicates, seed), seed, **chosen)


@pytest.mark.wide
def test_as_the_formula_says_it():
    corrections = toy.random(seed=3, judges=5)
    people = corrections.texts()
    material = Material.of_edits(corrections.source, corrections.edits)

    def score(output: list[str], subset: tuple[int, ...]) -> list[float]:
        candidates = Candidates.of([output])
        found = MaxMatch().of_systems(MaxMatch().count(material.only(subset), candidates), candidates.chosen)
        return [values[0] for values in found.values()]

    for found in combined(corrections):
        subsets = list(subsets_of(range(4), found.gold))
        human = [np.mean([score(people[one], some) for one in range(4) if one not in some], axis=0) for some in subsets]
        system = [score(list(corrections.outputs[0]), some) for some in subsets]
        assert found.subsets == len(subsets)
        assert found.scores[:, 0] == pytest.approx(np.mean(human, axis=0), abs=1e-12)
        assert found.scores[:, 1] == pytest.approx(np.mean(system, axis=0), abs=1e-12)
        assert found.ratio(1) == pytest.approx(found.scores[F, 1] / found.scores[F, 0])


@pytest.mark.wide
@pytest.mark.parametrize("part", ["dev", "test"])
def test_learners_essays(part, monkeypatch):
    """These values follow the rule of M2 alone; in one of 50,632 counts the official program finds another path."""
    monkeypatch.setattr("ranking.metrics.maxmatch.metric.MOST_NODES", 0)
    found = combined(toy.essays(part), replicates=2)
    golden = published.golden()["ratio_scoring_m2"][f"{part}.fce"]
    assert [each.scores[F, 0] for each in found] == pytest.approx(list(golden["human"].values()), abs=1e-9)
    for place, name in enumerate(published.GMEG_SYSTEMS, 1):
        scores, ratios = list(golden["system"][name].values()), list(golden["ratio"][name].values())
        assert [each.scores[F, place] for each in found] == pytest.approx(scores[: len(found)], abs=1e-9)
        assert [each.ratio(place) for each in found] == pytest.approx(ratios, abs=1e-9)


@pytest.mark.wide
@pytest.mark.parametrize("by", DrawnBy)
def test_replicates_lie_around_the_scores_and_are_the_same_by_one_seed(by):
    corrections = toy.random(seed=5, judges=5, sentences=80)
    found, again = (combined(corrections, 200, by) for _ in range(2))
    for one, other in zip(found, again, strict=True):
        assert (one.replicates == other.replicates).all()
        assert one.replicates.mean(axis=-1) == pytest.approx(one.scores[F], abs=0.02)
        assert one.replicates.std(axis=-1).min() > 0


@pytest.mark.wide
def test_beyond_some_judges_subsets_are_drawn_and_drawn_again_for_the_interval():
    corrections = toy.random(seed=2, judges=9, sentences=40)
    exact = combined(corrections, 100)
    drawn = combined(corrections, 100, most_subsets=160)
    are_all = [each.subsets == every.subsets for each, every in zip(drawn, exact, strict=True)]
    assert are_all == [True, False, False, False, False, False, True]
    for one, other in zip(exact, drawn, strict=True):
        assert one.scores[:, 0] == pytest.approx(other.scores[:, 0], abs=0.05)
        assert other.replicates[0].std() > 0


@pytest.mark.wide
def test_people_with_nothing_in_common_have_no_ratio():
    edits = ((toy.change(0, 1, "x"),),), ((toy.change(1, 2, "y"),),)
    corrections = Corrections(("a b",), (0,), ("ada", "ben"), edits, ("heron",), (("a b",),))
    (found,) = combined(corrections)
    assert (found.ratio(1), found.ratio_ends(1, 0.95)) == (None, (None, None))
