"""Sections on judges: how far they agree on edits, and what each accepts and misses."""

from collections.abc import Iterator

import numpy as np

from ranking.numbers.intervals import wilson
from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.agreement.alpha import Scale, alpha_estimate
from ranking.stats.agreement.kappa import ENOUGH
from ranking.stats.edits.agreement import decisions, mean_kappa, pairs_of_judges, values_of
from ranking.stats.edits.study import EditStudy

ALPHA, ALPHA_ACCEPTED, KAPPA = "alpha of verdicts", "alpha of right or wrong", "mean kappa of right or wrong"
AGREEMENT = ("coefficient", "value", "low", "high", "edits")
PAIRS = ("judge", "other", "edits", "same", "kappa")
JUDGES = ("judge", "judgments", "skipped", "edits", "accepted_share", "missed_a_version", "with_others", "agreeing",
          "agreeing_share", "agreeing_low", "agreeing_high", "repeated", "same_again")  # fmt: skip


def agreement(given: EditStudy) -> Iterator[Table | Gap]:
    study, chosen = given.first, given.parameters
    found = decisions(study)
    pairs = list(pairs_of_judges(found, study.ballots.judges))
    if not pairs:
        raise StatisticsError("No edit was judged by two people; have some sentences judged twice.")
    several = int((np.bincount(np.unique(found.edit, return_inverse=True)[1]) > 1).sum())
    rows: list[tuple] = []
    kinds = {ALPHA: found.verdict, ALPHA_ACCEPTED: found.accepted}
    for name, value in kinds.items() if len(study.names.verdicts) > 2 else [(ALPHA_ACCEPTED, found.accepted)]:
        try:
            estimate = alpha_estimate(
                values_of(found, value), Scale.NOMINAL, chosen.agreement_replicates, chosen.seed, chosen.level
            )
            rows.append((name, estimate.value, *estimate.interval, several))
        except StatisticsError as reason:
            yield Gap(name, str(reason))
    if mean := mean_kappa(pairs):
        rows.append((KAPPA, mean[0], None, None, mean[1]))
    else:
        yield Gap(KAPPA, f"No two judges have {ENOUGH} edits in common on which they could disagree.")
    if rows:
        yield Table.of("edit_agreement", AGREEMENT, rows)
    names = study.names.judges
    yield Table.of("edit_judge_pairs", PAIRS, [(names[pair[0]], names[pair[1]], *pair[2:]) for pair in pairs])


def judges(given: EditStudy) -> Iterator[Table]:
    study, level = given.first, given.parameters.level
    found, ballots = decisions(study), study.ballots
    _, edit = np.unique(found.edit, return_inverse=True)
    yes, number = np.bincount(edit, found.accepted), np.bincount(edit)
    others_yes, others = yes[edit] - found.accepted, number[edit] - 1
    clear = 2 * others_yes != others
    agrees = clear & (found.accepted == (2 * others_yes > others))
    again, same = _repeats(given)
    rows = []
    for judge, name in enumerate(study.names.judges):
        own, own_ballots = found.judge == judge, ballots.judge == judge
        rows_of = own_ballots[ballots.ballot_of]
        with_others, agreeing = int((own & clear).sum()), int((own & agrees).sum())
        share = agreeing / with_others if with_others else None
        rows.append((
            name, int((own_ballots & (ballots.sizes > 0)).sum()), int((own_ballots & (ballots.sizes == 0)).sum()),
            int(own.sum()), found.accepted[own].mean() if own.any() else None,
            study.missed[rows_of].mean() if rows_of.any() else None, with_others, agreeing, share,
            *(wilson(agreeing, with_others, level) or (None, None)), int(again[judge]), int(same[judge]),
        ))  # fmt: skip
    yield Table.of("edit_judges", JUDGES, rows)


def _repeats(study: EditStudy) -> tuple[np.ndarray, np.ndarray]:
    """For each judge, how many edits they judged again, and how many of these got the same verdict."""
    judges = study.ballots.judges
    judge, repeated = study.ballots.judge[study.ballot], study.is_repeat[study.ballot]
    key = study.marks.edit * np.int64(max(judges, 1)) + judge
    first, where = np.unique(key[~repeated], return_index=True)
    verdict = study.marks.verdict[~repeated][where]
    again = np.flatnonzero(repeated)
    again = again[np.unique(key[again], return_index=True)[1]]
    again = again[np.isin(key[again], first)]
    same = study.marks.verdict[again] == verdict[np.searchsorted(first, key[again])]
    return np.bincount(judge[again], minlength=judges), np.bincount(judge[again][same], minlength=judges)
