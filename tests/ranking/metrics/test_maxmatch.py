"""M2: by hand, as the official program printed it, as other programs computed it, and as a plain model of it does.

By hand: `a b c d e` with the reference's edits b -> x and d -> y. The output `a x c z e` has two changes with one word
between them: the arc b -> x is the reference's, d -> z is not. So 1 of 2 is correct, of 2 that there should be. The
output `a w c z e` has none of them; its changes are joined to one edit, b c d -> w c z: 0 of 1 is correct.
"""

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ranking.metrics import maxmatch
from ranking.metrics.base import ABSENT, Metric
from ranking.metrics.material import Candidates, Edit, Edits, MetricError
from ranking.metrics.maxmatch import MaxMatch
from tests.ranking.metrics import plain_maxmatch, published
from tests.ranking.metrics.maxmatch_cases import disagreements, made_cases, material

BETAS = (0.1, 0.2, 0.5, 1.0, 2.0)
BY_HAND = (Edit(1, 2, ("x",)), Edit(3, 4, ("y",)))
TWO, THE = Edit(0, 0, ("the the",)), Edit(0, 0, ("the",))
WIDE, NARROW = Edit(0, 2, ("x y",)), Edit(1, 2, ("y",))

words = st.lists(st.sampled_from("abc"), max_size=6).map(" ".join)


def counted(source: str, output: str, *references: Edits | None, metric: MaxMatch | None = None) -> list[list[int]]:
    """Counts of one output of one sentence, by reference."""
    given = material([source], *([edits] for edits in references))
    return (metric or MaxMatch()).count(given, Candidates.of([[output]]))[0].tolist()


@pytest.mark.wide
@pytest.mark.parametrize(
    ("source", "output", "edits", "counts"),
    [
        ("a b c d e", "a x c z e", BY_HAND, [1, 2, 2]),
        ("a b c d e", "a w c z e", BY_HAND, [0, 1, 2]),
        ("a b c d e", "a x c y e", BY_HAND, [2, 2, 2]),
        ("a b c d e", "a b c d e", BY_HAND, [0, 0, 2]),
        ("a b c d e", "", BY_HAND, [0, 1, 2]),
        # Any of the alternatives will do.
        ("a cat", "a dog", (Edit(1, 2, ("dog", "big dog")),), [1, 1, 1]),
        ("a cat", "a big dog", (Edit(1, 2, ("dog", "big dog")),), [1, 1, 1]),
        # Edits may overlap and come twice.
        ("a b", "x y", (WIDE, NARROW), [1, 1, 2]),
        ("a b", "a y", (WIDE, NARROW, NARROW), [2, 1, 3]),
        # An insertion of the reference agrees once.
        ("cat", "the the cat", (THE,), [1, 2, 1]),
        ("cat", "the the cat", (THE, THE), [2, 2, 2]),
        ("cat", "the the the cat", (THE, TWO), [2, 2, 2]),
        ("", "", (), [0, 0, 0]),
        ("", "a b", (Edit(0, 0, ("a b",)),), [1, 1, 1]),
        ("a b", "", (Edit(0, 2, ("",)),), [1, 1, 1]),
        ("a b", "a", (Edit(0, 2, ("",)),), [0, 1, 1]),
        ("a", "a", (Edit(0, 0, ("",)), Edit(0, 1, ("a",))), [0, 0, 2]),
    ],
)
def test_by_hand(source, output, edits, counts):
    assert counted(source, output, edits, None) == [counts, [ABSENT] * 3]


