"""What a report knows besides the judgments: distinct outputs, days of work, scores of metrics."""

import json
from collections.abc import Sequence
from datetime import UTC

import numpy as np
from django.db.models import Count
from django.db.models.functions import TruncDate

from judgments.models import Assignment, Campaign, SystemOutput
from ranking.models import Metric
from ranking.stats.metaevaluation.files import Level, MetricScores
from ranking.stats.study import Besides, Day, Names


def besides_of(campaign: Campaign, names: Names, sentences: int) -> Besides:
    """All of it, with systems and judges in the order of their names in the study."""
    metrics, lacking = _metrics(campaign, names, sentences)
    return Besides(_distinct_outputs(campaign, names), days_of(campaign, names.judges), metrics, lacking)


def _distinct_outputs(campaign: Campaign, names: Names) -> np.ndarray:
    """How many distinct outputs the systems have for each sentence."""
    outputs = SystemOutput.objects.filter(system__campaign=campaign, system__name__in=names.systems)
    counted = outputs.values("candidate__segment").annotate(distinct=Count("candidate", distinct=True))
    return np.fromiter(counted.order_by("candidate__segment").values_list("distinct", flat=True), dtype=np.int64)


def days_of(campaign: Campaign, judges: Sequence[str]) -> tuple[Day, ...]:
    """How much each judge did on each day; judgments made elsewhere came all at once, and have no day.

    Days are those of UTC: the same numbers come out wherever a server stands and whatever its clock is set to.
    """
    numbers = {name: number for number, name in enumerate(judges)}
    done = Assignment.objects.filter(campaign=campaign).planned().done().filter(judge__pseudonym__in=judges)
    counted = (
        done.annotate(day=TruncDate("submitted_at", tzinfo=UTC))
        .values_list("day", "judge__pseudonym")
        .annotate(Count("pk"))
    )
    return tuple(
        sorted(Day(day.isoformat(), numbers[judge], number) for day, judge, number in counted.order_by())
    )  # fmt: skip


def _metrics(campaign: Campaign, names: Names, sentences: int) -> tuple[tuple[MetricScores, ...], dict[str, str]]:
    """Scores in the order of the systems, and why those of some metrics no longer fit."""
    metrics, lacking = [], {}
    for row in Metric.objects.of(campaign):
        scores = np.array(json.loads(row.scores), dtype=float)
        if missing := [name for name in names.systems if name not in row.systems]:
            lacking[row.name] = f"It has no score of {', '.join(missing)}. Add its file again, with all systems."
        elif row.level == Metric.Level.SENTENCE and len(scores) != sentences:
            lacking[row.name] = f"It scores {len(scores)} sentences, and there are {sentences}. Add its file again."
        else:
            columns = [row.systems.index(name) for name in names.systems]
            metrics.append(MetricScores(row.name, Level(row.level), scores[..., columns]))
    return tuple(metrics), lacking
