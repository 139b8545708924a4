"""Systems by scale and by the errors marked in their versions, which of them differ, and how scales go together.

Means, z-scores and mixed models are those of ratings (`ranking.stats.rankings.methods`), in the numbers of the scale;
texts are drawn, and what other judges would change is added (`uncertainty`). Replicates are moderated (`moderation`),
so that three texts with equal ratings make no narrow interval; the most that one text can deviate is half the scale.
Unlike rankings, ratings need no comparison: a system can be rated alone.

The penalty of a version is the sum of the weights of the errors marked in it. Toy: two minor errors (1) and a major one
(5) make the penalty 7; versions with 7 and 0 make a mean of 3.5. The most that one text can deviate is half of the
largest penalty seen.

Tests of pairs (`rankings.pair_tests`) hold for all pairs of a scale; p is multiplied by the number of scales, marked
errors counting as one. Toy: A gets 4 and B 1 on each of five texts, and nothing is resolved: a sign test has p = 1/16.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import inf

import numpy as np

from ranking.numbers.correlation import pearson, spearman
from ranking.numbers.intervals import NOT_KNOWN, interval_of
from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.ballots import BallotCandidates, Ballots, starts_of
from ranking.stats.essays.study import EssayStudy
from ranking.stats.metaevaluation.correlations import Coefficient, by_systems
from ranking.stats.rankings.methods import METHODS
from ranking.stats.rankings.moderation import fewest_sentences, moderate
from ranking.stats.rankings.pair_tests import ROUNDING, pair_tests
from ranking.stats.rankings.uncertainty import complete, with_other_judges
from ranking.stats.resampling import Unit, ratio, resample_sums

MEASURES = MEAN, STANDARDISED, MIXED = "mean-score", "z-score", "mixed-model"
WEIGHTED = "weighted"
SCALES = ("scale", "system", "measure", "unit", "value", "value_low", "value_high", "ratings", "texts")
OF_A_PAIR = ("system", "opponent", "difference", "difference_low", "difference_high", "p_value", "resolved")
PAIRS = ("scale", "measure", *OF_A_PAIR)
ERRORS = ("severity", "weight", "system", "unit", "errors", "errors_low", "errors_high", "ratings", "texts")
CORRELATIONS = ("scale", "other", "ratings", "texts", "pearson", "pearson_low", "pearson_high", "spearman", "systems",
                "of_systems", "of_systems_low", "of_systems_high")  # fmt: skip
# With fewer systems, nearly any correlation of their means comes about by chance.
FEWEST_SYSTEMS, FEWEST_RATINGS = 5, 3


def scales(study: EssayStudy) -> Iterator[Table | Gap]:
    """Every measure of every system on every scale, the best first, and the pairs of systems that differ."""
    rows: list[tuple] = []
    pairs: list[tuple] = []
    for number, scale in enumerate(study.scales):
        if not np.isfinite(study.first.numbers[:, number]).any():
            yield Gap(f"systems on {scale.name}", "No judge has given a number on this scale.")
            continue
        for measure in MEASURES:
            try:
                of_systems, of_pairs = measures_on(study, number, measure)
            except StatisticsError as reason:
                yield Gap(f"{measure} on {scale.name}", str(reason))
                continue
            rows += ((scale.name, line[0], measure, *line[1:]) for line in sorted(of_systems, key=lambda one: -one[2]))
            pairs += ((scale.name, measure, *line) for line in of_pairs)
    if not rows:
        raise StatisticsError("No scale was answered on two texts. Have more texts rated.")
    yield Table.of("essay_scales", SCALES, rows)
    if pairs:
        yield Table.of("essay_pairs", PAIRS, pairs)
    fewest, ballots = fewest_sentences(study.parameters.level), study.first.ballots
    if (texts := len(np.unique(ballots.segment[ballots.sizes > 0]))) < fewest:
        yield Gap(
            "texts",
            f"With fewer than {fewest} texts no ratings could separate two systems at the level "
            f"{study.parameters.level:g}, and there are {texts}. Have more texts rated.",
        )


def errors(study: EssayStudy) -> Iterator[Table]:
    """Errors marked in a version, by severity and weighted, the fewest first, and the pairs of systems that differ."""
    if not study.severities:
        return
    rows: list[tuple] = []
    of_pairs: list[list[tuple]] = []
    weights = np.array([one.weight for one in study.severities])
    heads = (WEIGHTED, None), *study.severities
    for head, some in zip(heads, (weights, *np.eye(len(weights))), strict=True):
        of_systems, pairs = measures_of_errors(study, some)
        rows += ((*head, *line) for line in sorted(of_systems, key=lambda one: one[2]))
        of_pairs.append(pairs)
    yield Table.of("essay_errors", ERRORS, rows)
    if of_pairs[0]:
        yield Table.of("essay_error_pairs", OF_A_PAIR, of_pairs[0])


def measures_on(study: EssayStudy, scale: int, measure: str) -> tuple[list[tuple], list[tuple]]:
    """As `measure_systems`; z-scores have no ends."""
    ballots, (_, low, high) = study.first.with_merits(study.first.numbers[:, scale]), study.scales[scale]
    if measure == STANDARDISED:
        return measure_systems(study, ballots, measure, METHODS[measure].half_range, (-inf, inf))
    return measure_systems(study, ballots, measure, (high - low) / 2, (low, high))


def measures_of_errors(study: EssayStudy, weights: np.ndarray) -> tuple[list[tuple], list[tuple]]:
    """Means; errors have no upper end, so the most that one text can deviate is half of the most that was seen."""
    ballots = study.first.with_merits(study.first.errors @ weights)
    half_range = max(float(ballots.merit.max(initial=0)), float(weights.max())) / 2
    return measure_systems(study, ballots, MEAN, half_range, (0, inf))


def measure_systems(
    study: EssayStudy, ballots: Ballots, measure: str, half_range: float, ends: tuple[float, float]
) -> tuple[list[tuple], list[tuple]]:
    """Lines of the systems that were rated, and of pairs of them, the higher first.

    `half_range` is the most that one text can deviate, and scores lie between the `ends`. All pairs of all families
    (scales) hold together. Nothing is shown of pairs of which one has too few texts, or that no judge rated both: the
    one may only have had milder judges.
    """
    chosen, (row, behind) = study.parameters, ballots.systems_behind()
    rated, system = np.unique(behind, return_inverse=True)
    if not len(rated):
        raise StatisticsError("No version has such an answer yet.")
    if len(np.unique(ballots.segment)) < 2:
        raise StatisticsError("Only one text was rated, which says nothing about others. Have more texts rated.")
    names, method, many = [study.systems[one] for one in rated], METHODS[measure], len(rated)
    judges, fewest, level = len(np.unique(ballots.judge)), fewest_sentences(chosen.level), chosen.level
    unit = Unit(chosen.for_judges(judges).unit)
    if unit is Unit.SENTENCE_AND_JUDGE and judges < 2:
        raise StatisticsError("Only one judge answered, which says nothing about others. Draw texts alone (sentence).")
    given = _of_rated(ballots, rated)
    scores = method.scores(given)
    by_text, *others = (
        method.replicates(given, one, chosen.replicates_by(one), chosen.seed, 0) for one in method.units(unit)
    )
    if others:
        by_text = with_other_judges(by_text, others[0], others[1], judges, chosen.seed)
    judge, text = (each[ballots.ballot_of[row]].astype(np.int64) for each in (ballots.judge, ballots.segment))
    texts = np.bincount(np.unique(text * many + system) % many, minlength=many)
    by_judge = np.bincount(judge * many + system, minlength=ballots.judges * many).reshape(-1, many)
    replicates = complete(moderate(scores, by_text, texts, half_range, fewest, chosen.seed))
    intervals = [np.clip(interval_of(column, level), *ends).tolist() for column in replicates.T]
    columns = zip(names, scores.tolist(), intervals, by_judge.sum(axis=0).tolist(), texts.tolist(), strict=True)
    lines = [(name, unit.value, score, *interval, *numbers) for name, score, interval, *numbers in columns]
    placed, share_judges = texts >= fewest, by_judge.T @ by_judge > 0
    tests = pair_tests(scores, replicates, 1 - (1 - level) / study.families, placed=placed)
    pairs = []
    for one, other in combinations(np.argsort(-scores, kind="stable").tolist(), 2):
        shown: tuple = None, None, None, False
        if placed[one] and placed[other] and share_judges[one, other]:
            p = min(study.families * float(tests.p_value[one, other]), 1.0)
            resolved = p <= 1 - level + ROUNDING and bool(scores[one] > scores[other])
            shown = float(tests.low[one, other]), float(tests.high[one, other]), p, resolved
        pairs.append((names[one], names[other], float(tests.difference[one, other]), *shown))
    return lines, pairs


def _of_rated(ballots: Ballots, systems: np.ndarray) -> Ballots:
    """The ballots, which know of these systems alone."""
    behind, number = ballots.candidates, np.full(ballots.systems, -1)
    number[systems] = np.arange(len(systems))
    renamed = number[behind.members]
    sizes = np.bincount(behind.owners[renamed >= 0], minlength=len(behind.sizes))
    candidates = BallotCandidates(starts_of(sizes), renamed[renamed >= 0].astype(behind.members.dtype))
    return replace(ballots, systems=len(systems), candidates=candidates)


def correlations(study: EssayStudy) -> Iterator[Table]:
    """How every two scales go together: over ratings, with intervals by text, and over the means of systems."""
    if len(study.scales) < 2:
        return
    given, chosen, rows = study.first, study.parameters, []
    row, system = given.ballots.systems_behind()
    drawn = chosen.agreement_replicates, chosen.seed
    # By scale, the mean of every system.
    means = np.stack([
        ratio(np.bincount(system[known], on_scale[known], len(study.systems)),
              np.bincount(system[known], minlength=len(study.systems)))
        for on_scale in given.numbers[row].T for known in [np.isfinite(on_scale)]
    ])  # fmt: skip
    for one, other in combinations(range(len(study.scales)), 2):
        both = np.isfinite(given.numbers[:, [one, other]]).all(axis=1)
        left, right = given.numbers[both, one], given.numbers[both, other]
        texts, text = np.unique(given.ballots.segment[given.ballots.ballot_of[both]], return_inverse=True)
        found = [float(each(left, right)) if len(left) >= FEWEST_RATINGS else np.nan for each in (pearson, spearman)]
        r, rho = (None if np.isnan(value) else value for value in found)
        ends: tuple[float | None, float | None] = NOT_KNOWN
        if r is not None and len(texts) >= fewest_sentences(chosen.level):
            left, right = left - left.mean(), right - right.mean()
            columns = np.ones(len(left)), left, right, left**2, right**2, left * right
            of_texts = np.stack([np.bincount(text, column) for column in columns], axis=1)
            number, x, y, xx, yy, xy = resample_sums(of_texts, *drawn).T
            spread = np.sqrt(np.maximum(xx - x**2 / number, 0) * np.maximum(yy - y**2 / number, 0))
            ends = interval_of(np.clip(ratio(xy - x * y / number, spread), -1, 1), chosen.level)
        sides = means[[one, other]]
        sides = sides[:, np.isfinite(sides).all(axis=0)]
        of_systems: tuple[float | None, ...] = (None, *NOT_KNOWN)
        if sides.shape[1] >= FEWEST_SYSTEMS and (np.ptp(sides, axis=1) > 0).all():
            estimate = by_systems(sides[0], sides[1], Coefficient.PEARSON, *drawn, chosen.level)
            of_systems = estimate.value, *estimate.interval
        names = study.scales[one].name, study.scales[other].name
        rows.append((*names, len(left), len(texts), r, *ends, rho, sides.shape[1], *of_systems))
    yield Table.of("essay_correlations", CORRELATIONS, rows)
