"""The reliability of judges, against gold, against the majority of the others, against themselves; how many suffice.

Gold answers exist for controls and some other usages; unknown is not right. Agreement with the others covers a
judge's verdicts other than unknown, on usages where the rest of the crowd has a majority; kappa is Cohen's. A repeat
agrees with the first verdict if both are the same of the three answers.

Toy: a judge answers error, OK where gold is error, error, and the majority of the others error, OK: right 1 of 2,
agreeing 2 of 2, kappa 1.

How many judgments are enough: `agreement_by_number` is the agreement of the majority of n judges with an authority. For
each n, n verdicts of each usage are drawn many times, and their majority is compared with the authority: the
majority of experts, each expert (averaged over experts, as in Madnani et al. 2011, section 3), or gold. Agreement and
kappa are means over the draws, with the ranges of the draws. If a majority of an even n splits, half of the usage
agrees. n stops where fewer than half of the usages have n verdicts, so that a few usages never represent all.

Toy: two verdicts error, OK on a usage that experts call an error: a majority of 1 agrees half of the time, and so
does one of 2.

The authority is the experts, judges marked as such, whose verdicts are not part of the crowd. If there are none, or
none decided on a usage that the crowd judged, gold of ordinary usages replaces them; controls do not count.

Toy: experts answer error, error, OK: their majority is error; a crowd that finds an error agrees with 2/3 of them.
"""

from collections.abc import Iterator

import numpy as np

from ranking.numbers.intervals import NOT_KNOWN, interval_of, share_cells
from ranking.numbers.tables import StatisticsError, Table
from ranking.stats.agreement.kappa import beyond_chance, kappa, kappas_of_judges
from ranking.stats.answers import Answers, agreement_with_others, same_again
from ranking.stats.resampling import generator, ratio
from ranking.stats.verdicts.crowd import ERROR, UNKNOWN, Crowd, crowd_of
from ranking.stats.verdicts.study import EACH, VerdictStudy

ENOUGH = ("judges", "against", "agreement", "agreement_low", "agreement_high", "kappa", "kappa_low", "kappa_high",
          "usages")  # fmt: skip
EXPERTS = ("expert", "other", "agreement", "kappa", "usages")
JUDGES = ("judge", "expert", "verdicts", "unknown", "skipped", "median_seconds", "gold", "right", "right_share",
          "right_low", "right_high", "with_others", "agreeing", "agreeing_share", "agreeing_low", "agreeing_high",
          "others_kappa", "repeats", "same", "sensitivity", "specificity")  # fmt: skip
EVERYBODY = "everybody"
BY_MAJORITY, BY_EACH, BY_GOLD = "majority of experts", "each expert", "gold"


def judges(study: VerdictStudy) -> Iterator[Table]:
    """A row per judge: counts, time, accuracy on gold, agreement with others and with own repeats, skill."""
    first, everything, level = study.first, study.verdicts, study.parameters.level
    decided = first.choose(first.value != UNKNOWN)
    in_crowd = ~decided.is_control & ~study.is_expert[decided.judge]
    have_others, others = agreement_with_others(decided, in_crowd)
    compared, others = decided.choose(have_others), others[have_others]
    known = first.choose(np.isfinite(study.gold[first.unit]))
    again = everything.choose(everything.is_repeat)
    is_again, is_same = same_again(first, again)
    counted = decided.count_by_judge(in_crowd)
    columns = [
        first.count_by_judge(), first.count_by_judge(first.value == UNKNOWN), known.count_by_judge(),
        known.count_by_judge(known.value == study.gold[known.unit]), compared.count_by_judge(),
        compared.count_by_judge(compared.value == others), again.count_by_judge(is_again),
        again.count_by_judge(is_same), study.skipped,
    ]  # fmt: skip
    rows = []
    for judge, cells in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        verdicts, unknown, gold, right, with_others, agreeing, repeats, same, skipped = cells
        seconds, own = everything.seconds[everything.judge == judge], compared.judge == judge
        seconds = seconds[np.isfinite(seconds)]
        skills = study.model.sensitivity[judge], study.model.specificity[judge]
        rows.append((
            study.names.judges[judge], bool(study.is_expert[judge]), verdicts, unknown, skipped,
            float(np.median(seconds)) if len(seconds) else None, gold, right, *share_cells(right, gold, level),
            with_others, agreeing, *share_cells(agreeing, with_others, level),
            kappa(compared.value[own], others[own]) if own.any() else None, repeats, same,
            *(skills if counted[judge] else NOT_KNOWN),
        ))  # fmt: skip
    yield Table.of("verdict_judges", JUDGES, rows)


