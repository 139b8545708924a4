"""Who may see a report: the organisers of its campaign."""

from django.shortcuts import get_object_or_404

from judgments.access import Visitor, campaign_to_organise
from ranking.models import Report


def report_of(user: Visitor, pk: int) -> Report:
    """A report on a campaign that the user runs."""
    report = get_object_or_404(Report.objects.select_related("campaign"), pk=pk)
    report.campaign = campaign_to_organise(user, report.campaign.slug)
    return report
