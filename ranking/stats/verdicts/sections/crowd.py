"""The crowd: what there is of it, what it says of each instance, how far it agrees."""

from collections.abc import Iterator, Sequence
from math import isnan

import numpy as np

from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.agreement.alpha import Scale, Values, alpha_estimate
from ranking.stats.days import by_day
from ranking.stats.verdicts.bins import histogram
from ranking.stats.verdicts.crowd import UNKNOWN, Verdicts
from ranking.stats.verdicts.study import VerdictStudy

INSTANCES = ("instance", "document", "domain", "errors", "ok", "unknown", "p", "agreement", "majority", "error_chance",
             "gold")  # fmt: skip
HISTOGRAM = ("low", "high", "instances", "share")
AGREEMENT = ("who", "answers", "alpha", "low", "high", "agreement", "instances", "verdicts")
CLASS_OF = "class: "
SAID = {1.0: "error", 0.0: "ok"}
CROWD, EXPERTS = "crowd", "experts"


def judgments_over_time(study: VerdictStudy) -> Iterator[Table]:
    """How many judgments came on each day, and from how many judges."""
    yield from by_day(study.days)


def crowd(study: VerdictStudy) -> Iterator[Table]:
    """What everything else is made of, a number a line."""
    crowd, of_crowd = study.crowd, study.of_crowd
    many = (crowd.told + crowd.unknown)[crowd.known]
    majority = crowd.majority[np.isfinite(crowd.majority)]
    rows = [
        ("instances", len(study.names.instances)),
        ("instances of which the crowd told", int(crowd.known.sum())),
        ("instances without a majority", int(crowd.known.sum()) - len(majority)),
        ("verdicts of the crowd", len(of_crowd)),
        ("judges of the crowd", len(np.unique(of_crowd.judge))),
        ("verdicts an instance, median", float(np.median(many))),
        ("share of unknown", float((of_crowd.finding == UNKNOWN).mean())),
        ("share of errors, by the majority", float(majority.mean()) if len(majority) else None),
        ("share of errors, by all verdicts", float(crowd.errors.sum() / crowd.told.sum())),
        ("share of instances of one mind", float((crowd.agreement[crowd.known] == 1).mean())),
        ("experts", int(study.is_expert.sum())),
        ("verdicts of experts", len(study.of_experts)),
        ("verdicts on controls", int((study.is_control & ~study.is_repeat).sum())),
        ("repeats", int(study.is_repeat.sum())),
        ("skipped", int(study.skipped.sum())),
    ]
    yield Table.of("crowd", ("what", "number"), rows)


def instances(study: VerdictStudy) -> Iterator[Table | Gap]:
    """What the crowd says of each instance, what is known of it, and what each system says."""
    crowd, names, model = study.crowd, study.names, study.model
    if not model.is_settled:
        told = "the chances of an error and the skills of judges are those of the last round; more verdicts would help."
        yield Gap("model of judges", f"It had not settled after {model.rounds} rounds: {told}")
    columns = [
        crowd.errors.tolist(), crowd.fine.tolist(), crowd.unknown.tolist(), crowd.proportion.tolist(),
        crowd.agreement.tolist(), _told(crowd.majority), np.where(crowd.known, model.error, np.nan).tolist(),
        _told(study.gold), *study.classes.tolist(),
    ]  # fmt: skip
    documents = (names.documents[number] for number in study.document.tolist())
    rows = [
        (name, document.name, document.domain, *cells)
        for name, document, *cells in zip(names.instances, documents, *columns, strict=True)
    ]
    yield Table.of("instances", (*INSTANCES, *(f"{CLASS_OF}{name}" for name in names.systems)), rows)


def _told(right: np.ndarray) -> list[str | None]:
    return [None if isnan(value) else SAID[value] for value in right.tolist()]


def agreement_histogram(study: VerdictStudy) -> Iterator[Table]:
    """How many instances have how much agreement (Figure 1)."""
    bars = histogram(study.crowd)
    known = sum(number for *_, number in bars)
    yield Table.of("agreement_histogram", HISTOGRAM, [(*bar, bar[-1] / known) for bar in bars])


def verdict_agreement(study: VerdictStudy) -> Iterator[Table]:
    """How far those of the crowd agree with each other, and so experts; without and with unknown as an answer."""
    rows, reasons = [], []
    for who, verdicts in ((CROWD, study.of_crowd), (EXPERTS, study.of_experts)):
        for answers, some in (("error, OK", verdicts.choose(verdicts.finding != UNKNOWN)),
                              ("error, OK, unknown", verdicts)):  # fmt: skip
            try:
                rows.append((who, answers, *_agreement(study, some)))
            except StatisticsError as reason:
                reasons.append(str(reason))
    if not rows:
        raise StatisticsError(reasons[0])
    yield Table.of("verdict_agreement", AGREEMENT, rows)


def _agreement(study: VerdictStudy, verdicts: Verdicts) -> Sequence[object]:
    many = np.bincount(verdicts.instance, minlength=verdicts.instances)
    several = verdicts.choose(many[verdicts.instance] > 1)
    if not len(several):
        raise StatisticsError("No instance has two verdicts, so there is no agreement to measure.")
    several = several.choose(np.argsort(several.instance, kind="stable"))
    present, unit = np.unique(several.instance, return_inverse=True)
    if len(present) < 2:
        raise StatisticsError("Only one instance has two verdicts, so drawing instances says nothing about chance.")
    unit = unit.reshape(-1)
    chosen = study.parameters
    values = Values(unit, several.finding.astype(float), unit, len(present))
    found = alpha_estimate(values, Scale.NOMINAL, chosen.replicates, chosen.seed, chosen.level)
    sizes = np.bincount(unit)
    same = sum(np.bincount(unit[several.finding == finding], minlength=len(present)) ** 2 for finding in (-1, 0, 1))
    pairwise = float(((same - sizes) / (sizes * (sizes - 1))).mean())
    return found.value, *found.interval, pairwise, len(present), len(several)
