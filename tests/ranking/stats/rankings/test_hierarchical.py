"""The hierarchical model: by hand, by quadrature, on data drawn from its own prior, for any ballots, as published."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import kstest, norm, spearmanr, truncnorm

from ranking.numbers.kernels import kernel
from ranking.numbers.tables import StatisticsError
from ranking.stats.ballots import Ballots
from ranking.stats.rankings.bradley_terry import bradley_terry
from ranking.stats.rankings.expected_wins import expected_wins
from ranking.stats.rankings.hierarchical import (
    DRAWS,
    design_of,
    hierarchical_replicates,
    hierarchical_scores,
    score,
    start_of,
)
from ranking.stats.rankings.hierarchical_chain import (
    ABILITY,
    MEDIANS,
    NOISE,
    TASTE,
    ChainDesign,
    ChainState,
    bounds,
    normal_vector,
    step,
    truncated_normal,
)
from ranking.stats.rankings.uncertainty import uncertainty
from ranking.stats.resampling import Unit
from ranking.stats.tally import tally
from tests.ranking.stats.ballots import Ballot, any_ballots, ballot, columns, published_columns

THESE, OTHERS = Unit.SENTENCE, Unit.SENTENCE_AND_JUDGE
few = settings(deadline=None, max_examples=25)


def campaign(seed: int, sentences: int = 30, taste: float = 0.0) -> list[Ballot]:
    """Three judges rank A to E, each better than the next one; two see a sentence, where A and B may share a text."""
    rng = np.random.default_rng(seed)
    merits = -0.5 * np.arange(5) + taste * rng.normal(size=(3, 5))
    made = []
    for sentence in range(sentences):
        texts = ["AB", "C", "D", "E"] if rng.random() < 0.2 else list("ABCDE")
        for judge in rng.choice(3, 2, replace=False):
            seen = [merits[judge, "ABCDE".index(text[0])] + rng.normal() for text in texts]
            made.append(ballot(*zip(texts, -np.round(seen), strict=True), judge=int(judge), segment=sentence))
    return made


def drawn(ballots: Ballots, unit: Unit = OTHERS, number: int = DRAWS) -> np.ndarray:
    return hierarchical_replicates(ballots, unit, number, 1, 0)


def chain_of(ballots: Ballots) -> tuple[ChainDesign, ChainState]:
    counted = tally(ballots)
    design = design_of(ballots, counted)
    return design, start_of(design, counted, bradley_terry(counted))


@pytest.mark.wide
@pytest.mark.parametrize(
    ("utilities", "level", "row", "expected"),
    [
        ((5, 2, 0), (0, 1, 2), 1, (1, 4)),
        ((5, 2), (0, 1), 0, (3, np.inf)),
        ((5, 2, 1.5), (0, 1, 1), 1, (0.5, 2.5)),
        ((2.7, 1.5, 1.5), (0, 1, 1), 1, (0.5, 1.7)),
        ((0, 0.8, 1.6), (0, 0, 0), 1, (0.6, 1)),
        ((0, 0.8, 1.6), (0, 0, 0), 0, (-0.2, 2.6)),
    ],
    ids=["between two ranks", "best", "tied", "tied below another", "the link of two", "tied with two"],
)
def test_a_utility_stays_where_the_judgment_puts_it(utilities, level, row, expected):
    """Neighbours of one rank differ by less than 1, those of different ranks by 1 or more."""
    found = bounds(np.array(utilities, dtype=float), np.array(level), 1.0, row, 0, len(level))
    assert found == pytest.approx(expected)


@pytest.mark.wide
@pytest.mark.parametrize("other_judges", [False, True])
def test_the_toy_of_the_definition(other_judges):
    design, start = chain_of(columns([ballot(("A", 1), ("B", 2), segment=n) for n in range(3)], 2))
    state = start._replace(
        abilities=np.array([1.0, 0.0]), tastes=np.zeros((1, 2)), variances=np.array([1.0, 0.0, 1.0]), share=np.zeros(1)
    )
    scores = np.empty(2)
    score(np.random.default_rng(1), design, state, other_judges, scores)
    assert scores.tolist() == pytest.approx([norm.cdf(0.5**0.5), norm.cdf(-(0.5**0.5))])


@pytest.mark.wide
@pytest.mark.parametrize(("other_judges", "difference", "variance"), [(False, 2, 2), (True, 1, 2 + 1 + 1 / 2)])
def test_tastes_of_these_judges_count_and_those_of_others_are_chance(other_judges, difference, variance):
    """By hand: A and B share a text, so other judges' tastes for it vary half as much as those for C."""
    design, start = chain_of(columns([ballot(("AB", 1), ("C", 2), segment=n) for n in range(3)], 3))
    state = start._replace(
        abilities=np.array([1.0, 1.0, 0.0]), tastes=np.array([[0.5, 0.5, -0.5]]), variances=np.ones(3),
        share=np.zeros(1),
    )  # fmt: skip
    scores = np.empty(3)
    score(np.random.default_rng(1), design, state, other_judges, scores)
    wins = norm.cdf(difference / variance**0.5)
    assert scores.tolist() == pytest.approx([(wins + 0.5) / 2, (wins + 0.5) / 2, 1 - wins])


