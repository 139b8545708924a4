"""What the crowd says of usages: how much there is, the verdict on each usage, and how far people agree.

Agreement is that of every two verdicts on a usage, averaged over usages, and Krippendorff's alpha.

Toy: of four usages two judges say error error, error error, error OK, OK OK: three of four pairs agree, and as 5 of 8
verdicts are errors, alpha = 1 - (2/8) / (2 5 3 / (8 7)) = 0.533.
"""

from collections.abc import Iterator
from math import isnan

import numpy as np

from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.agreement.alpha import alpha_estimate
from ranking.stats.answers import Scale
from ranking.stats.verdicts.crowd import UNKNOWN
from ranking.stats.verdicts.study import VerdictStudy

USAGES = ("usage", "document", "domain", "errors", "ok", "unknown", "p", "agreement", "majority", "error_chance",
          "gold")  # fmt: skip
AGREEMENT = ("who", "answers", "alpha", "low", "high", "agreement", "usages", "verdicts")
CLASS_OF = "class: "
FINDINGS = {1.0: "error", 0.0: "ok"}


def crowd(study: VerdictStudy) -> Iterator[Table]:
    """Basic numbers, one per row."""
    crowd, crowd_verdicts, everything = study.crowd, study.crowd_verdicts, study.verdicts
    many = (crowd.decisions + crowd.unknown)[crowd.is_decided]
    majority = crowd.majority[np.isfinite(crowd.majority)]
    rows = [
        ("usages", len(study.names.usages)),
        ("usages that the crowd decided", int(crowd.is_decided.sum())),
        ("usages without a majority", int(crowd.is_decided.sum()) - len(majority)),
        ("verdicts of the crowd", len(crowd_verdicts)),
        ("judges of the crowd", len(np.unique(crowd_verdicts.judge))),
        ("verdicts a usage, median", float(np.median(many))),
        ("share of unknown", float((crowd_verdicts.value == UNKNOWN).mean())),
        ("share of errors, by the majority", float(majority.mean()) if len(majority) else None),
        ("share of errors, by all verdicts", float(crowd.errors.sum() / crowd.decisions.sum())),
        ("share of usages without disagreement", float((crowd.agreement[crowd.is_decided] == 1).mean())),
        ("experts", int(study.is_expert.sum())),
        ("verdicts of experts", len(study.expert_verdicts)),
        ("verdicts on controls", int((everything.is_control & ~everything.is_repeat).sum())),
        ("repeats", int(everything.is_repeat.sum())),
        ("skipped", int(study.skipped.sum())),
    ]
    yield Table.of("crowd", ("what", "number"), rows)


def usages(study: VerdictStudy) -> Iterator[Table | Gap]:
    """Each usage with the verdict of the crowd, gold, and the class by each system."""
    crowd, names, model = study.crowd, study.names, study.model
    if not model.is_settled:
        yield Gap(
            "model of judges",
            f"The model did not converge in {model.rounds} rounds: the error probabilities and the skills of judges "
            "are those of the last round. More verdicts would help.",
        )
    if undecided := int((crowd.is_decided & (model.error == 0.5)).sum()):
        yield Gap(
            "undecided usages",
            f"The verdicts on {undecided} of {int(crowd.is_decided.sum())} usages fit an error as well as none, so "
            "error_chance is 0.5 there. More verdicts would help.",
        )
    majority, gold = (
        [None if isnan(value) else FINDINGS[value] for value in each.tolist()] for each in (crowd.majority, study.gold)
    )
    columns = [
        crowd.errors, crowd.fine, crowd.unknown, crowd.proportion, crowd.agreement, majority,
        np.where(crowd.is_decided, model.error, np.nan), gold, *study.classes,
    ]  # fmt: skip
    documents = (names.documents[number] for number in study.document.tolist())
    rows = [(name, *document, *cells) for name, document, *cells in zip(names.usages, documents, *columns, strict=True)]
    yield Table.of("usages", (*USAGES, *(f"{CLASS_OF}{name}" for name in names.systems)), rows)


def verdict_agreement(study: VerdictStudy) -> Iterator[Table]:
    """Agreement of the crowd and of experts, without and with unknown as an answer."""
    rows, reasons, chosen = [], [], study.parameters
    drawn = chosen.replicates, chosen.seed, chosen.level
    for who, verdicts in (("crowd", study.crowd_verdicts), ("experts", study.expert_verdicts)):
        decided = verdicts.choose(verdicts.value != UNKNOWN)
        for answers, given in (("error, OK", decided), ("error, OK, unknown", verdicts)):
            several = given.choose(np.bincount(given.unit, minlength=given.units)[given.unit] > 1)
            present, unit, sizes = np.unique(several.unit, return_inverse=True, return_counts=True)
            if len(present) < 2:
                number = "Only one usage has" if len(present) else "No usage has"
                why = "drawing usages says nothing about chance" if len(present) else "there is no agreement to measure"
                reasons.append(f"{number} two verdicts, so {why}.")
                continue
            same = sum(np.bincount(unit[several.value == value], minlength=len(present)) ** 2 for value in (-1, 0, 1))
            pairwise = float(((same - sizes) / (sizes * (sizes - 1))).mean())
            try:
                alpha = alpha_estimate(several, Scale.NOMINAL, *drawn)
            except StatisticsError as reason:
                reasons.append(str(reason))
                continue
            rows.append((who, answers, alpha.value, *alpha.interval, pairwise, len(present), len(several)))
    if not rows:
        raise StatisticsError(reasons[0])
    yield Table.of("verdict_agreement", AGREEMENT, rows)
