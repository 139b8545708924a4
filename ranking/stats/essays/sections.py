"""Sections of a report on whole texts: systems by scale, marked errors, agreement, judges, correlations of scales."""

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from ranking.numbers.correlation import pearson, spearman
from ranking.numbers.intervals import Estimate, Interval, interval_of
from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.agreement.alpha import alpha_estimate, answers_on_candidates
from ranking.stats.agreement.reliability import icc_estimates
from ranking.stats.answers import Scale
from ranking.stats.ballots import Ballots
from ranking.stats.essays.estimates import MEASURES, Measured
from ranking.stats.essays.parameters import EssayParameters
from ranking.stats.essays.ratings import of_rated, system_of_rows
from ranking.stats.essays.study import EssayStudy
from ranking.stats.metaevaluation.correlations import Coefficient, by_systems
from ranking.stats.rankings.uncertainty import fewest_sentences
from ranking.stats.resampling import ratio, resample_sums

SCALES = ("scale", "system", "measure", "unit", "value", "value_low", "value_high", "ratings", "texts")
OF_A_PAIR = ("system", "opponent", "difference", "difference_low", "difference_high", "p_value", "resolved")
PAIRS = ("scale", "measure", *OF_A_PAIR)
ERRORS = ("severity", "weight", "system", "unit", "errors", "errors_low", "errors_high", "ratings", "texts")
WEIGHTED = "weighted"
ANSWERS = ("scale", "scale_low", "scale_high", "ratings", "mean", "deviation", "unsaid", "unsaid_share")
AGREEMENT = ("scale", "coefficient", "value", "low", "high", "versions", "texts")
ALPHA, OF_ONE, OF_MEAN = "alpha (ordinal)", "ICC of one rating", "ICC of the mean"
JUDGES = ("judge", "scale", "ratings", "unsaid", "mean", "deviation", "shared", "severity", "repeated", "same_again")
CORRELATIONS = ("scale", "other", "ratings", "texts", "pearson", "pearson_low", "pearson_high", "spearman", "systems",
                "of_systems", "of_systems_low", "of_systems_high")  # fmt: skip
# With fewer systems, nearly any correlation of their means comes about by chance.
FEWEST_SYSTEMS = 5
FEWEST_RATINGS = 3
NOT_KNOWN = None, None
NOBODY = "No judge has given a number on this scale."


def scales(study: EssayStudy) -> Iterator[Table | Gap]:
    """Every measure of every system on every scale, the best first, and the pairs of systems that differ."""
    rows: list[tuple] = []
    pairs: list[tuple] = []
    for number, scale in enumerate(study.ratings.scales):
        if not np.isfinite(study.first.numbers[:, number]).any():
            yield Gap(f"systems on {scale.name}", NOBODY)
            continue
        for measure in MEASURES:
            try:
                found = study.on(number, measure)
            except StatisticsError as reason:
                yield Gap(f"{measure} on {scale.name}", str(reason))
                continue
            rows += ((scale.name, system, measure, *cells) for system, *cells in _of_systems(study, found, -1))
            pairs += ((scale.name, measure, *pair) for pair in _pairs(study, found))
    if not rows:
        raise StatisticsError("No scale was answered on two texts. Have more texts rated.")
    yield Table.of("essay_scales", SCALES, rows)
    if pairs:
        yield Table.of("essay_pairs", PAIRS, pairs)
    yield from _few(study)


def errors(study: EssayStudy) -> Iterator[Table | Gap]:
    """Errors marked in a version, by severity and weighted, the fewest first, and the pairs of systems that differ."""
    given = study.first
    if not given.severities:
        return
    heaviest = max(one.weight for one in given.severities)
    total = study.of_errors(given.penalties(), heaviest)
    rows = [(WEIGHTED, None, *cells) for cells in _of_systems(study, total, 1)]
    for number, severity in enumerate(given.severities):
        found = study.of_errors(given.with_errors(number), 1.0)
        rows += ((*severity, *cells) for cells in _of_systems(study, found, 1))
    yield Table.of("essay_errors", ERRORS, rows)
    if pairs := list(_pairs(study, total)):
        yield Table.of("essay_error_pairs", OF_A_PAIR, pairs)


