"""The jobs that wait in a queue in the order of their turns; how many may wait, and what waits for what."""

from collections import Counter

from django.db.models import Max
from django.utils import timezone

from judgments.models import Job, heartbeats
from judgments.models.jobs import JobQuerySet, job_models
from judgments.rules.errors import Refused
from judgments.rules.turns import Served, Waiting, in_turn

Owner = tuple[int | None, int | None]
WHOSE = ("requested_by", "campaign")
# Jobs that wait in one queue at the same time.
MOST_OF_ACCOUNT, MOST_OF_CAMPAIGN = 20, 50

NO_WORKER = "No worker is running, so this waits. Ask the operator of this site to start one; nothing is lost."


def next_job(queue: str) -> Job | None:
    for pk in in_order(queue)[0]:
        if job := Job.objects.filter(pk=pk).first():
            return job
    return None


def in_order(queue: str) -> tuple[list[int], int]:
    """The numbers of waiting jobs, the next first, by turns of who requested them; and how many jobs run."""
    waiting: list[Waiting] = []
    running: Counter[Owner] = Counter()
    rows = _jobs_in(queue).unfinished().order_by("pk")
    for pk, state, *whose, since, work in rows.values_list("pk", "state", *WHOSE, "requested_at", "work"):
        if state == Job.State.QUEUED:
            waiting.append(Waiting(pk, _owner(*whose), since, work))
        else:
            running[_owner(*whose)] += 1
    served: dict[Owner, Served] = {}
    if len({job.owner for job in waiting}) > 1:
        # A start in the future is from before the clock was set back, and would count as the last one until then.
        begun = _jobs_in(queue).order_by().filter(started_at__lte=timezone.now()).values(*WHOSE)
        for *whose, last in begun.annotate(last=Max("started_at")).values_list(*WHOSE, "last"):
            owner = _owner(*whose)
            known = served.get(owner, Served(running[owner], last))
            served[owner] = Served(running[owner], max(known.last, last))
    return [job.job for job in in_turn(waiting, served)], running.total()


def _owner(user: int | None, campaign: int | None) -> Owner:
    """The account, or for what the platform requests itself, the campaign."""
    return user, None if user else campaign


def _jobs_in(queue: str) -> JobQuerySet:
    return Job.objects.filter(kind__in=[name for name, model in job_models().items() if model.queue == queue])


def refuse_too_many(job: Job) -> None:
    """Refuse a new job if too many of the same account or campaign wait in its queue, itself included."""
    if job.requested_by_id is None:  # the live board asks for one report at a time
        return
    waiting = _jobs_in(job.queue).filter(state=Job.State.QUEUED)
    for column, most, whose in (
        ("requested_by_id", MOST_OF_ACCOUNT, "You have"),
        ("campaign_id", MOST_OF_CAMPAIGN, "This campaign has"),
    ):
        owner = getattr(job, column)
        if owner and waiting.filter(**{column: owner}).count() > most:
            raise Refused(f"{whose} {most} jobs waiting, the most allowed. Wait for one to start, or cancel one.")


def outlook(job: Job) -> str:
    """What a waiting job waits for, without a word on whose jobs the others are; empty for other jobs."""
    if job.state != Job.State.QUEUED:
        return ""
    queue = job_models()[job.kind].queue
    if not heartbeats.is_served(queue, timezone.now()):
        return NO_WORKER
    order, running = in_order(queue)
    ahead = order.index(job.pk) if job.pk in order else 0
    before = f"{ahead} {'job is' if ahead == 1 else 'jobs are'} before this one" if ahead else "This one is next"
    return f"{before}; {running or 'none'} {'is' if running == 1 else 'are'} being made."
