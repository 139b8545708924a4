"""Applying the exclusion rule: while somebody waits, or by a worker if there are very many judgments."""

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
UNFINISHED = "The rule is being applied already. Wait until that has finished, or cancel it."


def request(campaign: Campaign, user: Visitor) -> ExclusionJob:
    """A job that waits for a worker; a campaign has one at a time."""
    return enqueue(create_single(ExclusionJob, UNFINISHED, campaign=campaign, requested_by_id=user.pk))


def apply_or_request(campaign: Campaign, user: Visitor) -> Applied | ExclusionJob:
    """Apply the rule while somebody waits, or request a job if there are very many judgments."""
    if judgments_by(judges_in(campaign)) > MOST_JUDGMENTS_AT_ONCE:
        return request(campaign, user)
    return exclusion.apply_rule(campaign)


@handles(ExclusionJob)
def apply_rule(job: ExclusionJob, attempt: Attempt) -> None:
    """Each judge is decided in a transaction of its own, so decisions made before the job is cancelled stay."""
    attempt.step(EXAMINING, 0.0)
    applied = exclusion.apply_rule(job.campaign, attempt.progress(0.0, 1.0))
    attempt.finish(**applied._asdict())
