"""Store metric scores, imported from files or computed, and remove them."""

import io
import json
from contextlib import suppress
from pathlib import PurePath

import numpy as np
from django.db import transaction

from judgments.models import Campaign, Job, Segment, System
from judgments.models.members import Visitor
from judgments.protocols import protocol_of
from judgments.rules.files.problems import Problem, Problems
from ranking.metrics.catalogue import metric_of
from ranking.metrics.material import MetricError
from ranking.metrics.scoring import Scored
from ranking.models import Metric, ScoringJob
from ranking.scores.metric_files import labelled, read_metric_scores
from ranking.stats.metaevaluation.scores import MetricScores, ScoreLevel

LARGEST = 100_000_000


@transaction.atomic
def add_metrics(
    campaign: Campaign, name: str, content: bytes, columns: tuple[str, ...] = (), user: Visitor | None = None
) -> list[Metric]:
    """Store every metric of a file, replacing those of the same name and level."""
    if not protocol_of(campaign).has_outputs:
        what = "was refused: metrics score corrected sentences, but the systems of this campaign only classify usages"
        raise Problems([Problem(name, None, what)])
    if len(content) > LARGEST:
        raise Problems([Problem(name, None, f"is larger than {LARGEST // 1_000_000} MB; give it in parts")])
    systems = list(System.objects.filter(campaign=campaign).judged().order_by("name").values_list("name", flat=True))
    if not systems:
        raise Problems([Problem(name, None, "came before the outputs; import the outputs of the systems first")])
    sentences = Segment.objects.filter(document__campaign=campaign).count()
    label = PurePath(name).name
    found = labelled(label, read_metric_scores(label, content, systems, columns, sentences))
    longest = Metric._meta.get_field("name").max_length or 0
    if any(len(metric.metric) > longest for metric in found):
        what = f"gives a metric a name of more than {longest} characters; shorten it, or the name of the file"
        raise Problems([Problem(_shortened(label), None, what)])
    Metric.objects.of(campaign).filter(name__in=[metric.metric for metric in found], level=found[0].level).delete()
    by = user.pk if user else None
    return Metric.objects.bulk_create(_row_of(campaign, metric, systems, label, by) for metric in found)


def _shortened(file: str) -> str:
    """A file name that fits its column."""
    return file[: Metric._meta.get_field("origin").max_length]


def remove_metric(campaign: Campaign, pk: int) -> bool:
    """Remove the scores of a metric; existing reports keep their numbers."""
    return bool(Metric.objects.of(campaign).filter(pk=pk).delete()[0])


@transaction.atomic
def keep_scores(campaign: Campaign, scored: Scored, user: Visitor | None = None) -> None:
    """Store what a metric computed: all its scores of systems, and its main score of sentences."""
    main = scored.kept[0]
    found = [MetricScores(name, ScoreLevel.SYSTEM, scored.systems[name]) for name in scored.kept]
    found.append(MetricScores(main, ScoreLevel.SENTENCE, scored.sentences[main]))
    Metric.objects.of(campaign).filter(name__in=scored.kept).delete()
    rows = [_row_of(campaign, metric, list(scored.names), "", user.pk if user else None) for metric in found]
    for row in rows:
        row.signature = scored.signature
    Metric.objects.bulk_create(rows)


def packed(scored: Scored) -> bytes:
    """The counts of a metric, and the candidate of each system for each sentence."""
    content = io.BytesIO()
    np.savez_compressed(content, counts=scored.counts, chosen=scored.candidates.chosen)
    return content.getvalue()


def scores_of(campaign: Campaign, sentences: np.ndarray) -> dict[tuple[str, str], np.ndarray]:
    """Scores of systems for some sentences, by signature and name, by the metrics whose counts are stored."""
    found: dict[tuple[str, str], np.ndarray] = {}
    for job in ScoringJob.objects.filter(campaign=campaign, state=Job.State.DONE).exclude(counts=b""):
        with suppress(MetricError), np.load(io.BytesIO(job.counts)) as stored:
            scores = metric_of(job.metric).of_systems(stored["counts"], stored["chosen"][:, sentences])
            found |= {(job.signature, name): values for name, values in scores.items()}
    return found


def _row_of(campaign: Campaign, metric: MetricScores, systems: list[str], origin: str, by: int | None) -> Metric:
    scores = metric.scores.astype(object)
    scores[np.isnan(metric.scores)] = None
    return Metric(
        campaign=campaign, name=metric.metric, level=metric.level.value, systems=systems,
        scores=json.dumps(scores.tolist()), origin=_shortened(origin), added_by_id=by,
    )  # fmt: skip
