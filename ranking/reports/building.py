"""Reports: asked for, made once, cancelled, and how one knows that a report is out of date."""

from dataclasses import asdict

from django.db import transaction

from judgments.models import Campaign, Work
from judgments.models.members import Visitor
from ranking.models import Metric, Report
from ranking.reports.attempts import Attempt
from ranking.reports.kinds.registry import kind_for, kind_of, parameters_of
from ranking.reports.rows import counted_now, is_excluded_since, is_revised_since
from ranking.stats.choices import Choices


def request_report(
    campaign: Campaign,
    user: Visitor | None = None,
    preset: str = "recommended",
    parameters: Choices | None = None,
    is_interim: bool = False,
) -> Report:
    """A new report, waiting for a worker; by a preset, or by parameters that may differ from it."""
    chosen = parameters or kind_for(campaign.protocol).study.preset(preset)
    return Report.objects.create(
        campaign=campaign,
        requested_by_id=user.pk if user else None,
        preset=preset,
        parameters=asdict(chosen),
        is_interim=is_interim,
    )


@transaction.atomic
def request_unless_waiting(campaign: Campaign, user: Visitor, preset: str, parameters: Choices) -> tuple[Report, bool]:
    """The report that the user asked for in the same words and that is not over yet, or a new one; and whether it is.

    A button that is pressed twice asks once.
    """
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    busy = Report.objects.filter(
        campaign=campaign, requested_by_id=user.pk, preset=preset, is_interim=False,
        state__in=[Work.State.QUEUED, Work.State.RUNNING],
    )  # fmt: skip
    for report in busy:
        if parameters_of(report) == parameters:
            return report, False
    return request_report(campaign, user, preset, parameters), True


def is_stale(report: Report) -> bool:
    """Whether judgments, scores of metrics or what systems say have come since, or other judges count."""
    if report.state != Work.State.DONE:
        return False
    campaign, begun, judged_by = report.campaign, report.started_at or report.created_at, report.judged_by
    return (
        counted_now(campaign, judged_by) != report.judgments
        or is_revised_since(campaign, report.newest_judgment, judged_by)
        # As many may have come as do not count any more.
        or is_excluded_since(campaign, begun, judged_by)
        or kind_of(report).other_inputs(campaign) != report.other_inputs
        or Metric.objects.of(campaign).filter(added_at__gt=begun).exists()
    )


def is_split(report_id: int) -> bool:
    """Whether several workers may draw its replicates; the live board's is too small for it."""
    report = Report.objects.select_related("campaign").filter(pk=report_id, is_interim=False).first()
    return report is not None and kind_of(report).is_splittable


def build(report_id: int) -> None:
    """Make a queued report; a second call for the same one, or a call too late, does nothing."""
    number = Report.objects.begin(report_id)
    if number is None:
        return
    attempt = Attempt(report_id, number)
    with attempt.going_on() as report:
        attempt.conclude(report, attempt.gather(report))
