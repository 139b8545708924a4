"""What the worker does for reports and scorings; each task takes an id or nothing, and can run twice."""

from collections.abc import Sequence
from typing import Any

from celery import chord, group, shared_task
from celery.signals import worker_ready
from django.conf import settings
from django.db import transaction

from judgments import tasks as collecting
from judgments.jobs.queues import send
from judgments.models import Work
from ranking.models import Report, Scoring
from ranking.reports import building, splitting
from ranking.scores import jobs
from ranking.stats.comparisons.splitting import Part


@shared_task(name="ranking.build_report")
def build_report(report_id: int) -> None:
    """Make one report, here or by as many workers as the settings say, if it can be split."""
    workers = settings.REPORT_WORKERS
    if workers == 1 or not building.is_split(report_id):
        building.build(report_id)
    elif prepared := splitting.prepare(report_id, workers):
        attempt, parts = prepared
        chord(group(draw_part.s(report_id, attempt, *part) for part in parts))(conclude_report.si(report_id, attempt))


@shared_task(name="ranking.draw_part", ignore_result=False)
def draw_part(report_id: int, attempt: int, method: str, unit: str, first: int, number: int) -> None:
    """Draw some of a report's replicates."""
    splitting.draw(report_id, attempt, Part(method, unit, first, number))


@shared_task(name="ranking.conclude_report")
def conclude_report(report_id: int, attempt: int) -> None:
    """Make a report from the replicates that all workers drew."""
    splitting.conclude(report_id, attempt)


@shared_task(name="ranking.sweep_reports")
def sweep_reports() -> None:
    """Queue again what a killed worker left behind or a lost message never brought."""
    for pk in Report.objects.revive():
        build_report.delay(pk)


@shared_task(name="ranking.score_outputs")
def score_outputs(scoring_id: int) -> None:
    """Score the outputs of a campaign by one metric."""
    jobs.run(scoring_id)


@shared_task(name="ranking.sweep_scorings")
def sweep_scorings() -> None:
    """The same for scorings."""
    for pk in Scoring.objects.revive():
        score_outputs.delay(pk)


@worker_ready.connect
def sweep_at_start(**_: object) -> None:
    """A worker that comes up looks for stale work at once."""
    sweep_reports.delay()
    sweep_scorings.delay()


def enqueue(work: Report | Scoring) -> None:
    """Hand a report or a scoring to a worker once its row is there for all to see."""
    task = build_report if isinstance(work, Report) else score_outputs
    transaction.on_commit(lambda: send(task, work.pk))


def enqueue_any(work: Work) -> None:
    """The same for whatever work there is."""
    if isinstance(work, Report | Scoring):
        enqueue(work)
    else:
        collecting.enqueue(work)


def give_back(task: str, words: Sequence[Any]) -> bool:
    """Let another worker take up what a task of this name is at; not what is only a part of work, or soon over."""
    kind = _WORK_OF.get(task)
    if kind is None or not kind.objects.give_back(words[0]):
        return False
    enqueue_any(kind.objects.get(pk=words[0]))
    return True


_WORK_OF: dict[str, Any] = {build_report.name: Report, score_outputs.name: Scoring} | collecting.WORK_OF
