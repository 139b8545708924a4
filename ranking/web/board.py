"""The live board of a campaign, for its organisers: its progress, and the ranking so far."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render

from judgments.campaigns import overview
from judgments.judges import people, watching
from judgments.models import Campaign
from judgments.web.charts import progress_chart
from judgments.web.views.shared import campaign_page
from ranking.reports import boards, downloads
from ranking.reports.kinds.registry import kind_for
from ranking.reports.page import missing_of
from ranking.reports.rows import excluded_from_reports
from ranking.sequential.stopping import outlook_of

# Charts of the interim report that the board shows.
FIGURES = ("forest_expected-wins", "agreement")


@campaign_page("GET")
def board(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show progress, speed, forecast, and the newest interim ranking."""
    report, is_in_progress = boards.interim(campaign)
    tables = downloads.tables_of(report) if report else {}
    charts = kind_for(campaign.protocol).charts_of(tables) if report else {}
    progress = overview.progress(campaign)
    speed, judges = overview.speed(campaign, progress), people.judges(campaign)
    judged = sum(judge.done for judge in judges if judge.excluded_at is None)  # type: ignore[attr-defined]
    judged -= excluded_from_reports(campaign)
    page = {
        "campaign": campaign,
        "progress": progress,
        "progress_chart": progress_chart(campaign, progress),
        "speed": speed,
        "outlook": outlook_of(campaign, judged, speed.per_day, tables, report),
        "judges": judges,
        "alarms": watching.open_alarms(campaign),
        "report": report,
        "missing": missing_of(kind_for(campaign.protocol), report.gaps) if report else [],
        "glance": boards.glance(tables),
        "figures": [charts[name] for name in FIGURES if name in charts],
        "has_ranking": boards.has_ranking(campaign),
        "is_in_progress": is_in_progress,
    }
    return render(request, "ranking/board.html", page)


@campaign_page("POST")
def refresh_board(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Request a newer ranking; scripts are answered in JSON."""
    boards.refresh(campaign)
    if request.get_preferred_type(["text/html", "application/json"]) == "application/json":
        shown, is_in_progress = boards.interim(campaign)
        return JsonResponse({"report": shown.pk if shown else None, "going": is_in_progress})
    return redirect("board", campaign.slug)