def test_a_ballot_is_sorted_and_single_candidates_are_left_out():
    ballots = [ballot(("A", 3), ("B", 1), ("C", 3)), ballot(("A", 1)), ballot(("BC", 1), ("A", 2), segment=1)]
    design, _ = chain_of(columns(ballots, 3))
    texts = ["ABC"[design.members[start]] for start in design.member_starts[:-1]]
    assert [texts[candidate] for candidate in design.candidate] == ["B", "A", "C", "B", "A"]
    assert design.level.tolist() == [0, 1, 1, 0, 1]
    assert design.margin == 1
    assert design.met.tolist() == [[0, 2, 2], [2, 0, 1], [2, 1, 0]]
    assert design.shared.tolist() == [[False] * 3, [False, False, True], [False, True, False]]


@pytest.mark.wide
def test_systems_that_always_share_their_output_share_every_draw():
    shared = [
        one._replace(groups=tuple(g._replace(systems=(0, 1)) if 0 in g.systems else g
                                  for g in one.groups if g.systems != (1,)))
        for one in campaign(1)
    ]  # fmt: skip
    scores = drawn(columns(shared, 5))
    assert (scores[:, 0] == scores[:, 1]).all()
    assert uncertainty(scores, 0.95).ranges[0] == uncertainty(scores, 0.95).ranges[1]


@pytest.mark.parametrize(
    ("ballots", "unit", "reason"),
    [
        ([one._replace(judge=0) for one in campaign(1)], OTHERS, "only one judge"),
        ([one._replace(segment=0) for one in campaign(1)], THESE, "only one sentence"),
        ([ballot((names, 1), ("C", 1), segment=n) for n, names in enumerate("ABDE")], THESE, "No judge preferred"),
    ],
)
def test_what_cannot_be_concluded_is_refused_with_a_reason(ballots, unit, reason):
    with pytest.raises(StatisticsError, match=reason):
        drawn(columns(ballots, 5), unit, 1)


@pytest.mark.wide
def test_one_judge_suffices_for_a_ranking_and_two_wins_do_not_make_a_system_the_best():
    alone = columns([one._replace(judge=0) for one in campaign(2)], 5)
    assert np.isfinite(drawn(alone, THESE)).all()
    ballots = columns([*campaign(6), *(ballot(("F", 1), ("B", 2), segment=n, judge=n) for n in range(2))], 6)
    found = uncertainty(drawn(ballots, THESE), 0.95)
    assert found.ranges[5].worst >= 4
    assert found.p_best[5] < 0.8


