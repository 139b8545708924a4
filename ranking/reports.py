"""Making a report: ballots in, tables out, once."""

import json
from collections.abc import Callable
from dataclasses import asdict

from django.db import transaction
from django.utils import timezone

from judgments.access import Visitor
from judgments.heartbeat import beating
from judgments.models import Campaign, Work
from ranking.archives import zipped
from ranking.besides import besides_of
from ranking.extract import Collected, collect, newest_judgment
from ranking.models import Report, ReportInputs, ReportTable
from ranking.stats.again import ABOUT
from ranking.stats.analysis import Analysis, analyse
from ranking.stats.ballots import StatisticsError
from ranking.stats.inputs import written
from ranking.stats.parameters import PRESETS, Parameters
from ranking.stats.study import Study

Step = Callable[[str, float], None]


class Overtaken(Exception):
    """Another attempt at the same report has begun, or it was cancelled; this one must leave the rows alone."""


def request_report(
    campaign: Campaign, user: Visitor | None = None, preset: str = "recommended", parameters: Parameters | None = None
) -> Report:
    """A new report, waiting for a worker; by a preset, or by parameters that may differ from it."""
    chosen = parameters or PRESETS[preset]
    return Report.objects.create(
        campaign=campaign, requested_by_id=user.pk if user else None, preset=preset, parameters=asdict(chosen)
    )


def cancel(report: Report) -> bool:
    """Stop a report that is not over; the worker notices at its next step."""
    waiting = Report.objects.filter(pk=report.pk, state__in=[Work.State.QUEUED, Work.State.RUNNING])
    return bool(waiting.update(state=Work.State.CANCELLED, finished_at=timezone.now()))


def is_stale(report: Report) -> bool:
    """Whether judgments have come since, or other ones count."""
    return report.state == Work.State.DONE and newest_judgment(report.campaign) != report.newest_judgment


def build(report_id: int) -> None:
    """Make a queued report; a second call for the same one, or a call too late, does nothing."""
    attempt = Report.objects.begin(report_id)
    if attempt is None:
        return
    mine = Report.objects.filter(pk=report_id, attempt=attempt, state=Work.State.RUNNING)

    def step(name: str, progress: float) -> None:
        if not mine.update(step=name, progress=progress, heartbeat=timezone.now()):
            raise Overtaken

    try:
        with beating(mine):
            _make(mine, step)
    except Overtaken:
        return
    except StatisticsError as reason:
        mine.update(state=Work.State.FAILED, error=str(reason), finished_at=timezone.now())
    except Exception:
        mine.update(state=Work.State.FAILED, error="Something went wrong in the program.", finished_at=timezone.now())
        raise


def _make(mine, step: Step) -> None:
    report = mine.select_related("campaign").get()
    step("reading judgments", 0.0)
    found = collect(report.campaign)
    study = study_of(report, found)
    analysis = analyse(study, lambda name, done: step(name, 0.1 + 0.8 * done))
    with transaction.atomic():
        step("writing", 0.9)
        _write(report, study, analysis)
        mine.update(
            state=Work.State.DONE,
            progress=1,
            step="",
            judgments=study.judgments,
            newest_judgment=found.newest,
            signature=study.signature(),
            gaps=analysis.gaps,
            finished_at=timezone.now(),
        )


def study_of(report: Report, found: Collected) -> Study:
    """What was collected, with all that is known besides and the report's parameters."""
    campaign = report.campaign
    besides = besides_of(campaign, found.names, found.ballots.segments)
    are_ratings = campaign.protocol == Campaign.Protocol.RATING
    return Study(found.ballots, found.names, report.chosen(), are_ratings, besides)


def _write(report: Report, study: Study, analysis: Analysis) -> None:
    ReportTable.objects.filter(report=report).delete()
    about = json.dumps(report.about(), ensure_ascii=False, indent=1) + "\n"
    content = zipped(written(study) | {ABOUT: about})
    ReportInputs.objects.update_or_create(report=report, defaults={"content": content})
    ReportTable.objects.bulk_create(ReportTable.written(report, table) for table in analysis.tables.values())
