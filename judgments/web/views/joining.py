"""The user's campaigns, and the pages behind invitations."""

import time
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LoginView
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from judgments.campaigns import access, overview
from judgments.judges import institution, invitations, onboarding
from judgments.judges import prolific as submissions
from judgments.judges.first_account import FirstAccountForm, is_valid, make_first, makes_first, owner
from judgments.judges.signing_in import SignInForm
from judgments.judging import progress
from judgments.models import Assignment
from judgments.models.members import Link
from judgments.rules.crowd_platforms import event_of, is_just_looking, is_signed, parameters, worker_of
from judgments.rules.errors import Refused
from judgments.web.views.shared import CAME_WITH, english_page, go_on, refusals_as_messages

MOST_BYTES_OF_AN_EVENT = 64 * 2**10
BACKEND = "django.contrib.auth.backends.ModelBackend"
# The page that somebody wanted before the provider asked who they are.
WANTED = "wanted"


@require_safe
@login_required
def home(request: HttpRequest) -> HttpResponse:
    """List the user's campaigns with the progress in each."""
    page = {
        "parts": progress.parts_of(request.user),
        "runs": overview.runs_of(request.user),
        "may_make": access.may_make_campaigns(request.user),
    }
    return render(request, "judgments/home.html", page)


@english_page("GET", "POST", needs_account=False)
def first_account(request: HttpRequest, token: str) -> HttpResponse:
    """Make the first account, by the link that the terminal shows; 404 when there is one."""
    if not makes_first(token):
        raise Http404
    form = FirstAccountForm(request.POST or None)
    if form.is_valid():
        login(request, make_first(form), BACKEND)
        return redirect("home")
    return render(request, "judgments/first_account.html", {"form": form})


@require_safe
def sign_in_owner(request: HttpRequest, token: str) -> HttpResponse:
    """Sign in whoever started the platform on their own machine, by the link that the terminal shows."""
    if not (settings.IS_LOCAL and is_valid(token)):
        raise Http404
    login(request, owner(), BACKEND)
    return _lead_to(request.GET.get("next", ""))


def _lead_to(page: str) -> HttpResponse:
    """Go to a page of this site, or home."""
    return redirect(page if url_has_allowed_host_and_scheme(page, allowed_hosts=None) else "home")


class SignIn(LoginView):
    """Ask for name and password, except of those whom the institution's proxy names."""

    template_name, authentication_form = "sign_in.html", SignInForm

    def has_provider(self) -> bool:
        return bool(settings.OIDC_ISSUER)

    def dispatch(self, request: HttpRequest, *args: Any, **named: Any) -> HttpResponseBase:
        if institution.name_in(request):
            try:
                login(request, institution.account_by_proxy(request), BACKEND)
                return redirect(self.get_success_url())
            except Refused as reason:
                messages.error(request, str(reason))
        return super().dispatch(request, *args, **named)


@require_GET
def sign_in_by_openid(request: HttpRequest) -> HttpResponse:
    """Send a visitor to the institution's provider, and let in whom it sends back."""
    if not settings.OIDC_ISSUER:
        raise Http404
    try:
        if request.GET.keys().isdisjoint({"code", "error"}):
            request.session[WANTED] = request.GET.get("next", "")
            return institution.lead_to_provider(request)
        page = request.session.pop(WANTED, "")
        login(request, institution.account_by_provider(request), BACKEND)
    except Refused as reason:
        messages.error(request, str(reason))
        return redirect("sign_in")
    return _lead_to(page)


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show the page of a personal link; its button makes the visitor a judge or an observer."""
    invitation = access.get_invitation_or_404(token)
    if request.method != "POST":
        mine = invitation.membership is not None and invitation.membership.user == request.user
        return render(request, "judgments/join.html", {"invitation": invitation, "mine": mine})
    login(request, invitations.accept(invitation), BACKEND)
    return redirect("organise", invitation.campaign.slug) if invitation.is_to_observe else _welcome(request, invitation)


@require_http_methods(["GET", "HEAD", "POST"])
def join_shared(request: HttpRequest, token: str) -> HttpResponse:
    """Show the page of a shared link; while it has places, its button makes the visitor a judge."""
    link = access.get_shared_link_or_404(token)
    platform = parameters(request.GET)
    account = invitations.account_for(request.user, link, platform)
    if request.method == "POST" and not is_just_looking(platform):
        with refusals_as_messages(request):
            login(request, invitations.join(link, platform, account), BACKEND)
            request.session[CAME_WITH] = platform
            return _welcome(request, link)
    page = {
        "link": link,
        "account": account,
        "just_looking": is_just_looking(platform),
        "is_full": invitations.is_full(link) and invitations.returning_judge(link, platform, account) is None,
        "signs_out": request.user.is_authenticated and account is None and not worker_of(platform),
    }
    return render(request, "judgments/join_shared.html", page)


def _welcome(request: HttpRequest, link: Link) -> HttpResponse:
    """Lead to the screen that the judge left, or to the next step of onboarding if examples teach what to do, otherwise
    to the campaign's page.
    """
    judge = access.get_judge_or_404(request.user, link.campaign.slug)
    is_to_learn = judge.campaign.tutorial and onboarding.next_step(judge)
    if judge.campaign.is_open and (is_to_learn or Assignment.objects.held_by(judge).waiting().exists()):
        return go_on(request, judge)
    return redirect("campaign", judge.campaign.slug)


@csrf_exempt  # signed by Prolific instead
@require_POST
def prolific(request: HttpRequest, token: str) -> HttpResponse:
    """Take an event of Prolific's webhook."""
    link = access.get_study_link_or_404(token)
    body = request.read(MOST_BYTES_OF_AN_EVENT + 1)
    if len(body) > MOST_BYTES_OF_AN_EVENT:
        return HttpResponse("An event has at most 64 KiB.", "text/plain", 413)
    timestamp = request.headers.get("X-Prolific-Request-Timestamp", "")
    signature = request.headers.get("X-Prolific-Request-Signature", "")
    if not is_signed(settings.PROLIFIC_SECRET, timestamp, body, signature, time.time()):
        raise PermissionDenied
    if event := event_of(body):
        submissions.record_event(link, event)
    return HttpResponse(status=204)
