"""Extract ballots and covariates: distinct outputs, days of work, metric scores."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from django.db.models import Count, F, FloatField, Q, QuerySet, Value
from django.db.models.functions import Cast, Coalesce

from judgments.models import Campaign, RecordedOutput, Screen, Segment, Slot, System, SystemOutput
from judgments.protocols import protocol_of
from ranking.models import Metric
from ranking.reports.kinds.kind import Extracted
from ranking.reports.rows import UNTIMED, days_of, flat, judges_that_count, judgments_that_count, numbered
from ranking.scores.stored import scores_of
from ranking.stats.ballots import Ballots, Candidates
from ranking.stats.choices import INDEPENDENT, PEOPLE
from ranking.stats.comparisons.study import ALL, JUDGED, NOBODY, ComparisonStudy, Covariates, Names, Parameters
from ranking.stats.metaevaluation.scores import Level, MetricScores

EVERY_SENTENCE = "Its scores of systems count every sentence, not only those judged. Score the outputs again."
NO_CANDIDATE = UNKNOWN = -1.0
# Columns of a row: judgment, judge, segment, seconds, candidate, merit, weight.
WIDTH = 7


@dataclass(frozen=True)
class Collected:
    """The ballots of a campaign, the names and keys behind their numbers, and the newest judgment.

    `weights` are those of the ballots, if all are known: those of imported judgments are not. `judgments` counts those
    that were read, also about systems that are not analysed.
    """

    ballots: Ballots
    names: Names
    segments: tuple[int, ...]
    candidates: tuple[int, ...]
    weights: np.ndarray
    newest: int
    judgments: int = 0

    @property
    def of_judges(self) -> Ballots:
        """Without automatic ties, on which nobody judged."""
        judges = len(self.names.judges)
        return replace(self.ballots.choose(self.ballots.judge < judges), judges=judges)


def extract(campaign: Campaign, chosen: Parameters) -> Extracted:
    found = collect(campaign, chosen.judged_by, chosen.answers, systems=chosen.systems)
    covariates = covariates_of(campaign, found, chosen.sentences)
    are_ratings = protocol_of(campaign).has_scores
    days = days_of(campaign, found.names.judges)
    study = ComparisonStudy(found.ballots, found.names, chosen, are_ratings, covariates, days)
    return Extracted(study, found.newest, found.judgments)


def collect(
    campaign: Campaign,
    judged_by: str = PEOPLE,
    answers: str = INDEPENDENT,
    with_pilot: bool = False,
    systems: Sequence[str] = (),
) -> Collected:
    """Read the judgments that count, or those of a pilot too, sentence by sentence, automatic ties last.

    Only the outputs of these systems are read, if any are named, and the judgments that say something about them.
    """
    chosen = System.objects.filter(campaign=campaign, **({"name__in": systems} if systems else {}))
    known_systems = list(chosen.judged().order_by("name").values_list("pk", "name"))
    judges = list(judges_that_count(campaign, judged_by, answers).values_list("pk", "pseudonym"))
    segments = list(
        Segment.objects.filter(document__campaign=campaign).order_by("position").values_list("pk", "document")
    )
    known, candidates = candidates_of([pk for pk, _ in known_systems])
    judged = flat(_answers(campaign, [pk for pk, _ in judges], answers, with_pilot), WIDTH, np.float64)
    by, about = numbered(judged[:, 1], [pk for pk, _ in judges]), numbered(judged[:, 2], [pk for pk, _ in segments])
    judged = judged[np.lexsort((by, about))]  # the order IN_NO_TIME
    automatic = flat(_automatic(campaign), WIDTH, np.float64)
    if len(automatic):
        judges.append((0, NOBODY))
    rows = np.concatenate([judged, automatic])
    if systems:
        rows = _about(rows, known, candidates, fewest=1 if protocol_of(campaign).has_scores else 2)
    ballots = _in_columns(rows, judges, segments, known, candidates, len(known_systems))
    weights = rows[_is_first(rows), 6]
    weights = weights if (weights != UNKNOWN).all() else np.empty(0)
    names = Names(tuple(name for _, name in known_systems), tuple(name for pk, name in judges if pk))
    keys = tuple(pk for pk, _ in segments), tuple(known.tolist())
    return Collected(ballots, names, *keys, weights, int(judged[:, 0].max(initial=0)), int(_is_first(judged).sum()))


def candidates_of(systems: list[int]) -> tuple[np.ndarray, Candidates]:
    """Read the candidates of judged systems, and the systems of each candidate."""
    rows = [
        table._default_manager.filter(system__in=systems).order_by("candidate", "system__name")
        for table in (SystemOutput, RecordedOutput)  # no candidate is in both
    ]
    pairs = np.concatenate([flat(one.values_list("candidate", "system"), 2, np.int64) for one in rows])
    pairs = pairs[np.argsort(pairs[:, 0], kind="stable")]
    known, sizes = np.unique(pairs[:, 0], return_counts=True)
    numbers = {pk: number for number, pk in enumerate(systems)}
    members = np.fromiter((numbers[pk] for pk in pairs[:, 1].tolist()), dtype=np.int32, count=len(pairs))
    return known, Candidates(np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64), members)


def _answers(campaign: Campaign, judges: list[int], answers: str, with_pilot: bool) -> QuerySet:
    """Read a row per candidate, in the order shown; rank r becomes merit -r, a skip a row without a candidate."""
    protocol = protocol_of(campaign)
    if protocol.scale is None:
        raise ValueError(f"Nothing is compared in {protocol.name} campaigns.")
    answer = protocol.answers.model._meta.model_name
    given = F(f"{answer}__{protocol.scale.column}")
    value = given if protocol.scale.more_is_better else -given
    compared = Q(skipped=True) | Q(**{f"{answer}__{protocol.scale.column}__isnull": False})
    return (
        judgments_that_count(campaign, judges, answers, with_pilot)
        .filter(compared)  # where judges need not rank, some versions have no rank
        .order_by("pk", f"{answer}__pk")
        .values_list(
            "pk", "assignment__judge", "screen__segment",
            Coalesce("active_seconds", "wall_seconds", Value(UNTIMED), output_field=FloatField()),
            Coalesce(Cast(f"{answer}__candidate", FloatField()), Value(NO_CANDIDATE)),
            Coalesce(Cast(value, FloatField()), Value(0.0)), Coalesce("screen__weight", Value(UNKNOWN)),
        )
    )  # fmt: skip


def _automatic(campaign: Campaign) -> QuerySet:
    """Read sentences whose outputs are all identical, as ballots without a judge; their keys are negative."""
    screens = Screen.objects.filter(campaign=campaign, automatic=True)
    return (
        Slot.objects.filter(screen__in=screens)
        .order_by("screen")
        .values_list(
            -F("screen") - 1, Value(0), "screen__segment", Value(UNTIMED), "candidate", Value(1.0),
            Coalesce("screen__weight", Value(UNKNOWN)),
        )
    )  # fmt: skip


def _is_first(rows: np.ndarray) -> np.ndarray:
    """Which rows are the first of their judgment."""
    return np.append(True, rows[1:, 0] != rows[:-1, 0])[: len(rows)]


def _about(rows: np.ndarray, known: np.ndarray, candidates: Candidates, fewest: int) -> np.ndarray:
    """Leave out judgments of fewer known systems than say something; skipped ones stay."""
    ballot = np.cumsum(_is_first(rows)) - 1
    at, counts = _places(rows, known)
    systems = np.bincount(ballot, weights=np.where(counts, candidates.sizes[at], 0)) if len(rows) else ballot
    return rows[(rows[:, 4] == NO_CANDIDATE) | (systems >= fewest)[ballot]]


def _places(rows: np.ndarray, known: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The place of each row's candidate among the known ones, and whether it is among them."""
    at = np.minimum(np.searchsorted(known, rows[:, 4]), max(len(known) - 1, 0))
    return at, (known[at] == rows[:, 4]) if len(known) else np.zeros(len(rows), dtype=bool)


