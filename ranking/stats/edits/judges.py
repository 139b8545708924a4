"""How far judges agree on edits, and what each accepts and misses.

Every edit that two judges decided on is one observation of both. Kappa is Cohen's of each pair of judges, on whether
the edit is accepted (`ranking.stats.agreement.kappa`), with the mean over the pairs that have enough edits in common,
weighted by these. Krippendorff's alpha takes all judges together (`ranking.stats.agreement.alpha`), once by verdicts,
all of which differ alike, and once by whether edits are accepted.

Toy: Ada accepts two of four edits, Ben one of these and no other: they agree on three, by chance on 1/2 1/4 + 1/2 3/4 =
1/2, so kappa is 1/2. Alpha, with 3 of 8 values accepting: 1 - (2/8) / (2 3 5 / (8 7)) = 8/15.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ranking.numbers.intervals import share_cells
from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.agreement.alpha import alpha_estimate
from ranking.stats.agreement.kappa import ENOUGH, kappas_of_judges
from ranking.stats.answers import Answers, Scale, agreement_with_others, same_again
from ranking.stats.edits.study import EditStudy

ALPHA, ALPHA_ACCEPTED, KAPPA = "alpha of verdicts", "alpha of right or wrong", "mean kappa of right or wrong"
AGREEMENT = ("coefficient", "value", "low", "high", "edits")
PAIRS = ("judge", "other", "edits", "same", "kappa")
JUDGES = ("judge", "judgments", "skipped", "edits", "accepted_share", "missed_a_version", "with_others", "agreeing",
          "agreeing_share", "agreeing_low", "agreeing_high", "repeated", "same_again")  # fmt: skip


def decisions(study: EditStudy) -> tuple[Answers, Answers]:
    """The first verdict of each judge on each edit, and whether it accepts the edit."""
    found = study.answers.first_of_each_judge()
    present, segment = np.unique(found.segment, return_inverse=True)
    found = replace(found, segment=segment, segments=len(present))
    return found, replace(found, value=study.accepts[found.value])


def agreement(given: EditStudy) -> Iterator[Table | Gap]:
    study, chosen = given.first, given.parameters
    verdicts, accepted = decisions(study)
    pairs = kappas_of_judges(accepted)
    if not pairs:
        raise StatisticsError("No edit was judged by two people; have some sentences judged twice.")
    several = int((np.bincount(verdicts.unit) > 1).sum())
    rows: list[tuple] = []
    for name, answers in ((ALPHA, verdicts), (ALPHA_ACCEPTED, accepted)):
        if name == ALPHA and len(study.names.verdicts) <= 2:
            continue
        try:
            found = alpha_estimate(answers, Scale.NOMINAL, chosen.agreement_replicates, chosen.seed, chosen.level)
            rows.append((name, found.value, *found.interval, several))
        except StatisticsError as reason:
            yield Gap(name, str(reason))
    enough = [(kappa, edits) for *_, edits, _, kappa in pairs if edits >= ENOUGH and np.isfinite(kappa)]
    if number := sum(edits for _, edits in enough):
        rows.append((KAPPA, sum(kappa * edits for kappa, edits in enough) / number, None, None, number))
    else:
        yield Gap(KAPPA, f"No two judges have {ENOUGH} edits in common on which they could disagree.")
    if rows:
        yield Table.of("edit_agreement", AGREEMENT, rows)
    names = study.names.judges
    yield Table.of("edit_judge_pairs", PAIRS, [(names[one], names[other], *cells) for one, other, *cells in pairs])


def judges(given: EditStudy) -> Iterator[Table]:
    study, ballots = given.first, given.first.ballots
    _, accepted = decisions(study)
    clear, others = agreement_with_others(accepted)
    agrees = clear & (accepted.value == others)
    answers = given.answers
    again = answers.choose(answers.is_repeat).first_of_each_judge()
    is_again, is_same = same_again(answers.choose(~answers.is_repeat), again)
    judged = [
        np.bincount(ballots.judge[which], minlength=ballots.judges) for which in (ballots.sizes > 0, ballots.sizes == 0)
    ]
    counts = [accepted.count_by_judge(which) for which in (None, clear, agrees)]
    repeats = [again.count_by_judge(which) for which in (is_again, is_same)]
    rows = []
    for judge, name in enumerate(study.names.judges):
        mine, missed = (
            accepted.value[accepted.judge == judge],
            study.missed[(ballots.judge == judge)[ballots.ballot_of]],
        )
        edits, with_others, agreeing = (int(each[judge]) for each in counts)
        rows.append((
            name, *(int(each[judge]) for each in judged), edits, mine.mean() if len(mine) else None,
            missed.mean() if len(missed) else None, with_others, agreeing,
            *share_cells(agreeing, with_others, given.parameters.level),
            *(int(each[judge]) for each in repeats),
        ))  # fmt: skip
    yield Table.of("edit_judges", JUDGES, rows)