@pytest.mark.wide
def test_the_posterior_of_one_difference():
    """One judge prefers A on four of five sentences; nothing ties, so a win has the chance Phi(d / sqrt 2)."""
    ballots = [ballot(("A", 1 + (n == 4)), ("B", 2 - (n == 4)), segment=n) for n in range(5)]
    share = (np.arange(100) + 0.5) / 100
    ability, taste = (median * np.tan(np.pi * share / 2) for median in MEDIANS)
    spread = np.sqrt(2 * (ability[:, None] ** 2 + taste**2)).reshape(-1, 1)
    chance = norm.cdf(spread * norm.ppf((np.arange(200) + 0.5) / 200) / np.sqrt(2))
    posterior = chance**4 * (1 - chance)
    expected = (chance * posterior).sum() / posterior.sum()

    design, state = chain_of(columns(ballots, 2))
    random, found = np.random.default_rng(3), []
    for _ in range(20_000):
        step(random, design, state)
        merits = state.abilities + state.tastes[0]
        found.append(merits[0] - merits[1])
    assert norm.cdf(np.array(found[100:]) / np.sqrt(2)).mean() == pytest.approx(expected, abs=0.008)


# On data drawn from the prior


@kernel(cache=False)
def judge_anew(random, design, state):
    """Draw the utility of one candidate of each ballot without regard to the judgment, and judge by the utilities."""
    noise, share = state.variances[NOISE], state.share[0]
    for number in range(len(design.starts) - 1):
        first, end = design.starts[number], design.starts[number + 1]
        row = random.integers(first, end)
        candidate = design.candidate[row]
        behind = design.members[design.member_starts[candidate] : design.member_starts[candidate + 1]]
        middle = (state.abilities + state.tastes[design.judge[row]])[behind].mean() + state.effects[candidate]
        variance = noise * (1 - share) if design.seen[candidate] > 1 else noise
        state.utilities[row] = random.normal(middle, np.sqrt(variance))
        order = first + np.argsort(-state.utilities[first:end])
        design.level[order[0]] = 0
        for place in range(1, len(order)):
            above, below = order[place - 1], order[place]
            falls = state.utilities[above] - state.utilities[below]
            design.level[below] = design.level[above] + (falls >= design.margin)


@kernel(cache=False)
def alternate(random, design, state, times):
    """Judge and draw all unknowns in turns; after each: variances, share, a difference of abilities, taste, effect."""
    seen = np.empty((times, 7))
    for row in seen:
        judge_anew(random, design, state)
        step(random, design, state)
        row[:3] = state.variances
        row[3:] = (
            state.share[0], state.abilities[0] - state.abilities[1], state.tastes[1, 0], state.effects[0],
        )  # fmt: skip
    return seen


@pytest.mark.long
def test_judgments_that_follow_from_the_prior_lead_back_to_it():
    """Unknowns and judgments drawn in turns follow their joint distribution, if every step is right (Geweke 2004)."""
    ballots = [
        ballot(("A", 1), ("B", 1), ("CD", 2), judge=0),
        ballot(("A", 1), ("B", 1), ("CD", 2), judge=1),
        ballot(("A", 1), ("D", 2), ("C", 2), judge=1, segment=1),
        ballot(("AB", 1), ("D", 2), ("C", 2), judge=0, segment=2),
    ]
    design, state = chain_of(columns(ballots, 4))
    seen = alternate(np.random.default_rng(5), design, state, 150_000)
    deviations, (share, difference, taste, effect) = np.sqrt(seen[:, :3].T), seen[:, 3:].T
    quarter = norm.ppf(0.75)
    halves = [
        deviations[NOISE] ** 2 * np.log(2) < 1,
        share < 0.5,
        deviations[ABILITY] < MEDIANS[ABILITY] * deviations[NOISE],
        deviations[TASTE] < MEDIANS[TASTE] * deviations[NOISE],
        abs(difference) < quarter * np.sqrt(2) * deviations[ABILITY],
        abs(taste) < quarter * deviations[TASTE],
        abs(effect) < quarter * deviations[NOISE] * np.sqrt(share),
    ]
    assert np.mean(halves, axis=1) == pytest.approx(np.full(7, 0.5), abs=0.04)


