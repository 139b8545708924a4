"""Teams of a shared task: the pages behind a team's link, and the organiser's page of teams and submissions."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from judgments.campaigns import access
from judgments.material import teams
from judgments.models import Campaign, Submission, Team
from judgments.web.forms.teams import AcceptForm, HandInForm, TeamsForm
from judgments.web.views.shared import (
    View,
    campaign_page,
    in_english,
    is_too_much,
    refusals_as_errors,
    refusals_as_messages,
)


def team_page(*methods: str) -> Callable[[View], View]:
    """Serve an English page to everybody who has a team's link; the view gets the team instead of the token."""

    def decorate(view: View) -> View:
        @in_english(*methods)
        @wraps(view)
        def show(request: HttpRequest, token: str, **rest: Any) -> Any:
            return view(request, access.team_by(token), **rest)

        return show

    return decorate


@csrf_exempt  # checking the token reads the whole request, so `_hand_in` checks it after the size
@team_page("GET", "POST")
def team(request: HttpRequest, team: Team) -> HttpResponse:
    """Say what to hand in and until when, and accept files."""
    if request.method == "POST" and is_too_much(request, teams.MOST_BYTES):
        messages.error(request, teams.too_large())
        return redirect("team", team.token)
    return _hand_in(request, team)


@csrf_protect
def _hand_in(request: HttpRequest, team: Team) -> HttpResponse:
    form = HandInForm(request.POST, request.FILES) if request.method == "POST" else HandInForm()
    if form.is_valid():
        with refusals_as_errors(form):
            submission = teams.hand_in(team, form.cleaned_data["system"], form.sent())
            messages.success(request, f"Version {submission.version} of {submission.system} was received.")
            return redirect("receipt", team.token, submission.pk)
    submissions = Submission.objects.filter(team=team).defer("content").order_by("system")
    page = {"team": team, "wanted": teams.wanted(team.campaign), "submissions": submissions, "form": form}
    return render(request, "judgments/team.html", page)


@team_page("GET")
def team_source(request: HttpRequest, team: Team) -> HttpResponse:
    return _text_file(teams.source_file(team.campaign), f"{team.campaign.slug}-source.txt")


@team_page("GET")
def receipt(request: HttpRequest, team: Team, pk: int) -> HttpResponse:
    page = {
        "submission": access.submission_of(pk, team=team),
        "team": team,
        "lines": teams.wanted(team.campaign).lines,
    }
    return render(request, "judgments/receipt.html", page)


@team_page("POST")
def withdraw_submission(request: HttpRequest, team: Team, pk: int) -> HttpResponse:
    submission = access.submission_of(pk, team=team)
    with refusals_as_messages(request):
        teams.withdraw(submission)
        messages.success(request, f"{submission.system} was withdrawn.")
    return redirect("team", team.token)


@campaign_page("GET", "POST")
def submissions(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """List teams and what they handed in; invite teams, or change their deadline."""
    form = TeamsForm(request.POST) if request.method == "POST" else TeamsForm()
    if form.is_valid():
        with refusals_as_errors(form):
            teams.invite(campaign, **form.cleaned_data)
            messages.success(request, "The deadline was set. Give each team its link.")
            return redirect("submissions", campaign.slug)
    page = {
        "campaign": campaign,
        "origin": f"{request.scheme}://{request.get_host()}",
        "teams": teams.teams(campaign),
        "received": list(teams.received(campaign)),
        "sentences": campaign.segment_set.count(),
        "form": form,
    }
    return render(request, "judgments/submissions.html", page)


@campaign_page("GET")
def submission_file(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    submission = access.submission_of(pk, team__campaign=campaign)
    return _text_file(bytes(submission.content), f"{submission.team.name}-{submission.system}.txt")


@campaign_page("POST")
def revoke_team(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    team = access.team_to_organise(campaign, pk)
    teams.revoke(team)
    messages.success(request, f"The link of {team.name} was revoked. What the team handed in stays.")
    return redirect("submissions", campaign.slug)


@campaign_page("POST")
def accept_submissions(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Upload the ticked submissions; storing them is the next page's button."""
    there = Submission.objects.filter(team__campaign=campaign)
    form = AcceptForm(request.POST, there.values_list("pk", flat=True))
    if form.is_valid():
        with refusals_as_messages(request):
            return redirect(teams.accept(campaign, request.user, form.cleaned_data["chosen"]))
    for faults in form.errors.values():
        messages.error(request, " ".join(map(str, faults)))
    return redirect("submissions", campaign.slug)


def _text_file(content: str | bytes, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = content_disposition_header(True, name)
    return response
