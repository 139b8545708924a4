"""Jobs that score outputs, one for each automatic metric."""

import json
from collections.abc import Iterable

from django.db import transaction

from judgments.jobs.attempts import Attempt
from judgments.jobs.control import FINISHED_ALREADY, cancel
from judgments.jobs.tasks import enqueue
from judgments.models import Campaign, Job
from judgments.models.members import Visitor
from judgments.protocols import protocol_of
from judgments.rules.errors import Refused
from ranking.metrics.base import Metric
from ranking.metrics.catalogue import canonical, metric_of
from ranking.metrics.material import Material
from ranking.metrics.scoring import score
from ranking.models import ScoringJob
from ranking.scores.languages import check_language
from ranking.scores.stored import keep_scores, packed
from ranking.scores.texts import material_of, metric_errors_refused, outputs_of

NO_OUTPUTS = (
    "Metrics score corrected sentences, but the systems of a verdict campaign only classify usages; "
    "its reports measure them."
)
READING, COUNTING = "reading texts", "counting"


@metric_errors_refused()
@transaction.atomic
def request(campaign: Campaign, metrics: Iterable[str], user: Visitor | None = None) -> list[ScoringJob]:
    """Create and enqueue a job for each metric that has no unfinished one."""
    chosen = list(dict.fromkeys(map(canonical, metrics)))
    check_language(campaign, chosen)
    return [enqueue(job) for job in create(campaign, chosen, user)]


@transaction.atomic
def create(campaign: Campaign, chosen: list[str], user: Visitor | None = None) -> list[ScoringJob]:
    """Create jobs for metrics, given by canonical name, without enqueueing them."""
    if not protocol_of(campaign).has_outputs:
        raise Refused(NO_OUTPUTS)
    # Serialises simultaneous requests.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    same = ScoringJob.objects.of(campaign).filter(about__in=chosen)
    same.filter(state__in=Job.OVER).delete()
    unfinished = set(same.values_list("about", flat=True))
    by = user.pk if user else None
    wanted = [name for name in chosen if name not in unfinished]
    return [ScoringJob.objects.create(campaign=campaign, about=name, requested_by_id=by) for name in wanted]


def cancel_all(campaign: Campaign) -> None:
    """Cancel every unfinished job; refuse if there is none."""
    if not sum(cancel(job) for job in ScoringJob.objects.of(campaign).unfinished()):
        raise Refused(FINISHED_ALREADY)


def score_outputs(
    job: ScoringJob, attempt: Attempt, material: Material | None = None, metric: Metric | None = None
) -> None:
    """Score the outputs against the references of the campaign, or against the given material."""
    attempt.step(READING, 0.0)
    with metric_errors_refused():
        names, lines = outputs_of(job.campaign)
        metric, material = metric or metric_of(job.metric), material or material_of(job.campaign)
        attempt.step(COUNTING, 0.1)
        scored = score(metric, material, names, lines, attempt.progress(0.1, 0.9))
    tables = json.dumps({table.name: (table.columns, table.rows) for table in scored.tables})
    with transaction.atomic():
        keep_scores(job.campaign, scored, job.requested_by)
        attempt.finish(signature=scored.signature, tables=tables, counts=packed(scored))
