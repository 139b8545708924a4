"""Ballots of a campaign: the judgments of rankings and ratings that count, and the candidates that they compare."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from django.db.models import F, FloatField, Q, Value
from django.db.models.functions import Cast, Coalesce

from judgments.models import Campaign, RecordedOutput, Screen, Segment, Slot, System, SystemOutput
from judgments.protocols import protocol_of
from judgments.rules.files.names import is_source_name
from ranking.models import Metric
from ranking.reports.rows import (
    ABOUT,
    JUDGE,
    JUDGMENT,
    NO_WEIGHT,
    SECONDS,
    UNTIMED,
    VALUE,
    WEIGHT,
    answers_to,
    flat,
    judges_that_count,
    judgments_that_count,
    numbers_of,
)
from ranking.scores.stored import scores_of
from ranking.stats.ballots import BallotCandidates, Ballots, starts_of
from ranking.stats.choices import INDEPENDENT, PEOPLE
from ranking.stats.comparisons.study import Names
from ranking.stats.metaevaluation.scores import MetricScores, ScoreLevel

EVERY_SENTENCE = "Its scores of systems count every sentence, not only those judged. Score the outputs again."
OF_A_FILE = "Its scores of systems are those of a file, which may count sentences that nobody judged."
WITHOUT_COUNTS = "Its counts are not stored, so intervals hold its scores fixed. Score the outputs again."
# The values of a row: a candidate, none if the screen was skipped, and its merit.
CANDIDATE, MERIT = VALUE, VALUE + 1
NO_CANDIDATE = -1.0


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
    known_systems = list(chosen.judged().order_by("name").values_list("pk", "name", "kind"))
    judges = list(judges_that_count(campaign, judged_by, answers).values_list("pk", "pseudonym"))
    segments = list(
        Segment.objects.filter(document__campaign=campaign).order_by("position").values_list("pk", "document")
    )
    known, candidates = candidates_of([pk for pk, *_ in known_systems])
    judged = _judged_rows(campaign, judges, segments, answers, with_pilot)
    automatic = _automatic_rows(campaign, judges, segments)
    rows = np.concatenate([judged, automatic])
    is_first = _is_first(rows)
    place = np.minimum(np.searchsorted(known, rows[:, CANDIDATE]), max(len(known) - 1, 0))
    # Candidates without a judged system are left out.
    counts = known[place] == rows[:, CANDIDATE] if len(known) else np.zeros(len(rows), dtype=bool)
    if systems:
        # Judgments of fewer known systems than say something are left out; skipped ones stay.
        ballot = np.cumsum(is_first) - 1
        of_ballot = np.bincount(ballot, weights=np.where(counts, candidates.sizes[place], 0)) if len(rows) else ballot
        fewest = 1 if protocol_of(campaign).has_scores else 2
        kept = (rows[:, CANDIDATE] == NO_CANDIDATE) | (of_ballot >= fewest)[ballot]
        rows, place, counts = rows[kept], place[kept], counts[kept]
        is_first = _is_first(rows)
    heads = rows[is_first]
    documents, document_of = np.unique([document for _, document in segments], return_inverse=True)
    ballots = Ballots(
        systems=len(known_systems),
        judges=len(judges) + bool(len(automatic)),
        documents=len(documents),
        judge=heads[:, JUDGE].astype(np.int32),
        segment=heads[:, ABOUT].astype(np.int32),
        seconds=np.where(heads[:, SECONDS] < 0, np.nan, heads[:, SECONDS]),
        starts=starts_of(np.bincount((np.cumsum(is_first) - 1)[counts], minlength=len(heads))),
        candidate=place[counts].astype(np.int32),
        merit=rows[counts, MERIT],
        candidates=candidates,
        document_of=document_of.reshape(-1).astype(np.int32),
    )
    weights = heads[:, WEIGHT]
    weights = weights if (weights != NO_WEIGHT).all() else np.empty(0)
    # Systems of judgments without texts have no kind, but perhaps the name.
    sources = [name for _, name, kind in known_systems if kind == System.Kind.SOURCE or is_source_name(name)]
    names = Names(
        tuple(name for _, name, _ in known_systems), tuple(name for _, name in judges), sources[0] if sources else ""
    )
    keys = tuple(pk for pk, _ in segments), tuple(known.tolist())
    newest = int(judged[:, JUDGMENT].max(initial=0))
    return Collected(ballots, names, *keys, weights, newest, int(_is_first(judged).sum()))


def _is_first(rows: np.ndarray) -> np.ndarray:
    """Which rows are the first of their judgment."""
    return np.append(True, rows[1:, JUDGMENT] != rows[:-1, JUDGMENT])[: len(rows)]


def _judged_rows(
    campaign: Campaign, judges: list[tuple], segments: list[tuple], answers: str, with_pilot: bool
) -> np.ndarray:
    """Read a row per candidate, in the order shown; rank r becomes merit -r, a skip a row without a candidate."""
    protocol, keys = protocol_of(campaign), [pk for pk, _ in judges]
    if protocol.scale is None:
        raise ValueError(f"Nothing is compared in {protocol.name} campaigns.")
    answer = protocol.answer_model._meta.model_name
    column = f"{answer}__{protocol.scale.column}"
    # Where judges need not rank, some versions have no rank.
    compared = Q(skipped=True) | Q(**{f"{column}__isnull": False})
    return answers_to(
        judgments_that_count(campaign, keys, answers, with_pilot).filter(compared),
        "segment", keys, [pk for pk, _ in segments],
        Coalesce(Cast(f"{answer}__candidate", FloatField()), Value(NO_CANDIDATE)),
        Coalesce(Cast(F(column) if protocol.scale.more_is_better else -F(column), FloatField()), Value(0.0)),
        order=f"{answer}__pk",
    )  # fmt: skip


def _automatic_rows(campaign: Campaign, judges: list[tuple], segments: list[tuple]) -> np.ndarray:
    """Read sentences whose outputs are all identical, as ballots of a judge without a name; their keys are negative."""
    screens = Screen.objects.filter(campaign=campaign, automatic=True)
    given = Slot.objects.filter(screen__in=screens).order_by("screen").values_list(
        -F("screen") - 1, Value(len(judges)), "screen__segment", Value(UNTIMED),
        Coalesce("screen__weight", Value(NO_WEIGHT)), Value(0), Value(0), "candidate", Value(1.0),
    )  # fmt: skip
    rows = flat(given, MERIT + 1, np.float64)
    rows[:, ABOUT] = numbers_of(rows[:, ABOUT], [pk for pk, _ in segments])
    return rows


def candidates_of(systems: list[int]) -> tuple[np.ndarray, BallotCandidates]:
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
    return known, BallotCandidates(starts_of(sizes), members)


def metrics_of(
    campaign: Campaign,
    systems: Sequence[str],
    sentences: int,
    judged: np.ndarray | None = None,
    times: np.ndarray | None = None,
) -> tuple[tuple[MetricScores, ...], dict[str, str]]:
    """Return scores in the order of the systems, and for metrics that no longer fit, why.

    With `judged`, scores of systems by the platform's own metrics are those of these sentences. With `times`, how often
    each sentence (row) is in each replicate (column), they come with replicates.
    """
    metrics, lacking = [], {}
    are_some = judged is not None and 0 < len(judged) < sentences
    again = scores_of(campaign, judged if are_some else None, times) if are_some or times is not None else {}
    for row in Metric.objects.of(campaign):
        scores = np.array(json.loads(row.scores), dtype=float)
        if missing := [name for name in systems if name not in row.systems]:
            lacking[row.name] = f"It has no score of {', '.join(missing)}. Add its file again, with all systems."
        elif row.level == Metric.Level.SENTENCE and len(scores) != sentences:
            lacking[row.name] = f"It scores {len(scores)} sentences, and there are {sentences}. Add its file again."
        else:
            columns, replicates = [row.systems.index(name) for name in systems], None
            if row.level == Metric.Level.SYSTEM and not row.signature:
                lacking |= {row.name: OF_A_FILE} if are_some else {}
            elif row.level == Metric.Level.SYSTEM:
                of_some, drawn = again.get((row.signature, row.name), (None, None))
                replicates = None if drawn is None else drawn[:, columns]
                if of_some is None and (are_some or times is not None):
                    lacking[row.name] = EVERY_SENTENCE if are_some else WITHOUT_COUNTS
                scores = scores if of_some is None else of_some
            metrics.append(MetricScores(row.name, ScoreLevel(row.level), scores[..., columns], replicates))
    return tuple(metrics), lacking
