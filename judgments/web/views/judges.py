"""The judges of a campaign, people and programs, and the links that admit them."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from judgments.campaigns import access
from judgments.judges import exclusion, invitations, mailing, people
from judgments.judges import programs as program_services
from judgments.models import Campaign, ExclusionJob, MailJob, Membership, Team
from judgments.protocols import protocol_of
from judgments.rules.crowd_platforms import PROLIFIC_QUERY
from judgments.web.forms.judges import (
    ExpertForm,
    InvitationForm,
    MailForm,
    ProgramForm,
    QuotaForm,
    ReasonForm,
    RevokeForm,
    SharedLinkForm,
)
from judgments.web.views.shared import campaign_page, refusals_as_errors, refusals_as_messages


@campaign_page("GET")
def judges(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """List all judges, and offer ways to invite more."""
    page = {
        "campaign": campaign,
        "origin": f"{request.scheme}://{request.get_host()}",
        "judges": people.judges(campaign),
        "protocol": protocol_of(campaign),
        "compared_at": people.compared_at(campaign),
        "invitations": people.personal_links(campaign).filter(membership=None),
        "rule": exclusion.rule_of(campaign),
        "exclusion_job": ExclusionJob.objects.newest(campaign),
        "shared_links": people.shared_links(campaign),
        "prolific_query": PROLIFIC_QUERY,
        "to_mail": people.links_to_mail(campaign).count() if mailing.is_possible() else 0,
        "mail_job": MailJob.objects.newest(campaign) if mailing.is_possible() else None,
        "mail_form": MailForm(auto_id="mail_%s"),
        "invitation_form": InvitationForm(auto_id="invitation_%s"),
        "shared_link_form": SharedLinkForm(auto_id="shared_link_%s"),
    }
    return render(request, "judgments/judges.html", page)


@campaign_page("POST")
def invite(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Create personal links for new judges."""

    def make(given: dict[str, Any]) -> str:
        made = invitations.invite(campaign, **given)
        return f"{len(made)} invited. Give each judge the link below."

    return _carry_out(request, campaign, InvitationForm(request.POST), make, "Nobody was invited")


@campaign_page("GET", observers=False)
def invitations_csv(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Send all personal links as a table for a mail program."""

    def address_of(token: str) -> str:
        return request.build_absolute_uri(reverse("join", args=[token]))

    response = HttpResponse(people.links_csv(campaign, address_of), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{campaign.slug}-invitations.csv"'
    response["Cache-Control"] = "no-store"
    return response


@campaign_page("POST")
def mail_links(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Mail personal links to judges invited by mail address."""

    def send(given: dict[str, Any]) -> str:
        mailing.request(campaign, request.user, **given, site=request.build_absolute_uri("/").removesuffix("/"))
        return "The links are being sent. This page shows who was reached."

    return _carry_out(request, campaign, MailForm(request.POST), send, "Nothing was sent")


@campaign_page("POST")
def share(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    def make(given: dict[str, Any]) -> str:
        invitations.share(campaign, **given)
        return "The link was created; it is in the table below."

    return _carry_out(request, campaign, SharedLinkForm(request.POST), make, "No link was created")


@campaign_page("POST")
def revoke(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = RevokeForm(request.POST)
    if form.is_valid():
        link = access.link_to_revoke(campaign, form.cleaned_data["token"])
        invitations.revoke(link)
        messages.success(request, "The link was revoked. Everything received through it stays.")
        if isinstance(link, Team):
            return redirect("submissions", campaign.slug)
        if getattr(link, "is_to_observe", False):
            return redirect("organisers", campaign.slug)
    return redirect("judges", campaign.slug)


@campaign_page("POST")
def exclude(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    outcome = "was excluded; the judgments stay stored."
    return _decide(request, campaign, pk, exclusion.exclude, outcome)


@campaign_page("POST")
def include(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    return _decide(request, campaign, pk, exclusion.include, "was included again.")


def _decide(
    request: HttpRequest, campaign: Campaign, pk: int, verb: Callable[[Membership, str], None], outcome: str
) -> HttpResponse:
    """Exclude or include a judge for a reason."""
    judge = access.judge_to_organise(campaign, pk)

    def decide(given: dict[str, Any]) -> str:
        verb(judge, given["reason"])
        return f"{judge.pseudonym} {outcome}"

    return _carry_out(request, campaign, ReasonForm(request.POST), decide)


@campaign_page("POST")
def set_quota(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    judge = access.judge_to_organise(campaign, pk)

    def change(given: dict[str, Any]) -> str:
        people.set_quota(judge, given["quota"])
        return f"The number of batches for {judge.pseudonym} was saved."

    return _carry_out(request, campaign, QuotaForm(request.POST), change)


@campaign_page("POST")
def mark_expert(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    judge = access.judge_to_organise(campaign, pk)

    def mark(given: dict[str, Any]) -> str:
        people.mark(judge, given["is_expert"])
        role = "is now an expert" if given["is_expert"] else "is no longer an expert"
        return f"{judge.pseudonym} {role}. This applies to reports made from now on."

    return _carry_out(request, campaign, ExpertForm(request.POST), mark)


def _carry_out(
    request: HttpRequest,
    campaign: Campaign,
    form: Form,
    act: Callable[[dict[str, Any]], str],
    failure: str = "Nothing was changed",
) -> HttpResponse:
    """Call `act` with the data of a valid form, and show the message that it returns."""
    if form.is_valid():
        with refusals_as_messages(request):
            messages.success(request, act(form.cleaned_data))
    else:
        faults = " ".join(str(error) for errors in form.errors.values() for error in errors)
        messages.error(request, f"{failure}: {faults}")
    return redirect("judges", campaign.slug)


@campaign_page("POST")
def apply_rule(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Exclude and include judges by the rule."""
    with refusals_as_messages(request):
        applied = exclusion.apply_or_request(campaign, request.user)
        if not isinstance(applied, ExclusionJob):
            message = f"The rule was applied: {applied.excluded} excluded, {applied.included} included again."
            messages.success(request, message)
    return redirect("judges", campaign.slug)


@campaign_page("GET", "POST")
def programs(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """List all programs; a token is shown once, to the organiser who requested it."""
    form = ProgramForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        name = form.cleaned_data["name"]
        with refusals_as_errors(form, "name"):
            messages.success(request, f"The token of {name}, shown only now: {program_services.enrol(campaign, name)}")
            return redirect("programs", campaign.slug)
    page = {"campaign": campaign, "programs": people.programs(campaign), "form": form}
    return render(request, "judgments/programs.html", page)


@campaign_page("POST")
def dismiss_program(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    program = access.program_to_organise(campaign, pk)
    with refusals_as_messages(request):
        program_services.dismiss(program)
        messages.success(request, f"{program.pseudonym} was dismissed. Its judgments stay stored.")
    return redirect("programs", campaign.slug)
