"""The tour of the demonstration: an evaluation that is finished, one that is under way, and some to judge in."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from judgments.campaigns.access import campaigns_run_by, get_campaign_to_organise_or_404
from judgments.management.demo import FINISHED, GUEST, RUNNING
from judgments.models import Invitation
from judgments.web.views.shared import english_page
from ranking.models import Publication


@english_page("GET")
def tour(request: HttpRequest) -> HttpResponse:
    finished = get_campaign_to_organise_or_404(request.user, FINISHED)
    published = Publication.objects.filter(report__campaign=finished).defer("content").select_related("report").first()
    # Nobody sees the links of others, whatever their campaigns are called.
    own = campaigns_run_by(request.user).filter(slug__startswith=RUNNING)
    guests = Invitation.objects.filter(campaign__in=own, pseudonym=GUEST).order_by("campaign_id")
    page = {"finished": finished, "publication": published, "guests": guests.select_related("campaign")}
    return render(request, "ranking/tour.html", page | {"running": RUNNING})
