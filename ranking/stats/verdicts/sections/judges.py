"""Sections on judges of verdicts: how many are enough, agreement of experts, and each judge."""

from collections.abc import Iterator

import numpy as np

from ranking.numbers.intervals import wilson
from ranking.numbers.tables import Table
from ranking.stats.verdicts.judges import (
    Reliability,
    agreement_by_number,
    authority,
    by_judge,
    pairs_of_experts,
    reliability,
    repeats_of,
)
from ranking.stats.verdicts.parameters import EACH
from ranking.stats.verdicts.study import VerdictStudy

ENOUGH = ("judges", "against", "agreement", "agreement_low", "agreement_high", "kappa", "kappa_low", "kappa_high",
          "instances")  # fmt: skip
EXPERTS = ("expert", "other", "agreement", "kappa", "instances")
JUDGES = ("judge", "expert", "verdicts", "unknown", "skipped", "median_seconds", "gold", "right", "right_share",
          "right_low", "right_high", "with_others", "agreeing", "agreeing_share", "agreeing_low", "agreeing_high",
          "others_kappa", "repeats", "same", "sensitivity", "specificity")  # fmt: skip
NOT_KNOWN = (None, None)
EVERYBODY = "everybody"


def enough(study: VerdictStudy) -> Iterator[Table]:
    """Agreement of the majority of 1, 2, 3 ... judges of the crowd with experts, or with gold."""
    chosen = study.parameters
    name, rights = authority(study.expert_verdicts, study.gold, study.crowd, chosen.experts == EACH)
    rows = [
        (one.judges, name, one.agreement, *one.agreement_range, one.kappa, *(one.kappa_range or NOT_KNOWN),
         one.usages)
        for one in agreement_by_number(study.crowd_verdicts, rights, chosen.most_judges, chosen.seed,
                                       chosen.draws, chosen.level)
    ]  # fmt: skip
    yield Table.of("enough", ENOUGH, rows)


def experts(study: VerdictStudy) -> Iterator[Table]:
    """Agreement of every two experts on common usages, and the mean, which a crowd can be expected to reach."""
    pairs = pairs_of_experts(study.expert_verdicts)
    if not pairs:
        return
    names = study.names.judges
    rows: list[tuple] = [(names[one.one], names[one.other], one.agreement, one.kappa, one.usages) for one in pairs]
    kappas = [one.kappa for one in pairs if one.kappa is not None]
    mean = float(np.mean([one.agreement for one in pairs]))
    rows.append((EVERYBODY, EVERYBODY, mean, float(np.mean(kappas)) if kappas else None,
                 sum(one.usages for one in pairs)))  # fmt: skip
    yield Table.of("experts", EXPERTS, rows)


def judges(study: VerdictStudy) -> Iterator[Table]:
    """A row per judge: counts, time, accuracy on gold, agreement with others and with own repeats, skill."""
    first = study.first
    is_in_crowd = ~study.is_control[~study.is_repeat] & ~study.is_expert[first.judge]
    lines = reliability(first, study.gold, study.crowd, is_in_crowd)
    again = repeats_of(study.verdicts, study.is_repeat)
    timed = np.isfinite(study.seconds)
    seconds = by_judge(study.verdicts.judge[timed], study.seconds[timed])
    decided = np.bincount(study.crowd_verdicts.judge[study.crowd_verdicts.finding >= 0], minlength=first.judges)
    skills = zip(study.model.sensitivity.tolist(), study.model.specificity.tolist(), strict=True)
    rows = [
        _row(study, line, repeats, seconds.get(line.judge), skill if decided[line.judge] else NOT_KNOWN)
        for line, repeats, skill in zip(lines, again, skills, strict=True)
    ]
    yield Table.of("verdict_judges", JUDGES, rows)


def _row(
    study: VerdictStudy, line: Reliability, repeats: tuple, seconds: np.ndarray | None, skill: tuple
) -> tuple[object, ...]:
    level = study.parameters.level
    median = None if seconds is None else float(np.median(seconds))
    return (
        study.names.judges[line.judge], bool(study.is_expert[line.judge]), line.verdicts, line.unknown,
        int(study.skipped[line.judge]), median, line.gold, line.right, line.right / line.gold if line.gold else None,
        *(wilson(line.right, line.gold, level) or NOT_KNOWN), line.with_others, line.agreeing,
        line.agreeing / line.with_others if line.with_others else None,
        *(wilson(line.agreeing, line.with_others, level) or NOT_KNOWN), line.kappa, *repeats, *skill,
    )  # fmt: skip
