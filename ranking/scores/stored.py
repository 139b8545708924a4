"""Scores of a campaign's systems by metrics: imported from files or computed by jobs, stored, and removed."""

import io
import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import PurePath

import numpy as np
from django.db import transaction
from django.db.models import Q

from judgments.jobs.attempts import Attempt
from judgments.jobs.control import FINISHED_ALREADY, cancel
from judgments.jobs.tasks import enqueue
from judgments.models import Campaign, Job, Segment, System
from judgments.models.members import Visitor
from judgments.protocols import protocol_of
from judgments.rules.errors import Refused
from ranking.metrics import base
from ranking.metrics.catalogue import canonical, metric_of
from ranking.metrics.material import Material, MetricError
from ranking.metrics.scoring import score
from ranking.models import Metric, ScoringJob
from ranking.scores.files import fault_in
from ranking.scores.metric_files import read_metric_scores
from ranking.scores.texts import check_language, material_of, metric_errors_refused, outputs_of
from ranking.stats.metaevaluation.scores import MetricScores, ScoreLevel

LARGEST = 100_000_000
# Sentences of replicates at once.
MOST_DRAWN = 4_000_000
READING, COUNTING = "reading texts", "counting"


@transaction.atomic
def add_metrics(
    campaign: Campaign, name: str, content: bytes, columns: tuple[str, ...] = (), user: Visitor | None = None
) -> list[Metric]:
    """Store every metric of a file, replacing those of the same name and level, and computed ones of the same name."""
    if not protocol_of(campaign).has_outputs:
        what = "was refused: metrics score corrected sentences, but the systems of this campaign only classify usages"
        raise fault_in(name, what)
    if len(content) > LARGEST:
        raise fault_in(name, f"is larger than {LARGEST // 1_000_000} MB; give it in parts")
    systems = list(System.objects.filter(campaign=campaign).judged().order_by("name").values_list("name", flat=True))
    if not systems:
        raise fault_in(name, "came before the outputs; import the outputs of the systems first")
    sentences = Segment.objects.filter(document__campaign=campaign).count()
    label = PurePath(name).name
    found = read_metric_scores(label, content, systems, columns, sentences)
    origin = label[: Metric._meta.get_field("origin").max_length]
    longest = Metric._meta.get_field("name").max_length or 0
    if any(len(metric.metric) > longest for metric in found):
        what = f"gives a metric a name of more than {longest} characters; shorten it, or the name of the file"
        raise fault_in(origin, what)
    replaced = Metric.objects.of(campaign).filter(name__in=[metric.metric for metric in found])
    replaced.filter(Q(level=found[0].level) | ~Q(signature="")).delete()
    return _store(campaign, found, systems, user, origin=origin)


def _store(
    campaign: Campaign, found: Iterable[MetricScores], systems: Sequence[str], user: Visitor | None, **known: str
) -> list[Metric]:
    """Store scores with their origin, or their signature."""
    rows = []
    for metric in found:
        scores = metric.scores.astype(object)
        scores[np.isnan(metric.scores)] = None
        columns = {"name": metric.metric, "level": metric.level.value, "scores": json.dumps(scores.tolist())}
        by = user.pk if user else None
        rows.append(Metric(campaign=campaign, systems=list(systems), added_by_id=by, **columns, **known))
    return Metric.objects.bulk_create(rows)


@metric_errors_refused()
@transaction.atomic
def request_scoring(campaign: Campaign, metrics: Iterable[str], user: Visitor | None = None) -> list[ScoringJob]:
    """Create and enqueue a job for each metric that has no unfinished one."""
    chosen = list(dict.fromkeys(map(canonical, metrics)))
    check_language(campaign, chosen)
    return [enqueue(job) for job in create_jobs(campaign, chosen, user)]