def experts(study: VerdictStudy) -> Iterator[Table]:
    """Agreement of every two experts on common usages, and the mean, which a crowd can be expected to reach."""
    verdicts, names = study.expert_verdicts, study.names.judges
    pairs = kappas_of_judges(verdicts.choose(verdicts.value != UNKNOWN).first_of_each_judge())
    if not pairs:
        return
    _, _, usages, same, kappas = zip(*pairs, strict=True)
    known = [one for one in kappas if np.isfinite(one)]
    rows: list[tuple] = [
        (names[one], names[other], agreed, kappa, common) for one, other, common, agreed, kappa in pairs
    ]
    rows.append((EVERYBODY, EVERYBODY, np.mean(same), np.mean(known) if known else None, sum(usages)))
    yield Table.of("experts", EXPERTS, rows)


def enough(study: VerdictStudy) -> Iterator[Table]:
    """Agreement of the majority of 1, 2, 3 ... judges of the crowd with experts, or with gold."""
    chosen = study.parameters
    name, rights = authority(study.expert_verdicts, study.gold, study.crowd, chosen.experts == EACH)
    drawn, usages = agreement_by_number(study.crowd_verdicts, rights, chosen.most_judges, chosen.seed, chosen.draws)
    rows = []
    for number, (agreement, kappas, many) in enumerate(zip(*drawn, usages, strict=True), 1):
        known = bool(np.isfinite(kappas).any())
        of_kappa = (float(np.nanmean(kappas)), *interval_of(kappas, chosen.level)) if known else (None, *NOT_KNOWN)
        rows.append((number, name, float(agreement.mean()), *interval_of(agreement, chosen.level), *of_kappa, many))
    yield Table.of("enough", ENOUGH, rows)


def authority(experts: Answers, gold: np.ndarray, crowd: Crowd, each: bool) -> tuple[str, np.ndarray]:
    """Name the experts, or gold for usages that the crowd judged, with a row for each standard of comparison."""
    rows = crowd_of(experts).majority[None]
    if each:
        # A row of findings for each expert, of which the last one on a usage counts.
        decided = experts.choose(experts.value != UNKNOWN)
        present, row = np.unique(decided.judge, return_inverse=True)
        rows = np.full((len(present), decided.units), np.nan)
        rows[row, decided.unit] = decided.value
    if (np.isfinite(rows) & crowd.is_decided).any():
        return BY_EACH if each else BY_MAJORITY, rows
    if (np.isfinite(gold) & crowd.is_decided).any():
        return BY_GOLD, gold[None]
    raise StatisticsError(
        "No usage that the crowd judged has a verdict of an expert or gold. Mark some judges as experts, or upload "
        "usages with gold, then make a new report."
    )


def agreement_by_number(
    crowd: Answers, rights: np.ndarray, most: int, seed: int, draws: int = 100
) -> tuple[np.ndarray, list[int]]:
    """Agreement and kappa, by n from 1 to `most` and draw, and the number of usages with n verdicts.

    The usages are those with verdicts of the crowd and known to the authority, a row of `rights` for each standard.
    """
    decided = crowd.choose(crowd.value != UNKNOWN)
    many = np.bincount(decided.unit, minlength=decided.units)
    usable = np.flatnonzero((many > 0) & np.isfinite(rights).any(axis=0))
    if not len(usable):
        raise StatisticsError("No usage that the crowd judged has a verdict of an expert or gold.")
    highest = min(most, int(np.sort(many[usable])[len(usable) // 2]))
    enough = many[usable, None] >= np.arange(1, highest + 1)
    known = np.isfinite(rights[:, usable]).astype(float)
    right = np.where(known, rights[:, usable], 0.0)
    several = known @ enough
    place = np.full(decided.units, -1)
    place[usable] = np.arange(len(usable))
    row = place[decided.unit]
    together = np.argsort(row, kind="stable")[(row < 0).sum() :]
    row, is_error = row[together], decided.value[together] == ERROR
    # The random order below keeps the rows of a usage together.
    number = np.arange(len(row)) - np.searchsorted(row, row)
    first = number < highest
    found = np.empty((draws, 2, highest))
    for draw in range(draws):
        order = np.argsort(row + generator(seed, draw).random(len(row)))
        # How many of the first n verdicts of each usage find an error, and the majority of these n.
        errors = np.zeros((len(usable), highest))
        errors[row[first], number[first]] = is_error[order][first]
        errors, half = errors.cumsum(axis=1), np.arange(1, highest + 1) / 2
        share = np.where(errors == half, 0.5, (errors > half).astype(float)) * enough
        agreeing = right @ share + (known - right) @ (enough - share)
        with np.errstate(invalid="ignore", divide="ignore"):
            observed, ours, theirs = agreeing / several, known @ share / several, right @ enough / several
        of_each = np.stack([observed, beyond_chance(observed, ours, theirs)])
        is_known = np.isfinite(of_each)
        found[draw] = ratio(np.where(is_known, of_each, 0.0).sum(axis=1), is_known.sum(axis=1))
    return np.moveaxis(found, 0, -1), enough.sum(axis=0).tolist()
