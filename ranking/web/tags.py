"""Reports on pages that are not about reports."""

from collections.abc import Sequence

from django import template

from judgments.campaigns.overview import Run
from judgments.management.demo import FINISHED
from judgments.models import Campaign
from ranking.models import Report
from ranking.reports.downloads import answer_in

register = template.Library()


@register.filter
def has_tour(runs: Sequence[Run]) -> bool:
    return any(run.campaign.slug == FINISHED for run in runs)


@register.filter
def with_reports(runs: Sequence[Run]) -> list[tuple[Run, Report | None]]:
    """Campaigns with the newest report that was asked for in each."""
    reports = Report.objects.filter(campaign__in=[run.campaign.pk for run in runs], is_interim=False).order_by("pk")
    newest = {report.campaign_id: report for report in reports.only("campaign", "state", "finished_at")}
    return [(run, newest.get(run.campaign.pk)) for run in runs]


@register.filter
def newest_finished(campaign: Campaign) -> Report | None:
    return Report.objects.finished(campaign).first()


register.filter("answer_in", answer_in)