def _in_columns(
    rows: np.ndarray,
    judges: list[tuple[int, str]],
    segments: list[tuple[int, int]],
    known: np.ndarray,
    candidates: Candidates,
    systems: int,
) -> Ballots:
    """Group rows of one judgment into a ballot; leave out candidates without a judged system."""
    is_first = _is_first(rows)
    ballot = np.cumsum(is_first) - 1
    heads = rows[is_first]
    place, counts = _places(rows, known)
    sizes = np.bincount(ballot[counts], minlength=len(heads))
    documents, document_of = np.unique([document for _, document in segments], return_inverse=True)
    seconds = heads[:, 3].copy()
    seconds[seconds < 0] = np.nan
    return Ballots(
        systems=systems,
        judges=len(judges),
        documents=len(documents),
        judge=numbered(heads[:, 1], [pk for pk, _ in judges]),
        segment=numbered(heads[:, 2], [pk for pk, _ in segments]),
        seconds=seconds,
        starts=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        candidate=place[counts].astype(np.int32),
        merit=rows[counts, 5],
        candidates=candidates,
        document_of=document_of.reshape(-1).astype(np.int32),
    )


def covariates_of(campaign: Campaign, found: Collected, sentences: str = ALL) -> Covariates:
    """Read the covariates, with systems and judges in the order of their names in the study."""
    names, judged = found.names, None
    if sentences == JUDGED:
        judged = np.unique(found.ballots.segment)
    metrics, lacking = metrics_of(campaign, names.systems, found.ballots.segments, judged)
    outputs = SystemOutput.objects.filter(system__campaign=campaign, system__name__in=names.systems)
    counted = outputs.values("candidate__segment").annotate(distinct=Count("candidate", distinct=True))
    distinct = counted.order_by("candidate__segment").values_list("distinct", flat=True)
    return Covariates(np.fromiter(distinct, dtype=np.int64), metrics, lacking, found.weights)


def metrics_of(
    campaign: Campaign, systems: Sequence[str], sentences: int, judged: np.ndarray | None = None
) -> tuple[tuple[MetricScores, ...], dict[str, str]]:
    """Return scores in the order of the systems, and for metrics that no longer fit, why.

    With `judged`, scores of systems by the platform's own metrics are those of these sentences.
    """
    metrics, lacking = [], {}
    are_some = judged is not None and 0 < len(judged) < sentences
    of_judged = scores_of(campaign, judged) if judged is not None and are_some else {}
    for row in Metric.objects.of(campaign):
        scores = np.array(json.loads(row.scores), dtype=float)
        if missing := [name for name in systems if name not in row.systems]:
            lacking[row.name] = f"It has no score of {', '.join(missing)}. Add its file again, with all systems."
        elif row.level == Metric.Level.SENTENCE and len(scores) != sentences:
            lacking[row.name] = f"It scores {len(scores)} sentences, and there are {sentences}. Add its file again."
        else:
            columns = [row.systems.index(name) for name in systems]
            if are_some and row.level == Metric.Level.SYSTEM and row.signature:
                scores = of_judged.get((row.signature, row.name), scores)
                lacking |= {} if (row.signature, row.name) in of_judged else {row.name: EVERY_SENTENCE}
            metrics.append(MetricScores(row.name, Level(row.level), scores[..., columns]))
    return tuple(metrics), lacking