def answers(study: EssayStudy) -> Iterator[Table]:
    """How the numbers of each scale were used, and how often judges could not say."""
    rows = []
    for number, scale in enumerate(study.ratings.scales):
        given = study.first.numbers[:, number]
        known, unsaid = given[np.isfinite(given)], int(study.first.unsaid[:, number].sum())
        asked = len(known) + unsaid
        spread = (known.mean(), known.std()) if len(known) else NOT_KNOWN
        rows.append((*scale, len(known), *spread, unsaid, unsaid / asked if asked else None))
    yield Table.of("essay_answers", ANSWERS, rows)


def agreement(study: EssayStudy) -> Iterator[Table | Gap]:
    """Ordinal alpha, since a step of a scale need not mean the same everywhere, and ICC; few texts have no interval."""
    rows: list[tuple] = []
    for number, scale in enumerate(study.ratings.scales):
        ballots = study.first.on(number)
        versions, texts = _rated_twice(ballots)
        is_enough = texts >= fewest_sentences(study.parameters.level)
        try:
            if texts < 2:
                raise StatisticsError("Judges share fewer than two texts; have some texts rated by two judges.")
            for name, one in _agreement_of(ballots, study.parameters):
                ends = one.interval if is_enough else NOT_KNOWN
                rows.append((scale.name, name, one.value, *ends, versions, texts))
        except StatisticsError as reason:
            yield Gap(f"agreement on {scale.name}", str(reason))
    if rows:
        yield Table.of("essay_agreement", AGREEMENT, rows)


def judges(study: EssayStudy) -> Iterator[Table]:
    """What numbers each judge gave, how far above or below others on the same versions, and whether again the same."""
    rows = []
    for number, scale in enumerate(study.ratings.scales):
        ballots = study.first.on(number)
        judge, own = ballots.judge[ballots.ballot_of], ballots.merit
        _, version = np.unique(ballots.candidate, return_inverse=True)
        others = ratio(np.bincount(version, own)[version] - own, np.bincount(version)[version] - 1.0)
        unsaid = study.first.unsaid[:, number]
        whose = study.first.ballots.judge[study.first.ballots.ballot_of]
        again, same = _repeats(study, number)
        for one, name in enumerate(study.judges):
            mine = judge == one
            shared = mine & np.isfinite(others)
            spread = (own[mine].mean(), own[mine].std()) if mine.any() else NOT_KNOWN
            severity = (own - others)[shared].mean() if shared.any() else None
            rows.append((
                name, scale.name, int(mine.sum()), int(unsaid[whose == one].sum()), *spread, int(shared.sum()),
                severity, int(again[one]), int(same[one]),
            ))  # fmt: skip
    yield Table.of("essay_judges", JUDGES, rows)


def correlations(study: EssayStudy) -> Iterator[Table]:
    """How every two scales go together: over ratings, with intervals by text, and over the means of systems."""
    named = list(enumerate(scale.name for scale in study.ratings.scales))
    rows = [
        (name, other_name, *_of_ratings(study, one, other), *_of_means(study, one, other))
        for (one, name), (other, other_name) in combinations(named, 2)
    ]
    if rows:
        yield Table.of("essay_correlations", CORRELATIONS, rows)


def _of_systems(study: EssayStudy, found: Measured, sign: int) -> Iterator[tuple]:
    for place in np.argsort(sign * found.scores, kind="stable").tolist():
        yield (
            study.systems[found.systems[place]], found.unit.value, float(found.scores[place]),
            *found.interval(place, study.parameters.level), int(found.ratings[place]), int(found.texts[place]),
        )  # fmt: skip


def _pairs(study: EssayStudy, found: Measured) -> Iterator[tuple]:
    for one, other, *cells in found.pairs(study.parameters.level, study.families):
        yield study.systems[one], study.systems[other], *cells


def _few(study: EssayStudy) -> Iterator[Gap]:
    least, level = fewest_sentences(study.parameters.level), study.parameters.level
    texts = len(np.unique(study.first.ballots.segment[study.first.ballots.sizes > 0]))
    if texts < least:
        yield Gap(
            "texts",
            f"With fewer than {least} texts no ratings could separate two systems at the level {level:g}, and there "
            f"are {texts}. Have more texts rated.",
        )


