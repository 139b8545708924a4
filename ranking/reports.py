"""Making a report: ballots in, tables out, once."""

from collections.abc import Callable
from dataclasses import asdict

from django.db import transaction
from django.utils import timezone

from judgments.access import Visitor
from judgments.faults import Refused
from judgments.heartbeat import beating
from judgments.models import Campaign, Work
from ranking.extract import collect, newest_judgment
from ranking.models import Report, ReportTable
from ranking.stats.analysis import Analysis, analyse
from ranking.stats.ballots import StatisticsError
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


def request_once(
    campaign: Campaign, user: Visitor, key: str, preset: str, parameters: Parameters
) -> tuple[Report, bool]:
    """The report that the user asked for by this key, and whether it is new; without a key it always is."""
    if not key:
        return request_report(campaign, user, preset, parameters), True
    report, is_new = Report.objects.get_or_create(
        campaign=campaign,
        requested_by_id=user.pk,
        idempotency_key=key,
        defaults={"preset": preset, "parameters": asdict(parameters)},
    )
    if (report.preset, report.chosen()) != (preset, parameters):
        raise Refused(f"You asked for report {report.pk} by this Idempotency-Key, with other choices; use another key.")
    return report, is_new


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
    are_ratings = report.campaign.protocol == Campaign.Protocol.RATING
    study = Study(found.ballots, found.names, report.chosen(), are_ratings)
    analysis = analyse(study, lambda name, done: step(name, 0.1 + 0.8 * done))
    with transaction.atomic():
        step("writing", 0.9)
        _write(report, analysis)
        mine.update(
            state=Work.State.DONE,
            progress=1,
            step="",
            judgments=len(found.ballots),
            newest_judgment=found.newest,
            signature=study.signature(),
            gaps=analysis.gaps,
            finished_at=timezone.now(),
        )


def _write(report: Report, analysis: Analysis) -> None:
    ReportTable.objects.filter(report=report).delete()
    ReportTable.objects.bulk_create(ReportTable.written(report, table) for table in analysis.tables.values())
