"""Programs that judge in a campaign: enrolling and dismissing them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from judgments.campaigns import access
from judgments.judges import people
from judgments.judges import programs as verbs
from judgments.rules.errors import Refused
from judgments.web.forms.judges import ProgramForm
from judgments.web.views.shared import in_english, refusals_as_messages


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@in_english
def programs(request: HttpRequest, slug: str) -> HttpResponse:
    """List all programs; a token is shown once, to the organiser who requested it."""
    campaign = access.campaign_to_organise(request.user, slug)
    form = ProgramForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        name = form.cleaned_data["name"]
        try:
            messages.success(request, f"The token of {name}, shown this once: {verbs.enrol(campaign, name)}")
            return redirect("programs", slug)
        except Refused as reason:
            form.add_error("name", str(reason))
    page = {"campaign": campaign, "programs": people.programs(campaign), "form": form}
    return render(request, "judgments/programs.html", page)


@require_POST
@login_required
@in_english
def dismiss_program(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    program = access.program_to_organise(access.campaign_to_organise(request.user, slug), pk)
    with refusals_as_messages(request):
        verbs.dismiss(program)
        messages.success(request, f"{program.pseudonym} gets no screens any more. What it judged stays stored.")
    return redirect("programs", slug)
