"""The judges of a campaign, and the links that admit them."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from judgments.campaigns import access
from judgments.judges import exclusion, invitations, mailing, people, table
from judgments.models import ExclusionJob, MailJob, Membership
from judgments.protocols import protocol_of
from judgments.web.forms.judges import (
    ExpertForm,
    InvitationForm,
    MailForm,
    QuotaForm,
    ReasonForm,
    RevokeForm,
    SharedLinkForm,
)
from judgments.web.views.shared import in_english, refusals_as_messages


@require_safe
@login_required
@in_english
def judges(request: HttpRequest, slug: str) -> HttpResponse:
    """List all judges, with the ways to invite more."""
    campaign = access.campaign_to_organise(request.user, slug)
    page = {
        "campaign": campaign,
        "origin": f"{request.scheme}://{request.get_host()}",
        "judges": people.judges(campaign),
        "protocol": protocol_of(campaign),
        "compared_at": people.compared_at(campaign),
        "invitations": people.open_invitations(campaign),
        "rule": exclusion.rule_of(campaign),
        "exclusion_job": ExclusionJob.objects.newest(campaign),
        "shared_links": people.shared_links(campaign),
        "to_mail": people.links_to_mail(campaign).count() if mailing.is_possible() else 0,
        "mail_job": MailJob.objects.newest(campaign) if mailing.is_possible() else None,
        "mail_form": MailForm(auto_id="mail_%s"),
        "invitation_form": InvitationForm(auto_id="invitation_%s"),
        "shared_link_form": SharedLinkForm(auto_id="shared_link_%s"),
    }
    return render(request, "judgments/judges.html", page)


@require_POST
@login_required
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """Create personal links for new judges."""
    campaign = access.campaign_to_organise(request.user, slug)
    form = InvitationForm(request.POST)
    if form.is_valid():
        with refusals_as_messages(request):
            made = invitations.invite(campaign, **form.cleaned_data)
            messages.success(request, f"{len(made)} invited. Give each judge the link below.")
    else:
        messages.error(request, f"Nobody was invited: {_first_error(form)}")
    return redirect("judges", slug)


@require_safe
@login_required
def invitations_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Send all personal links as a table for a mail program."""
    campaign = access.campaign_to_organise(request.user, slug)
    address_of = partial(_join_address, request)
    answer = HttpResponse(table.links_csv(campaign, address_of), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{campaign.slug}-invitations.csv"'
    answer["Cache-Control"] = "no-store"
    return answer


@require_POST
@login_required
def mail_links(request: HttpRequest, slug: str) -> HttpResponse:
    """Mail personal links to judges invited by mail address."""
    campaign = access.campaign_to_organise(request.user, slug)
    form = MailForm(request.POST)
    if form.is_valid():
        with refusals_as_messages(request):
            site = request.build_absolute_uri("/").removesuffix("/")
            mailing.request(campaign, request.user, **form.cleaned_data, site=site)
            messages.success(request, "The links are being sent. This page shows who was reached.")
    else:
        messages.error(request, f"Nothing was sent: {_first_error(form)}")
    return redirect("judges", slug)


@require_POST
@login_required
def share(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = access.campaign_to_organise(request.user, slug)
    form = SharedLinkForm(request.POST)
    if form.is_valid():
        invitations.share(campaign, **form.cleaned_data)
        messages.success(request, "Here is the link, in the table below.")
    else:
        messages.error(request, f"No link was made: {_first_error(form)}")
    return redirect("judges", slug)


@require_POST
@login_required
def revoke(request: HttpRequest, slug: str) -> HttpResponse:
    campaign = access.campaign_to_organise(request.user, slug)
    form = RevokeForm(request.POST)
    if form.is_valid():
        invitations.revoke(access.link_to_revoke(campaign, form.cleaned_data["token"]))
        messages.success(request, "The link lets nobody in any more. What was judged by it stays.")
    return redirect("judges", slug)


@require_POST
@login_required
def exclude(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    return _decide(request, slug, pk, exclusion.exclude, "does not count any more; what was judged stays stored.")


@require_POST
@login_required
def include(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    return _decide(request, slug, pk, exclusion.include, "counts again.")


def _decide(
    request: HttpRequest, slug: str, pk: int, verb: Callable[[Membership, str], None], outcome: str
) -> HttpResponse:
    """Exclude or include a judge for a reason."""

    def decide(judge: Membership, chosen: dict[str, Any]) -> str:
        verb(judge, chosen["reason"])
        return f"{judge.pseudonym} {outcome}"

    return _change_judge(request, slug, pk, ReasonForm(request.POST), decide)


@require_POST
@login_required
def set_quota(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    def change(judge: Membership, chosen: dict[str, Any]) -> str:
        people.set_quota(judge, chosen["quota"])
        return f"The number of batches for {judge.pseudonym} is stored."

    return _change_judge(request, slug, pk, QuotaForm(request.POST), change)


@require_POST
@login_required
def mark_expert(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    def mark(judge: Membership, chosen: dict[str, Any]) -> str:
        people.mark(judge, chosen["is_expert"])
        role = "is an expert now" if chosen["is_expert"] else "is one of the crowd"
        return f"{judge.pseudonym} {role}. Reports made from now on use this."

    return _change_judge(request, slug, pk, ExpertForm(request.POST), mark)


def _change_judge(
    request: HttpRequest, slug: str, pk: int, form: Form, change: Callable[[Membership, dict[str, Any]], str]
) -> HttpResponse:
    """Change a judge as the form says; `change` returns what the organiser reads about it."""
    judge = access.judge_to_organise(access.campaign_to_organise(request.user, slug), pk)
    if form.is_valid():
        with refusals_as_messages(request):
            messages.success(request, change(judge, form.cleaned_data))
    else:
        messages.error(request, f"Nothing was changed: {_first_error(form)}")
    return redirect("judges", slug)


@require_POST
@login_required
def apply_rule(request: HttpRequest, slug: str) -> HttpResponse:
    """Exclude and include judges by the rule."""
    campaign = access.campaign_to_organise(request.user, slug)
    with refusals_as_messages(request):
        applied = exclusion.apply_or_request(campaign, request.user)
        if not isinstance(applied, ExclusionJob):
            message = f"The rule was applied: {applied.excluded} excluded, {applied.included} included again."
            messages.success(request, message)
    return redirect("judges", slug)


def _join_address(request: HttpRequest, token: str) -> str:
    return request.build_absolute_uri(reverse("join", args=[token]))


def _first_error(form: Form) -> str:
    return " ".join(str(error) for errors in form.errors.values() for error in errors)
