"""What a person can do about what is held of them: take it along, and be forgotten."""

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from judgments.campaigns import access
from judgments.exchange.downloads import streamed
from judgments.privacy.erasure import forget_judge as forget_one
from judgments.privacy.erasure import forget_person, may_be_forgotten
from judgments.privacy.person import Person
from judgments.privacy.takeout import belongings
from judgments.rules.errors import Refused
from judgments.web.forms.judges import CertainForm, NameForm
from judgments.web.views.shared import in_english, refusals_as_messages


@require_safe
@login_required
def your_data(request: HttpRequest) -> HttpResponse:
    """What is held, in a few sentences; and the two buttons."""
    return _page(request, CertainForm())


@require_safe
@login_required
def your_data_file(request: HttpRequest) -> HttpResponseBase:
    """Everything that is held about whoever is signed in."""
    with refusals_as_messages(request):
        return streamed(belongings(Person.of(request.user), is_own=True), "application/zip", "your-data.zip")
    return redirect("your_data")


@require_POST
@login_required
def forget_me(request: HttpRequest) -> HttpResponse:
    """Take the name of whoever is signed in out of everything."""
    form = CertainForm(request.POST)
    if form.is_valid():
        try:
            forget_person(Person.of(request.user))
        except Refused as reason:
            form.add_error(None, str(reason))
        else:
            logout(request)
            return redirect("forgotten")
    return _page(request, form)


@require_safe
def forgotten(request: HttpRequest) -> HttpResponse:
    """That it is done, for who has no other page left."""
    if request.user.is_authenticated:
        return redirect("your_data")
    return render(request, "judgments/forgotten.html")


def _page(request: HttpRequest, form: CertainForm) -> HttpResponse:
    person = Person.of(request.user)
    page = {"form": form, "members": person.members, "may": person.user and may_be_forgotten(person.user)}
    return render(request, "judgments/your_data.html", page)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@in_english
def forget_judge(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What is taken out when an organiser forgets a judge, and the field that wants the name."""
    campaign = access.campaign_to_organise(request.user, slug)
    judge = access.judge_to_organise(campaign, pk)
    form = NameForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            name = forget_one(judge, form.cleaned_data["typed"])
        except Refused as reason:
            form.add_error("typed", str(reason))
        else:
            messages.success(request, f"The judge is called {name} now, and what was judged stays.")
            return redirect("judges", slug)
    return render(request, "judgments/forget_judge.html", {"campaign": campaign, "judge": judge, "form": form})
