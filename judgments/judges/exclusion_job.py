"""Applying the exclusion rule: within the request, or in a worker if there are very many judgments."""

from judgments.jobs.attempts import Attempt
from judgments.jobs.control import create_single
from judgments.jobs.kinds import handles
from judgments.jobs.tasks import enqueue
from judgments.judges import exclusion
from judgments.judges.exclusion import Applied
from judgments.models import Campaign, ExclusionJob
from judgments.models.counts import judges_in, judgments_by
from judgments.models.members import Visitor

# These take a few seconds, for which a page can wait.
MOST_JUDGMENTS_AT_ONCE = 200_000
EXAMINING = "examining judges"
UNFINISHED = "The rule is already being applied. Wait until that job has finished, or cancel it."


def request(campaign: Campaign, user: Visitor) -> ExclusionJob:
    """Create a job for a worker; a campaign has at most one at a time."""
    return enqueue(create_single(ExclusionJob, UNFINISHED, campaign=campaign, requested_by_id=user.pk))


def apply_or_request(campaign: Campaign, user: Visitor) -> Applied | ExclusionJob:
    """Apply the rule within the request, or create a job if there are very many judgments."""
    if judgments_by(judges_in(campaign)) > MOST_JUDGMENTS_AT_ONCE:
        return request(campaign, user)
    return exclusion.apply_rule(campaign)


@handles(ExclusionJob)
def apply_rule(job: ExclusionJob, attempt: Attempt) -> None:
    """Apply the rule in a worker. Each judge has a transaction of their own, so decisions survive a cancelled job."""
    attempt.step(EXAMINING, 0.0)
    applied = exclusion.apply_rule(job.campaign, attempt.progress(0.0, 1.0))
    attempt.finish(**applied._asdict())
