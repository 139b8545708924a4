"""What several pages share: permissions, the way to a judge's next page, refusals as messages."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import TooManyFilesSent
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt, csrf_protect
from django.views.decorators.http import require_http_methods

from judgments.assignment import claiming
from judgments.campaigns import access
from judgments.judges.onboarding import NotPrepared
from judgments.material.uploads import MOST_BYTES, too_many
from judgments.models import Membership
from judgments.rules.crowd_platforms import return_address
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problems
from judgments.rules.request_sizes import is_too_much

View = Callable[..., Any]
# The parameters of a crowd platform with which this browser came, in its session.
CAME_WITH = "came_with"


def back_to_platform(request: HttpRequest, judge: Membership, code: str) -> str:
    """The address at which the judge's crowd platform takes the code; empty if there is none."""
    came_with = request.session.get(CAME_WITH, judge.platform)
    return return_address(judge.campaign.return_address, code, came_with) if code else ""


def english_page(*methods: str, needs_account: bool = True) -> Callable[[View], View]:
    """Serve a page in English, because pages of organisers and teams are not translated."""

    def decorate(view: View) -> View:
        guarded = login_required(view) if needs_account else view

        @require_http_methods([*methods, "HEAD"] if "GET" in methods else methods)
        @wraps(view)
        def show(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            request.is_english = True  # type: ignore[attr-defined] # read by base.html
            with translation.override("en"):
                response = guarded(request, *args, **kwargs)
            response.headers["Content-Language"] = "en"
            return response

        return show

    return decorate


def campaign_page(*methods: str, observers: bool = True) -> Callable[[View], View]:
    """Serve an English page to the organisers of a campaign; the view gets the campaign instead of its slug.

    Observers may read it, unless it has secrets.
    """

    def decorate(view: View) -> View:
        @english_page(*methods)
        @wraps(view)
        def show(request: HttpRequest, slug: str, **rest: Any) -> Any:
            only_reads = observers and request.method in ("GET", "HEAD")
            campaign = access.get_campaign_to_see_or_404 if only_reads else access.get_campaign_to_organise_or_404
            return view(request, campaign(request.user, slug), **rest)

        return show

    return decorate


def takes_files(
    refusal: Callable[[], str],
    most_bytes: int | None = None,
    may: Callable[[Any], None] = lambda user: None,
    page: str = "",
) -> Callable[[View], View]:
    """Refuse files that are too large or too many before they are read, with a message on this page or another.

    `may` refuses users. Checking the CSRF token reads the whole request, so that comes last.
    """

    def decorate(view: View) -> View:
        checked = csrf_protect(view)

        @csrf_exempt
        @wraps(view)
        def show(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            may(request.user)
            if request.method == "POST" and is_too_much(request.META, most_bytes or MOST_BYTES):
                message = refusal()
            else:
                try:
                    return checked(request, *args, **kwargs)
                except TooManyFilesSent:
                    message = too_many()
            messages.error(request, message)
            match = request.resolver_match
            return redirect(page, **match.kwargs) if page and match else redirect(request.path)

        return show

    return decorate


def go_on(request: HttpRequest, judge: Membership) -> HttpResponse:
    """Redirect to the next assignment, or to the page that explains why there is none."""
    try:
        assignment = claiming.claim_next(judge)
    except NotPrepared as missing:
        return redirect(missing.step.value, judge.campaign.slug)
    except Refused as reason:
        messages.error(request, str(reason))
        return redirect("campaign", judge.campaign.slug)
    if assignment:
        return redirect("assignment", assignment.pk)
    claiming.finish_batch(judge)
    return redirect("campaign" if judge.paused_at else "thanks", judge.campaign.slug)


@contextmanager
def refusals_as_messages(request: HttpRequest) -> Iterator[None]:
    """Show refusals raised inside as messages."""
    try:
        yield
    except Refused as reason:
        messages.error(request, str(reason))


@contextmanager
def refusals_as_errors(form: Form, field: str | None = None) -> Iterator[None]:
    """Show refusals raised inside as errors of the form, or of one of its fields."""
    try:
        yield
    except Refused as reason:
        form.add_error(field, str(reason))
    except Problems as found:
        form.add_error(field, [str(problem) for problem in found.problems])
