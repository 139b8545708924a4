"""Access to reports: the organisers of their campaign."""

from django.http import Http404
from django.shortcuts import get_object_or_404

from judgments.campaigns.access import campaign_to_organise
from judgments.models.members import Visitor
from ranking.models import Report


def report_of(user: Visitor, pk: int) -> Report:
    report = get_object_or_404(Report.objects.select_related("campaign"), pk=pk)
    report.campaign = campaign_to_organise(user, report.campaign.slug)
    return report


def reports_to_compare(user: Visitor, pk: int, other: int) -> tuple[Report, Report]:
    reports = report_of(user, pk), report_of(user, other)
    if reports[0].campaign_id != reports[1].campaign_id:
        raise Http404("These two reports are on different campaigns.")
    return reports