@pytest.mark.wide
def test_settings_join_changes_ignore_case_and_sentences_without_references_count_nothing():
    far = "a x c d e y", "a b c d e f"
    assert counted(*far, ()) == [[0, 2, 0]]
    assert counted(*far, (), metric=MaxMatch(unchanged=3)) == [[0, 1, 0]]
    assert counted("a x c", "y x z", (), metric=MaxMatch(unchanged=0)) == [[0, 2, 0]]
    given = "i like ice cream", "I like icecream", (Edit(0, 1, ("I",)), Edit(2, 4, ("Ice-cream", "Ice Cream")))
    assert counted(*given) == [[1, 2, 2]]
    assert counted(*given, metric=MaxMatch(ignore_case_and_space=True)) == [[2, 2, 2]]
    given = material(["a", "a b c d e"], [None, BY_HAND], [None, None])
    candidates = Candidates.of([["x", "a x c z e"]])
    counts = MaxMatch().count(given, candidates)
    assert MaxMatch().totals(counts, candidates.chosen).tolist() == [[1, 2, 2]]
    assert MaxMatch().of_candidates(counts)["M2 P"].tolist() == [1, 0.5]


def test_signatures_and_names_have_settings_which_must_make_sense():
    assert MaxMatch().signature(material([])) == "m2|beta:0.5|unchanged:2|references:0|edits:m2"
    ignoring = MaxMatch(beta=1, unchanged=3, ignore_case_and_space=True)
    assert ignoring.signature(material([])) == "m2|beta:1|unchanged:3|ignored:case,space|references:0|edits:m2"
    assert ignoring.main_scores == ("M2 F1", "M2 P", "M2 R")
    with pytest.raises(MetricError, match="M2: beta must lie between"):
        MaxMatch(beta=0)
    with pytest.raises(MetricError, match="unchanged must lie between 0 and 10, not -1"):
        MaxMatch(unchanged=-1)
    with pytest.raises(MetricError, match="there is no reference"):
        MaxMatch().count(material(["a"]), Candidates.of([["a"]]))


@pytest.mark.wide
@pytest.mark.parametrize("unchanged", [0, 1, 2, 3])
def test_the_plain_model_of_the_official_program_counts_the_same(unchanged):
    """tests/long compares a hundred thousand cases."""
    assert list(disagreements(made_cases(unchanged, 400), unchanged)) == []


@pytest.mark.wide
@pytest.mark.parametrize(
    ("source", "output", "edits", "counts"),
    [
        pytest.param(
            "we will post a seed .", "we can write a post .", (Edit(4, 5, ("",)),), [1, 3, 1],
            id="an arc found anew with fewer steps is listed twice, so `post` is inserted by itself",
        ),
        pytest.param(
            "c b a", "a a a c b", (), [0, 2, 0],
            id="an arc that is listed twice costs as much as two that are listed once",
        ),
        pytest.param(
            "c", "a b b a c", (Edit(0, 0, ("a",)), Edit(0, 0, ("a",)), Edit(0, 0, ("b",))), [3, 3, 3],
            id="after an insertion that agrees, the arc behind it is next",
        ),
    ],
)  # fmt: skip
def test_equally_good_paths_are_told_apart_as_the_official_program_does(source, output, edits, counts):
    assert counted(source, output, edits) == [counts]
    assert plain_maxmatch.counted(source, output, edits) == tuple(counts[:2])


def chosen_one_by_one(counts: np.ndarray, chosen: Sequence[int], subset: Sequence[int], beta: float) -> list[int]:
    """The same choice of references in plain words."""
    sums = [0, 0, 0]
    for candidate in chosen:
        ways = [
            [so_far + here for so_far, here in zip(sums, counts[candidate, reference].tolist(), strict=True)]
            for reference in subset
            if counts[candidate, reference, 0] != ABSENT
        ]

        def merit(way: list[int]) -> tuple[float, int, float]:
            size = beta**2 * way[2] + way[1]
            return (1 + beta**2) * way[0] / size if size else 1.0, way[0], -size

        sums = max(ways, key=merit, default=sums)
    return sums