def _agreement_of(ballots: Ballots, chosen: EssayParameters) -> Iterator[tuple[str, Estimate]]:
    drawn = chosen.agreement_replicates, chosen.seed, chosen.level
    yield ALPHA, alpha_estimate(answers_on_candidates(ballots), Scale.ORDINAL, *drawn)
    yield from zip((OF_ONE, OF_MEAN), icc_estimates(ballots, *drawn), strict=True)


def _rated_twice(ballots: Ballots) -> tuple[int, int]:
    """How many versions have numbers from two judges, and in how many texts."""
    judge, text = (each[ballots.ballot_of] for each in (ballots.judge, ballots.segment))
    given = np.unique(np.stack([ballots.candidate, text, judge]), axis=1)
    versions, times = np.unique(given[:2], axis=1, return_counts=True)
    return int((times > 1).sum()), len(np.unique(versions[1, times > 1]))


def _repeats(study: EssayStudy, scale: int) -> tuple[np.ndarray, np.ndarray]:
    """For each judge, on how many versions they gave a number twice, and how often the same one."""
    ballots, numbers, judges = study.ratings.ballots, study.ratings.numbers[:, scale], len(study.judges)
    key = ballots.candidate * np.int64(max(judges, 1)) + ballots.judge[ballots.ballot_of]
    known, repeated = np.isfinite(numbers), study.is_repeat[ballots.ballot_of]
    first = {int(key[row]): numbers[row] for row in np.flatnonzero(known & ~repeated)}
    again = [row for row in np.flatnonzero(known & repeated) if int(key[row]) in first]
    judge = (key[again] % max(judges, 1)).astype(np.int64)
    same = np.array([numbers[row] == first[int(key[row])] for row in again], dtype=bool)
    return np.bincount(judge, minlength=judges), np.bincount(judge[same], minlength=judges)


def _of_ratings(study: EssayStudy, one: int, other: int) -> tuple:
    given = study.first
    both = np.isfinite(given.numbers[:, [one, other]]).all(axis=1)
    left, right = given.numbers[both, one], given.numbers[both, other]
    texts, text = np.unique(given.ballots.segment[given.ballots.ballot_of[both]], return_inverse=True)
    values = [_known(each(left, right)) if len(left) >= FEWEST_RATINGS else None for each in (pearson, spearman)]
    ends: Interval | tuple[None, None] = NOT_KNOWN
    if values[0] is not None and len(texts) >= fewest_sentences(study.parameters.level):
        left, right = left - left.mean(), right - right.mean()
        columns = np.stack([np.ones(len(left)), left, right, left**2, right**2, left * right], axis=1)
        of_texts = np.stack([np.bincount(text, column) for column in columns.T], axis=1)
        drawn = resample_sums(of_texts, study.parameters.agreement_replicates, study.parameters.seed)
        ends = interval_of(_correlation(drawn), study.parameters.level)
    return len(left), len(texts), values[0], *ends, values[1]


def _correlation(sums: np.ndarray) -> np.ndarray:
    """Pearson's r from sums over ratings: of 1, x, y, x^2, y^2 and xy."""
    number, x, y, xx, yy, xy = sums.T
    spread = np.sqrt(np.maximum(xx - x**2 / number, 0) * np.maximum(yy - y**2 / number, 0))
    return np.clip(ratio(xy - x * y / number, spread), -1, 1)


def _of_means(study: EssayStudy, one: int, other: int) -> tuple:
    means = np.stack([_means(study.first.on(scale)) for scale in (one, other)])
    means = means[:, np.isfinite(means).all(axis=0)]
    systems, chosen = means.shape[1], study.parameters
    if systems < FEWEST_SYSTEMS or (np.ptp(means, axis=1) == 0).any():
        return systems, None, *NOT_KNOWN
    left, right = means
    found = by_systems(left, right, Coefficient.PEARSON, chosen.agreement_replicates, chosen.seed, chosen.level)
    return systems, found.value, *found.interval


def _means(ballots: Ballots) -> np.ndarray:
    systems, given = of_rated(ballots)
    rows, system = system_of_rows(given)
    found = np.full(ballots.systems, np.nan)
    found[systems] = np.bincount(system, given.merit[rows], len(systems)) / np.bincount(system, minlength=len(systems))
    return found


def _known(value: np.ndarray) -> float | None:
    return None if np.isnan(value) else float(value)
