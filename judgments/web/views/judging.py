"""Judging: begin, answer an assignment, continue."""

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from judgments.assignment import claiming
from judgments.assignment.assistance import said_by_program
from judgments.campaigns import access
from judgments.judging import differences as differing
from judgments.judging import progress, submission
from judgments.judging.context import BatchPlace, place_of, screen_context
from judgments.models import Assignment, Campaign, Slot
from judgments.models.members import site_address
from judgments.protocols import protocol_of
from judgments.protocols.form import AnswerForm
from judgments.protocols.rows import shown_slots
from judgments.rules.errors import Refused
from judgments.web.forms.judges import MessageForm
from judgments.web.views.shared import back_to_platform, go_on, refusals_as_messages

ANSWERS_A_PAGE = 50


def reporting_lost_assignments(view: Callable[[HttpRequest, int], HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer scripts (recognised by their token header) with 409, not 404, if the judge lost the assignment."""

    @wraps(view)
    def wrapped(request: HttpRequest, pk: int) -> HttpResponse:
        try:
            return view(request, pk)
        except Http404:
            if "X-CSRFToken" in request.headers and (judge := access.judge_for_assignment(request.user, pk)):
                return JsonResponse(
                    {"message": submission.lost_assignment_message(judge, request.POST.get("judge", ""))}, status=409
                )
            raise

    return wrapped


@require_safe
@login_required
def campaign(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the campaign to a judge, with the button to begin or continue."""
    campaign = access.get_campaign_or_404(request.user, slug)
    judge = access.judge_in(request.user, campaign)
    token = judge.return_token if judge else ""
    step = progress.next_step_of(judge) if judge else None
    page = {
        "campaign": campaign,
        "judge": judge,
        "organises": access.is_organiser(request.user, campaign),
        "progress": progress.progress_of(judge) if judge else None,
        "completions": progress.completions(judge) if judge else [],
        "next_step": step,
        "pending": progress.pending_work(judge, step) if judge and step else None,
        "return_link": site_address("join", token) if token else "",
    }
    return render(request, "judgments/campaign.html", page)


@require_POST
@login_required
def begin(request: HttpRequest, slug: str) -> HttpResponse:
    return go_on(request, access.get_judge_or_404(request.user, slug))


@require_POST
@login_required
def close_message(request: HttpRequest, slug: str) -> HttpResponse:
    """Close the organiser's message, and continue."""
    judge = access.get_judge_or_404(request.user, slug)
    form = MessageForm(request.POST)
    if form.is_valid():
        judge.close_message(form.cleaned_data["message"])
    return go_on(request, judge)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@reporting_lost_assignments
def assignment(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an assignment's screen, or store the answers and continue."""
    assignment = access.get_assignment_or_404(request.user, pk, is_shown=request.method != "POST")
    if request.method == "POST":
        return _submit(request, assignment)
    if not assignment.campaign.is_open and not assignment.submitted_at:
        return redirect("campaign", assignment.campaign.slug)  # which says that it has ended
    return _show(request, assignment)


@require_POST
@login_required
@reporting_lost_assignments
def next_assignment(request: HttpRequest, pk: int) -> HttpResponse:
    """Claim the following assignment early, so that its page is loaded when this one is answered."""
    assignment = access.get_assignment_or_404(request.user, pk)
    following = None
    if not assignment.is_after_feedback:  # whose page leads back to the differences
        with suppress(Refused):
            following = claiming.claim_next(assignment.holder, after=assignment)
    return redirect("assignment", following.pk) if following else HttpResponse(status=204)


@require_POST
@login_required
@reporting_lost_assignments
def draft(request: HttpRequest, pk: int) -> HttpResponse:
    """Store the answers so far; the page sends them automatically, and says if nothing has changed on it."""
    assignment = access.get_assignment_or_404(request.user, pk)
    form = protocol_of(assignment.campaign).form_for(assignment, request.POST)
    answers = None if "unchanged" in request.POST else form.draft()
    try:
        submission.save_draft(assignment, answers, form.active_seconds(), form.invalid_fields())
    except Refused as reason:
        return JsonResponse({"message": str(reason)}, status=409)
    return JsonResponse({"saved": len(answers or {})})


@require_safe
@login_required
def answers(request: HttpRequest, slug: str) -> HttpResponse:
    """List a judge's answers, newest first, with links to change them."""
    judge = access.get_judge_or_404(request.user, slug)
    assignments = (
        Assignment.objects.held_by(judge)
        .done()
        .select_related("campaign", "screen__segment", "screen__usage")
        .order_by("-submitted_at")
    )
    page = Paginator(assignments, ANSWERS_A_PAGE).get_page(request.GET.get("page"))
    rows = list(zip(page, submission.described_answers(page), strict=True))
    context = {"campaign": judge.campaign, "page": page, "rows": rows}
    return render(request, "judgments/answers.html", context)


@require_safe
@login_required
def thanks(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the end of a batch: thanks, the code if there is one, and how to continue."""
    judge = access.get_judge_or_404(request.user, slug)
    completion = progress.completions(judge).first()
    code = completion.code if completion else ""
    page = {
        "campaign": judge.campaign,
        "completion": completion,
        "code": code,
        "back": back_to_platform(request, judge, code),
        "next_step": progress.next_step_of(judge),
    }
    return render(request, "judgments/thanks.html", page)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def differences(request: HttpRequest, slug: str) -> HttpResponse:
    """Show where most others differ from the judge, in the batches for which the judge asked."""
    judge = access.get_judge_or_404(request.user, slug)
    if request.method == "POST":
        with refusals_as_messages(request):
            differing.give_feedback(judge)
        return redirect("differences", slug)
    waiting = progress.completions(judge).filter(feedback_at=None)
    page = {
        "campaign": judge.campaign,
        "is_waiting": judge.campaign.majority_feedback and waiting.exists(),
        "differences": differing.differences(judge),
    }
    return render(request, "judgments/differences.html", page)


def _submit(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    """Store the answers, then report the outcome to a script or redirect a browser."""
    form = form_of(assignment, request.POST, {"key": uuid4()})
    by_script = request.get_preferred_type(["text/html", "application/json"]) == "application/json"
    if not form.is_valid():
        if by_script:
            incomplete = gettext("This answer was not complete. Reload the page and answer again.")
            return JsonResponse({"message": incomplete}, status=400)
        return _show(request, assignment, form)
    message, status, following = "", 200, None
    try:
        if by_script:
            judgment = submission.submit(assignment, **form.submission())
        else:
            judgment, following = submission.submit_and_claim(assignment, **form.submission())
        message = submission.feedback_on_control(judgment)
        if judgment.after_feedback:
            message = gettext("Your changed answer is stored beside your first one.")
        elif judgment.revision > 1:
            message = gettext("You had already answered that screen; the newest answer counts.")
    except Refused as reason:
        message, status = str(reason), 409
    is_over = status == 409 and not assignment.campaign.is_open
    if message and (is_over or not by_script):
        messages.add_message(request, messages.ERROR if status == 409 else messages.INFO, message)
    if by_script:
        return JsonResponse({"message": message} | ({"over": True} if is_over else {}), status=status)
    if assignment.is_after_feedback:
        return redirect("differences", assignment.campaign.slug)
    return redirect("assignment", following.pk) if following else go_on(request, assignment.holder)


def _show(request: HttpRequest, assignment: Assignment, given: AnswerForm | None = None) -> HttpResponse:
    """Show an assignment, with the others of its document in document mode; `given` is a form with faults."""
    together = claiming.on_one_page(assignment)
    auto_id = "id_%s" if len(together) == 1 else "id_{}_%s"
    screens = [
        _screen(part, given if part == assignment else None, auto_id.format(part.pk))
        | {"is_active": part == assignment}
        for part in together
    ]
    page = page_of(assignment.campaign, screens, place_of(assignment)) | {
        "session": progress.session_of(assignment.holder, assignment),
        "return_token": assignment.holder.return_token,
        "judge": assignment.judge,
        "is_preview": False,
    }
    return render(request, "judgments/assignment.html", page)


def _screen(assignment: Assignment, given: AnswerForm | None, auto_id: str) -> dict[str, Any]:
    """An assignment with the answers that were begun or submitted, or with the form given."""
    slots = shown_slots(assignment)
    begun = submission.begun_answers(assignment, slots)
    form = given or form_of(assignment, None, {"key": uuid4()} | begun.answers, auto_id, slots)
    address = reverse("assignment", args=[assignment.pk])
    return screen_of(assignment, slots, form, address) | {
        "is_submitted": begun.is_submitted and given is None,
        "skipped": begun.skipped,
        "is_after_feedback": assignment.is_after_feedback,
    }


def form_of(
    assignment: Assignment,
    given: QueryDict | None,
    initial: dict[str, Any],
    auto_id: str = "id_%s",
    slots: list[Slot] | None = None,
) -> AnswerForm:
    return protocol_of(assignment.campaign).form_for(assignment, given, slots, initial=initial, auto_id=auto_id)


def page_of(campaign: Campaign, screens: list[dict[str, Any]], place: BatchPlace) -> dict[str, Any]:
    """The template context of a judging page."""
    return {"campaign": campaign, "protocol": protocol_of(campaign), "screens": screens, "place": place}


def screen_of(assignment: Assignment, slots: list[Slot], form: AnswerForm, address: str) -> dict[str, Any]:
    """One screen of a judging page, whose forms are sent to an address."""
    shown = screen_context(assignment, slots)
    rows: list[dict[str, Any]] = [{"fields": fields} for fields in form.rows()]
    if protocol_of(assignment.campaign).has_candidates:
        for version, (row, slot) in enumerate(zip(rows, slots, strict=True)):
            readings = [stretch.readings[version] for stretch in shown.collation if stretch.readings]
            row |= {"text": slot.candidate.text, "pieces": shown.wordings[version], "readings": readings}
    said = said_by_program(assignment, slots)
    for row, words in zip(rows, said, strict=False):
        row["said"] = words
    page = {"assignment": assignment, "address": address, "shown": shown, "rows": rows, "form": form}
    return page | {"is_assisted": bool(said)}
