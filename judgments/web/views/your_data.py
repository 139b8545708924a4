"""A user's own data: downloading it, and erasing the user's name."""

from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from judgments.actions.judges import ForgetJudge
from judgments.exchange.downloads import stream_response
from judgments.models import Campaign
from judgments.privacy import erasure
from judgments.privacy.person import Person
from judgments.privacy.takeout import personal_export
from judgments.web.actions import carry_out
from judgments.web.forms.judges import CertainForm
from judgments.web.views.shared import campaign_page, refusals_as_errors, refusals_as_messages


@require_safe
@login_required
def your_data(request: HttpRequest) -> HttpResponse:
    return _page(request, CertainForm())


@require_safe
@login_required
def your_data_file(request: HttpRequest) -> HttpResponseBase:
    """Download everything stored about the user."""
    with refusals_as_messages(request):
        return stream_response(
            personal_export(Person.of(request.user), is_own=True), "application/zip", "your-data.zip"
        )
    return redirect("your_data")


@require_POST
@login_required
def forget_me(request: HttpRequest) -> HttpResponse:
    """Erase the user's name everywhere."""
    form = CertainForm(request.POST)
    if form.is_valid():
        with refusals_as_errors(form):
            erasure.forget_person(Person.of(request.user))
            logout(request)
            return redirect("forgotten")
    return _page(request, form)


@require_safe
def forgotten(request: HttpRequest) -> HttpResponse:
    """Confirm the erasure to a user who is signed out now."""
    if request.user.is_authenticated:
        return redirect("your_data")
    return render(request, "judgments/forgotten.html")


def _page(request: HttpRequest, form: CertainForm) -> HttpResponse:
    person = Person.of(request.user)
    page = {"form": form, "members": person.members, "may": person.user and erasure.may_be_forgotten(person.user)}
    return render(request, "judgments/your_data.html", page)


@campaign_page("GET", "POST", observers=False)
def forget_judge(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """Show what is erased with a judge's name; erase it once the name is typed."""
    judge = ForgetJudge.subject_in(campaign, pk)
    form = ForgetJudge(campaign, judge, request.user, data=request.POST or None)
    page = {"campaign": campaign, "judge": judge, "form": form}
    return carry_out(request, form) or render(request, "judgments/forget_judge.html", page)
