"""Teams of a shared task: the page behind a team's link, and the organiser's page of teams and submissions."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header

from judgments.actions.material import InviteTeams
from judgments.campaigns import access
from judgments.material import teams
from judgments.models import Campaign, Submission
from judgments.rules.files.names import LONGEST
from judgments.rules.files.text_files import UploadedFile
from judgments.web.actions import carry_out
from judgments.web.views.shared import (
    campaign_page,
    english_page,
    refusals_as_errors,
    takes_files,
)


class HandInForm(forms.Form):
    """The outputs of one system."""

    system = forms.CharField(
        label="Name of the system",
        max_length=LONGEST,
        help_text="Letters, digits and . _ + -. A file for a system that you handed in before replaces the earlier "
        "one. Judges never see names.",
    )
    file = forms.FileField(label="File of its outputs", help_text="UTF-8 text, one sentence per line; at most 10 MB.")


@english_page("GET", "POST", needs_account=False)
@takes_files(lambda: teams.TOO_LARGE, teams.MOST_BYTES)
def team(request: HttpRequest, token: str) -> HttpResponse:
    """Say what to hand in and until when, accept files, and show their receipts."""
    team = access.get_team_or_404(token)
    form = HandInForm(request.POST, request.FILES) if request.method == "POST" else HandInForm()
    if form.is_valid():
        system, file = form.cleaned_data["system"], form.cleaned_data["file"]
        with refusals_as_errors(form):
            kept = teams.hand_in(team, system, UploadedFile(file.name, file.read()))
            messages.success(request, f"{kept.system}, version {kept.version}, was received. Its receipt is below.")
            return redirect("team", team.token)
    submissions = Submission.objects.filter(team=team).defer("content").order_by("system")
    page = {"team": team, "wanted": teams.file_requirements(team.campaign), "submissions": submissions, "form": form}
    return render(request, "judgments/team.html", page)


@english_page("GET", needs_account=False)
def team_source(request: HttpRequest, token: str) -> HttpResponse:
    campaign = access.get_team_or_404(token).campaign
    return _text_file(teams.source_file(campaign), f"{campaign.slug}-source.txt")


@campaign_page("GET", "POST", observers=False)
def submissions(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """List teams and what they handed in; invite teams, or change their deadline."""
    form = InviteTeams(campaign, None, request.user, data=request.POST or None)
    page = {
        "campaign": campaign,
        "teams": teams.teams(campaign),
        "received": list(teams.received_submissions(campaign)),
        "sentences": campaign.segment_set.count(),
        "form": form,
    }
    return carry_out(request, form) or render(request, "judgments/submissions.html", page)


@campaign_page("GET", observers=False)
def submission_file(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    submission = access.get_submission_or_404(campaign, pk)
    return _text_file(bytes(submission.content), f"{submission.team.name}-{submission.system}.txt")


def _text_file(content: str | bytes, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = content_disposition_header(True, name)
    return response
