"""Create reports, request them from a worker, and check whether they are out of date."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.http import Http404
from django.shortcuts import get_object_or_404

from judgments.campaigns.access import get_campaign_to_see_or_404
from judgments.campaigns.overview import has_judgments
from judgments.jobs.tasks import enqueue
from judgments.models import Assignment, Campaign, Job, Judgment, System
from judgments.models.assignments import with_answers
from judgments.models.members import Visitor
from judgments.rules.errors import Refused
from ranking.models import Metric, Report
from ranking.reports.kinds.kind import kind_for, kind_of, parameters_of
from ranking.reports.rows import counted_now, members_of, roles_of
from ranking.stats.choices import INDEPENDENT, REVISED, Choices

# The bound on the estimated work of one report, named in its message.
MOST_SECONDS = 3600


def create_report(
    campaign: Campaign,
    user: Visitor | None = None,
    preset: str = "recommended",
    parameters: Choices | None = None,
    is_interim: bool = False,
    study: str = "",
) -> Report:
    """Create a report with the parameters of a preset, or with given ones; by default of the most important kind."""
    kind = kind_for(campaign.protocol, study)
    chosen = parameters or kind.preset_for(campaign, preset)
    if systems := getattr(chosen, "systems", ()):
        known = set(System.objects.filter(campaign=campaign).judged().values_list("name", flat=True))
        if unknown := sorted({*systems} - known):
            raise Refused(f"No system {unknown[0]!r} takes part; choose from {', '.join(sorted(known))}.")
    judgments = counted_now(campaign, chosen.judged_by, getattr(chosen, "answers", INDEPENDENT))
    return Report.objects.create(
        campaign=campaign,
        requested_by_id=user.pk if user else None,
        study=kind.name,
        preset=preset,
        parameters=asdict(chosen),
        is_interim=is_interim,
        work=chosen.seconds(judgments),
    )


@transaction.atomic
def request_report(*given: Any, **choices: Any) -> Report:
    report = create_report(*given, **choices)
    if report.work > MOST_SECONDS:
        parameters = parameters_of(report)
        fewer = int(parameters.replicates * MOST_SECONDS / report.work)
        raise Refused(
            f"This report would take about {report.work / 3600:,.1f} hours, and one may take 1, "
            f"because others wait. Request at most {fewer:,} replicates instead of {parameters.replicates:,}, or leave "
            "out slow methods: TrueSkill and the models."
        )
    return enqueue(report)


def check_judged(campaign: Campaign) -> None:
    """Refuse a report that could only fail."""
    if not has_judgments(campaign):
        raise Refused("There are no judgments yet. Judge some screens, then make a new report.")


@transaction.atomic
def request_unless_waiting(campaign: Campaign, user: Visitor, study: str, preset: str, parameters: Choices) -> Report:
    """Create a report, or return the unfinished one that the user requested with the same choices.

    Pressing the button twice requests one report.
    """
    check_judged(campaign)
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    same = Report.objects.unfinished().filter(
        campaign=campaign, requested_by_id=user.pk, study=study, preset=preset, is_interim=False
    )
    for report in same:
        if parameters_of(report) == parameters:
            return report
    return request_report(campaign, user, preset, parameters, study=study)


def is_stale(report: Report) -> bool:
    """Whether judgments, scores or classifications were added, or exclusions changed, since the report."""
    if report.state != Job.State.DONE:
        return False
    campaign, begun = report.campaign, report.started_at or report.created_at
    judged_by, answers = report.judged_by, report.answers
    # EXISTS makes SQLite start from the few revised judgments; a join would start from all assignments.
    counted = Assignment.objects.filter(pk=OuterRef("assignment"), campaign=campaign, judge__excluded_at=None)
    counted = counted.filter(judge__role__in=roles_of(judged_by, answers))
    revised = Judgment.objects.filter(Exists(counted), revision__gt=1, pk__gt=report.newest_judgment)
    return (
        counted_now(campaign, judged_by, answers) != report.judgments
        or (revised if answers == REVISED else revised.current()).exists()
        # The count stays the same if as many judgments were added as excluded.
        or with_answers(members_of(campaign, judged_by).filter(excluded_at__gt=begun)).exists()
        or kind_of(report).other_inputs(campaign) != report.other_inputs
        or Metric.objects.of(campaign).filter(added_at__gt=begun).exists()
    )


def report_of(
    user: Visitor, pk: int, campaign_of: Callable[[Visitor, str], Campaign] = get_campaign_to_see_or_404
) -> Report:
    reports = Report.objects.select_related("campaign").filter(campaign__in=Campaign.objects.of(user))
    report = get_object_or_404(reports, id=pk)
    report.campaign = campaign_of(user, report.campaign.slug)
    return report


def reports_to_compare(user: Visitor, pk: int, other: int) -> tuple[Report, Report]:
    reports = report_of(user, pk), report_of(user, other)
    if reports[0].campaign_id != reports[1].campaign_id:
        raise Http404("These two reports are on different campaigns.")
    return reports
