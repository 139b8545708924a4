"""How judges used each scale, how far they agree on it, and each judge beside the others.

Toy: a judge gives 4 and 2, the other judge 4 and 3: the severity of the first is -1/2, that of the other 1/2.
"""

from collections.abc import Iterator

import numpy as np

from ranking.numbers.intervals import NOT_KNOWN, Estimate
from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.agreement.alpha import alpha_estimate, answers_on_candidates
from ranking.stats.agreement.reliability import icc_estimates
from ranking.stats.answers import Answers, Scale, same_again
from ranking.stats.ballots import Ballots
from ranking.stats.essays.study import EssayParameters, EssayStudy
from ranking.stats.rankings.moderation import fewest_sentences
from ranking.stats.resampling import ratio

ANSWERS = ("scale", "scale_low", "scale_high", "ratings", "mean", "deviation", "unsaid", "unsaid_share")
AGREEMENT = ("scale", "coefficient", "value", "low", "high", "versions", "texts")
ALPHA, OF_ONE, OF_MEAN = "alpha (ordinal)", "ICC of one rating", "ICC of the mean"
JUDGES = ("judge", "scale", "ratings", "unsaid", "mean", "deviation", "shared", "severity", "repeated", "same_again")


def use_of_scales(study: EssayStudy) -> Iterator[Table]:
    """How the numbers of each scale were used, and how often judges could not say."""
    rows = []
    for number, scale in enumerate(study.scales):
        given = study.first.numbers[:, number]
        known, unsaid = given[np.isfinite(given)], int(study.first.unsaid[:, number].sum())
        asked = len(known) + unsaid
        rows.append((*scale, len(known), *_mean_and_deviation(known), unsaid, unsaid / asked if asked else None))
    yield Table.of("essay_answers", ANSWERS, rows)


def agreement(study: EssayStudy) -> Iterator[Table | Gap]:
    """Ordinal alpha, since a step of a scale need not mean the same everywhere, and ICC; few texts have no interval."""
    rows: list[tuple] = []
    for number, scale in enumerate(study.scales):
        ballots = study.first.with_merits(study.first.numbers[:, number])
        answers = answers_on_candidates(ballots)
        several = np.bincount(answers.unit)[answers.unit] > 1 if len(answers) else np.zeros(0, dtype=bool)
        versions, texts = (len(np.unique(each[several])) for each in (answers.unit, answers.segment))
        try:
            if texts < 2:
                raise StatisticsError("Judges share fewer than two texts; have some texts rated by two judges.")
            for name, one in _coefficients(ballots, study.parameters):
                ends = one.interval if texts >= fewest_sentences(study.parameters.level) else NOT_KNOWN
                rows.append((scale.name, name, one.value, *ends, versions, texts))
        except StatisticsError as reason:
            yield Gap(f"agreement on {scale.name}", str(reason))
    if rows:
        yield Table.of("essay_agreement", AGREEMENT, rows)


def _coefficients(ballots: Ballots, chosen: EssayParameters) -> Iterator[tuple[str, Estimate]]:
    drawn = chosen.agreement_replicates, chosen.seed, chosen.level
    yield ALPHA, alpha_estimate(answers_on_candidates(ballots), Scale.ORDINAL, *drawn)
    yield from zip((OF_ONE, OF_MEAN), icc_estimates(ballots, *drawn), strict=True)


def judges(study: EssayStudy) -> Iterator[Table]:
    """What numbers each judge gave, how far above or below others on the same versions, and whether again the same."""
    rows, ballots = [], study.ballots
    for number, scale in enumerate(study.scales):
        known = np.isfinite(study.numbers[:, number])
        ballot, candidates = ballots.ballot_of[known], len(ballots.candidates.sizes)
        # The units of these answers are the versions.
        given = Answers(ballots.candidate[known], ballots.judge[ballot], study.numbers[known, number], candidates,
                        len(study.judges), is_repeat=study.is_repeat[ballot])  # fmt: skip
        first, again = given.choose(~given.is_repeat), given.choose(given.is_repeat)
        total, many = (np.bincount(first.unit, weights)[first.unit] for weights in (first.value, None))
        apart = first.value - ratio(total - first.value, many - 1.0)
        shared = np.isfinite(apart)
        whose = study.first.ballots.judge[study.first.ballots.ballot_of]
        unsaid = np.bincount(whose[study.first.unsaid[:, number]], minlength=len(study.judges))
        repeated, same = (again.count_by_judge(which) for which in same_again(first, again))
        for judge, name in enumerate(study.judges):
            mine = first.judge == judge
            severity = apart[mine & shared].mean() if (mine & shared).any() else None
            rows.append((
                name, scale.name, int(mine.sum()), int(unsaid[judge]), *_mean_and_deviation(first.value[mine]),
                int((mine & shared).sum()), severity, int(repeated[judge]), int(same[judge]),
            ))  # fmt: skip
    yield Table.of("essay_judges", JUDGES, rows)


def _mean_and_deviation(values: np.ndarray) -> tuple:
    return (values.mean(), values.std()) if len(values) else NOT_KNOWN