@pytest.mark.wide
@pytest.mark.parametrize(
    ("low", "high"),
    [(-1, 0.5), (-0.1, 3), (0.2, 0.5), (0.01, 9), (1, np.inf), (3, 3.2), (-np.inf, -4), (-np.inf, np.inf)],
)
def test_a_truncated_normal_number_has_its_distribution(low, high):
    random = np.random.default_rng(7)
    numbers = [truncated_normal(random, float(low), float(high)) for _ in range(3_000)]
    assert kstest(numbers, truncnorm(low, high).cdf).pvalue > 0.001


@pytest.mark.wide
def test_a_normal_vector_has_its_mean_and_covariance():
    random, precision, mean = np.random.default_rng(8), np.array([[2.0, 0.8], [0.8, 1.0]]), np.array([3.0, -1.0])
    vectors = np.empty((20_000, 2))
    for vector in vectors:
        normal_vector(random, precision.copy(), precision @ mean, vector)
    assert vectors.mean(axis=0) == pytest.approx(mean, abs=0.05)
    assert np.cov(vectors.T) == pytest.approx(np.linalg.inv(precision), abs=0.06)


@pytest.mark.wide
def test_a_part_of_the_draws_is_the_same_as_in_all_of_them():
    ballots = columns(campaign(3), 5)
    whole = drawn(ballots, number=2 * DRAWS)
    part = hierarchical_replicates(ballots, OTHERS, 20, 1, DRAWS - 5)
    assert np.array_equal(part, whole[DRAWS - 5 : DRAWS + 15])
    assert not np.array_equal(whole[:DRAWS], whole[DRAWS:])


@pytest.mark.wide
@few
@given(any_ballots, st.sampled_from([THESE, OTHERS]))
def test_scores_are_chances_that_every_pair_divides(ballots, unit):
    try:
        scores = drawn(columns(ballots), unit, 20)
    except StatisticsError:
        assume(False)
    assert ((scores >= 0) & (scores <= 1)).all()
    assert scores.mean(axis=1) == pytest.approx(np.full(20, 0.5), abs=1e-8)


@pytest.mark.wide
def test_judgments_of_one_text_are_not_independent():
    """Twenty judges who see the same three sentences tell less than those who see sixty."""
    rng = np.random.default_rng(9)
    ranks = [[1, 2], [1, 2], [2, 1]]
    votes = [(judge, sentence) for judge in range(20) for sentence in range(3)]
    same, other = (
        [
            ballot(*zip("AB", ranks[n] if rng.random() < 0.9 else ranks[n][::-1], strict=True),
                   judge=judge, segment=n if again else 3 * judge + n)
            for judge, n in votes
        ]
        for again in (True, False)
    )  # fmt: skip
    widths = [drawn(columns(ballots, 2, 20), THESE)[:, 0].std() for ballots in (same, other)]
    assert widths[0] > 1.5 * widths[1]


@pytest.mark.wide
def test_scores_are_means_of_draws_for_these_judges_of_whose_tastes_others_know_less():
    ballots = columns(campaign(7, 30, 1.5), 5)
    these, others = (hierarchical_replicates(ballots, unit, 2 * DRAWS, 0, 0).mean(axis=0) for unit in (THESE, OTHERS))
    assert hierarchical_scores(ballots) == pytest.approx(these)
    assert these != pytest.approx(others, abs=0.01)
    spreads = {
        taste: [drawn(columns(campaign(7, 60, taste), 5), unit).std(axis=0).mean() for unit in (THESE, OTHERS)]
        for taste in (0.0, 1.5)
    }
    assert spreads[1.5][1] > 1.5 * spreads[1.5][0]
    assert spreads[0.0][1] < 1.5 * spreads[0.0][0]


@pytest.mark.wide
def test_on_the_published_judgments_it_agrees_with_expected_wins_and_bradley_terry():
    counted = tally(published_columns())
    scores = drawn(published_columns(), THESE).mean(axis=0)
    assert scores == pytest.approx(expected_wins(counted), abs=0.04)
    assert spearmanr(scores, bradley_terry(counted)).statistic > 0.9