@transaction.atomic
def create_jobs(campaign: Campaign, chosen: list[str], user: Visitor | None = None) -> list[ScoringJob]:
    """Create jobs for metrics, given by canonical name, without enqueueing them."""
    if not protocol_of(campaign).has_outputs:
        raise Refused(
            "Metrics score corrected sentences, but the systems of a verdict campaign only classify usages; "
            "its reports measure them."
        )
    # Serialises simultaneous requests.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    same = ScoringJob.objects.of(campaign).filter(about__in=chosen)
    same.filter(state__in=Job.OVER).delete()
    unfinished = set(same.values_list("about", flat=True))
    by = user.pk if user else None
    wanted = [name for name in chosen if name not in unfinished]
    return [ScoringJob.objects.create(campaign=campaign, about=name, requested_by_id=by) for name in wanted]


def cancel_scoring(campaign: Campaign) -> None:
    """Cancel every unfinished job; refuse if there is none."""
    if not sum(cancel(job) for job in ScoringJob.objects.of(campaign).unfinished()):
        raise Refused(FINISHED_ALREADY)


def score_outputs(
    job: ScoringJob, attempt: Attempt, material: Material | None = None, metric: base.Metric | None = None
) -> None:
    """Score the outputs against the references of the campaign, or against the given material.

    All scores of systems are stored, the main score of sentences, and the counts, which give scores of some sentences.
    """
    attempt.step(READING, 0.0)
    with metric_errors_refused():
        names, lines = outputs_of(job.campaign)
        metric, material = metric or metric_of(job.metric), material or material_of(job.campaign)
        attempt.step(COUNTING, 0.1)
        scored = score(metric, material, names, lines, attempt.progress(0.1, 0.9))
    tables = json.dumps({table.name: (table.columns, table.rows) for table in scored.tables})
    counts = io.BytesIO()
    np.savez_compressed(counts, counts=scored.counts, chosen=scored.candidates.chosen)
    main = scored.main_scores[0]
    found = [MetricScores(name, ScoreLevel.SYSTEM, scored.systems[name]) for name in scored.main_scores]
    found.append(MetricScores(main, ScoreLevel.SENTENCE, scored.sentences[main]))
    with transaction.atomic():
        Metric.objects.of(job.campaign).filter(name__in=scored.main_scores).delete()
        _store(job.campaign, found, names, job.requested_by, signature=scored.signature)
        attempt.finish(signature=scored.signature, tables=tables, counts=counts.getvalue())


def scores_of(
    campaign: Campaign, sentences: np.ndarray | None, times: np.ndarray | None = None
) -> dict[tuple[str, str], tuple[np.ndarray, np.ndarray | None]]:
    """Scores of systems from stored counts, by signature and name, for some sentences (None: all); and replicates.

    `times` is how often each sentence of the campaign (row) is in each replicate (column).
    """
    found: dict[tuple[str, str], tuple[np.ndarray, np.ndarray | None]] = {}
    for job in ScoringJob.objects.filter(campaign=campaign, state=Job.State.DONE).exclude(counts=b""):
        with suppress(MetricError), np.load(io.BytesIO(job.counts)) as stored:
            metric, counts, chosen = metric_of(job.metric), stored["counts"], stored["chosen"]
            scores = metric.of_systems(counts, chosen if sentences is None else chosen[:, sentences])
            drawn = {} if times is None else _drawn_scores(metric, counts, chosen, times)
            found |= {(job.signature, name): (one, drawn.get(name)) for name, one in scores.items()}
    return found


def _drawn_scores(metric: base.Metric, counts: np.ndarray, chosen: np.ndarray, times: np.ndarray) -> base.Scores:
    blocks, at_once = [], max(MOST_DRAWN // max(len(times), 1), 1)
    for first in range(0, times.shape[1], at_once):
        some = times[:, first : first + at_once].T
        drawn = np.repeat(np.arange(some.size) % len(times), some.ravel()).reshape(len(some), -1)
        blocks.append(metric.of_resampled(counts, chosen, drawn))
    return {name: np.concatenate([block[name] for block in blocks], axis=1).T for name in blocks[0]}
