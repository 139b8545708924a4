"""Automatic metrics at work: asked for, each carried out by itself, cancelled; scores are kept when it is done."""

import json
from collections.abc import Iterable

from django.db import transaction

from judgments.jobs.attempts import Attempt, cancel
from judgments.models import Campaign, Work
from judgments.models.members import Visitor
from judgments.protocols import protocol_of
from judgments.rules.errors import Refused
from ranking.metrics.base import Metric, Progress
from ranking.metrics.catalogue import canonical, metric_of
from ranking.metrics.material import Material
from ranking.metrics.scoring import Scored, score
from ranking.models import Scoring
from ranking.scores.refusals import metric_errors_refused
from ranking.scores.stored import keep_scores
from ranking.scores.texts import material_of, outputs_of

MISFIT = "These texts cannot be scored."
NO_OUTPUTS = (
    "Metrics score what systems made of sentences, and systems of a verdict campaign say what is an error; "
    "its reports measure them."
)
READING, COUNTING = "reading texts", "counting"


@metric_errors_refused()
def ask(campaign: Campaign, metrics: Iterable[str], user: Visitor | None = None) -> list[Scoring]:
    """A scoring for each metric, waiting for a worker; one that is not over yet is not asked for twice."""
    return queue(campaign, list(dict.fromkeys(map(canonical, metrics))), user)


@transaction.atomic
def queue(campaign: Campaign, chosen: list[str], user: Visitor | None = None) -> list[Scoring]:
    """The same under names that are known to be right."""
    if not protocol_of(campaign).has_outputs:
        raise Refused(NO_OUTPUTS)
    # Whoever asks at the same time waits.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    asked = Scoring.objects.of(campaign).filter(metric__in=chosen)
    asked.filter(state__in=Work.OVER).delete()
    busy = set(asked.values_list("metric", flat=True))
    by = user.pk if user else None
    return Scoring.objects.bulk_create(
        Scoring(campaign=campaign, metric=name, asked_by_id=by) for name in chosen if name not in busy
    )


def cancel_all(campaign: Campaign) -> int:
    """Stop every scoring that is not over; how many there were."""
    return sum(cancel(scoring) for scoring in Scoring.objects.going_on(campaign))


def run(scoring_id: int, material: Material | None = None, metric: Metric | None = None) -> None:
    """Carry out a queued scoring; against references, or by a metric, other than its own where they are given.

    A second call for the same one, or a call too late, does nothing.
    """
    attempt = Attempt.begun(Scoring.objects.all(), scoring_id, MISFIT)
    if attempt is None:
        return
    with attempt.going_on():
        attempt.step(READING, 0.0)
        scoring = Scoring.objects.select_related("campaign", "asked_by").get(pk=scoring_id)
        attempt.step(COUNTING, 0.1)
        scored = _scored(scoring, material, metric, attempt.progress(0.1, 0.9))
        with transaction.atomic():
            keep_scores(scoring.campaign, scored, scoring.asked_by)
            attempt.finish(signature=scored.signature, tables=_written(scored))


@metric_errors_refused()
def _scored(scoring: Scoring, material: Material | None, metric: Metric | None, progress: Progress) -> Scored:
    outputs = outputs_of(scoring.campaign)
    return score(
        metric or metric_of(scoring.metric),
        material or material_of(scoring.campaign),
        outputs.names,
        outputs.lines,
        progress,
    )


def _written(scored: Scored) -> str:
    return json.dumps({table.name: (table.columns, table.rows) for table in scored.tables})
