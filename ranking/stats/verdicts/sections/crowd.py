"""Sections on the crowd: its size, its verdict on each usage, its agreement."""

from collections.abc import Iterator, Sequence
from math import isnan

import numpy as np

from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.agreement.alpha import Scale, Values, alpha_estimate
from ranking.stats.verdicts.bins import histogram
from ranking.stats.verdicts.crowd import UNKNOWN, Verdicts
from ranking.stats.verdicts.study import VerdictStudy

USAGES = ("instance", "document", "domain", "errors", "ok", "unknown", "p", "agreement", "majority", "error_chance",
             "gold")  # fmt: skip
HISTOGRAM = ("low", "high", "instances", "share")
AGREEMENT = ("who", "answers", "alpha", "low", "high", "agreement", "instances", "verdicts")
CLASS_OF = "class: "
FINDINGS = {1.0: "error", 0.0: "ok"}
CROWD, EXPERTS = "crowd", "experts"


def crowd(study: VerdictStudy) -> Iterator[Table]:
    """Basic numbers, one per row."""
    crowd, crowd_verdicts = study.crowd, study.crowd_verdicts
    many = (crowd.decided + crowd.unknown)[crowd.known]
    majority = crowd.majority[np.isfinite(crowd.majority)]
    rows = [
        ("instances", len(study.names.usages)),
        ("instances that the crowd decided", int(crowd.known.sum())),
        ("instances without a majority", int(crowd.known.sum()) - len(majority)),
        ("verdicts of the crowd", len(crowd_verdicts)),
        ("judges of the crowd", len(np.unique(crowd_verdicts.judge))),
        ("verdicts an instance, median", float(np.median(many))),
        ("share of unknown", float((crowd_verdicts.finding == UNKNOWN).mean())),
        ("share of errors, by the majority", float(majority.mean()) if len(majority) else None),
        ("share of errors, by all verdicts", float(crowd.errors.sum() / crowd.decided.sum())),
        ("share of instances without disagreement", float((crowd.agreement[crowd.known] == 1).mean())),
        ("experts", int(study.is_expert.sum())),
        ("verdicts of experts", len(study.expert_verdicts)),
        ("verdicts on controls", int((study.is_control & ~study.is_repeat).sum())),
        ("repeats", int(study.is_repeat.sum())),
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
    if undecided := int((crowd.known & (model.error == 0.5)).sum()):
        yield Gap(
            "undecided instances",
            f"The verdicts on {undecided} of {int(crowd.known.sum())} instances fit an error as well as none, so "
            "error_chance is 0.5 there. More verdicts would help.",
        )
    columns = [
        crowd.errors.tolist(), crowd.fine.tolist(), crowd.unknown.tolist(), crowd.proportion.tolist(),
        crowd.agreement.tolist(), _findings(crowd.majority), np.where(crowd.known, model.error, np.nan).tolist(),
        _findings(study.gold), *study.classes.tolist(),
    ]  # fmt: skip
    documents = (names.documents[number] for number in study.document.tolist())
    rows = [
        (name, document.name, document.domain, *cells)
        for name, document, *cells in zip(names.usages, documents, *columns, strict=True)
    ]
    yield Table.of("instances", (*USAGES, *(f"{CLASS_OF}{name}" for name in names.systems)), rows)


def _findings(right: np.ndarray) -> list[str | None]:
    return [None if isnan(value) else FINDINGS[value] for value in right.tolist()]


def agreement_histogram(study: VerdictStudy) -> Iterator[Table]:
    """Number of usages by agreement (Figure 1)."""
    bars = histogram(study.crowd)
    known = sum(number for *_, number in bars)
    yield Table.of("agreement_histogram", HISTOGRAM, [(*bar, bar[-1] / known) for bar in bars])


def verdict_agreement(study: VerdictStudy) -> Iterator[Table]:
    """Agreement of the crowd and of experts, without and with unknown as an answer."""
    rows, reasons = [], []
    for who, verdicts in ((CROWD, study.crowd_verdicts), (EXPERTS, study.expert_verdicts)):
        for answers, chosen in (("error, OK", verdicts.choose(verdicts.finding != UNKNOWN)),
                                ("error, OK, unknown", verdicts)):  # fmt: skip
            try:
                rows.append((who, answers, *_agreement(study, chosen)))
            except StatisticsError as reason:
                reasons.append(str(reason))
    if not rows:
        raise StatisticsError(reasons[0])
    yield Table.of("verdict_agreement", AGREEMENT, rows)


def _agreement(study: VerdictStudy, verdicts: Verdicts) -> Sequence[object]:
    many = np.bincount(verdicts.usage, minlength=verdicts.usages)
    several = verdicts.choose(many[verdicts.usage] > 1)
    if not len(several):
        raise StatisticsError("No usage has two verdicts, so there is no agreement to measure.")
    several = several.choose(np.argsort(several.usage, kind="stable"))
    present, unit = np.unique(several.usage, return_inverse=True)
    if len(present) < 2:
        raise StatisticsError("Only one usage has two verdicts, so drawing usages says nothing about chance.")
    chosen = study.parameters
    values = Values(unit, several.finding.astype(float), unit, len(present))
    found = alpha_estimate(values, Scale.NOMINAL, chosen.replicates, chosen.seed, chosen.level)
    sizes = np.bincount(unit)
    same = sum(np.bincount(unit[several.finding == finding], minlength=len(present)) ** 2 for finding in (-1, 0, 1))
    pairwise = float(((same - sizes) / (sizes * (sizes - 1))).mean())
    return found.value, *found.interval, pairwise, len(present), len(several)
