"""The live board of a campaign, for its organisers: its progress, and the ranking so far."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from judgments.campaigns import overview
from judgments.campaigns.access import campaign_to_organise
from judgments.judges import people
from judgments.web.charts.progress_curve import progress_chart
from judgments.web.views.shared import in_english
from ranking.reports import boards, downloads
from ranking.reports.kinds.registry import kind_for
from ranking.reports.page import missing_of

# What the interim report shows of itself.
FIGURES = ("forest_expected-wins", "agreement")


@require_safe
@login_required
@in_english
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """Show progress, speed, forecast, and the newest interim ranking."""
    campaign = campaign_to_organise(request.user, slug)
    report = boards.newest(campaign)
    tables = downloads.tables_of(report) if report else {}
    charts = kind_for(campaign.protocol).charts_of(tables) if report else {}
    progress = overview.progress(campaign)
    page = {
        "campaign": campaign,
        "progress": progress,
        "progress_chart": progress_chart(campaign, progress),
        "speed": overview.speed(campaign, progress),
        "judges": people.judges(campaign),
        "report": report,
        "missing": missing_of(kind_for(campaign.protocol), report.gaps) if report else [],
        "glance": boards.glance(tables),
        "figures": [charts[name] for name in FIGURES if name in charts],
        "ranks": boards.ranks(campaign),
        "is_going": boards.is_going(campaign),
    }
    return render(request, "ranking/board.html", page)


@require_POST
@login_required
@in_english
def refresh_board(request: HttpRequest, slug: str) -> HttpResponse:
    """Request a newer ranking; a script learns whether one is in progress."""
    campaign = campaign_to_organise(request.user, slug)
    boards.refresh(campaign)
    if request.get_preferred_type(["text/html", "application/json"]) == "application/json":
        shown = boards.newest(campaign)
        return JsonResponse({"report": shown.pk if shown else None, "going": boards.is_going(campaign)})
    return redirect("board", slug)