@pytest.mark.wide
@settings(max_examples=50, deadline=None)
@given(st.randoms(use_true_random=False), st.sampled_from(BETAS))
def test_references_are_chosen_by_the_stated_rule(rng: random.Random, beta):
    counts = np.array([[sorted(rng.choices(range(4), k=3)) for _ in range(3)] for _ in range(20)], dtype=np.int32)
    counts[[number % 7 == 3 for number in range(20)], 1] = ABSENT
    counts[5] = ABSENT
    chosen = np.array([rng.choices(range(20), k=30) for _ in range(4)])
    subsets = [(0,), (1,), (0, 2), (0, 1, 2)]
    metric = MaxMatch(beta=beta)
    expected = [[chosen_one_by_one(counts, row, subset, beta) for row in chosen] for subset in subsets]
    assert metric.totals(counts, chosen).tolist() == expected[-1]
    found, plain = metric.of_subsets(counts, chosen, subsets), Metric.of_subsets(metric, counts, chosen, subsets)
    for name in metric.main_scores:
        assert np.array_equal(found[name], plain[name])
    assert np.array_equal(found["M2 R"][-1], [correct / gold if gold else 1 for correct, _, gold in expected[-1]])


@pytest.fixture(scope="module")
def gjg15() -> np.ndarray:
    return MaxMatch().count(published.gjg15_gold(), published.gjg15())


@pytest.mark.wide
def test_the_official_scores_and_edits_of_the_shared_task_to_every_printed_digit(gjg15):
    chosen = published.gjg15().chosen
    sums, scores = MaxMatch().totals(gjg15, chosen), MaxMatch().of_systems(gjg15, chosen)
    printed = dict(zip(published.gjg15_systems(), (f"{score:.4f}" for score in scores["M2 F0.5"]), strict=True))
    assert printed == published.official("m2score")
    for place, name in enumerate(published.gjg15_systems()):
        golden = published.golden()["conll14"]["scores"][name]["m2"]
        assert sums[place].tolist() == [golden["correct"], golden["proposed"], golden["gold"]]
        for key, score in zip("FPR", MaxMatch().main_scores, strict=True):
            assert scores[score][place] == pytest.approx(golden[key], abs=1e-12)


@pytest.mark.wide
@pytest.mark.parametrize("part", ["dev", "test"])
def test_learners_essays_by_many_betas_and_by_single_references(part):
    given, candidates = published.gmeg_gold(part), published.gmeg(part)
    counts = MaxMatch().count(given, candidates)
    golden = [published.golden()["gmeg"][f"{part}.fce.{name}"] for name in published.GMEG_SYSTEMS]
    for beta in BETAS:
        scores = MaxMatch(beta=beta).of_systems(counts, candidates.chosen)
        for key, found in zip("FPR", scores.values(), strict=True):
            assert found == pytest.approx([each["m2"][str(beta)][key] for each in golden], abs=1e-12)
    alone = MaxMatch().of_subsets(counts, candidates.chosen, [(0,), (1,), (2,), (3,)])["M2 F0.5"]
    for reference, found in enumerate(alone):
        assert found == pytest.approx([each["m2_single_ref_F05"][str(reference)] for each in golden], abs=1e-12)


@pytest.mark.wide
def test_without_a_list_of_arcs_the_shared_task_has_the_same_scores(gjg15, monkeypatch):
    """As for long lines; of equally good paths another may be found."""
    monkeypatch.setattr(maxmatch, "MOST_NODES", 0)
    counts, chosen = MaxMatch().count(published.gjg15_gold(), published.gjg15()), published.gjg15().chosen
    assert MaxMatch().totals(counts, chosen).tolist() == MaxMatch().totals(gjg15, chosen).tolist()


@pytest.mark.wide
@pytest.mark.parametrize("different", [1, 2, 3, 1000])
def test_long_lines_take_no_long_time(different):
    """Where words recur, nearly every cell of the lattice is a node."""
    rng = random.Random(different)
    source, output = ([str(rng.randrange(different)) for _ in range(length)] for length in (300, 600))
    edits = [Edit(at, at + rng.randrange(2), (rng.choice(["", "0", "0 1"]),)) for at in range(0, 300, 2)]
    wide = Edit(0, 300, (" ".join(output),))
    (first, *others) = counted(" ".join(source), " ".join(output), (*edits, wide), *[tuple(edits)] * 3, None)
    assert first[2] == 151
    assert others[0] == others[2] != others[3] == [ABSENT] * 3
