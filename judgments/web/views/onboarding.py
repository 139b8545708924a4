"""Onboarding: consent, tutorial, comprehension check."""

from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from judgments.campaigns import access
from judgments.judges import onboarding
from judgments.judges.onboarding import OnboardingStep
from judgments.protocols import protocol_of
from judgments.protocols.registry import examples_of, questions_of
from judgments.rules.authored.tutorials import rightly_answered
from judgments.rules.errors import Refused
from judgments.rules.texts.collapsing import fingerprint
from judgments.rules.texts.collation import align_paragraphs
from judgments.rules.texts.diff import compare
from judgments.web.forms.judges import QuestionsForm
from judgments.web.views.shared import CAME_WITH, back_to_platform, go_on, refusals_as_messages


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def consent(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the consent text, and record consent; or what a judge who refuses it can do."""
    judge = access.get_judge_or_404(request.user, slug)
    if not judge.campaign.consent:
        return redirect("campaign", slug)
    if request.method == "POST":
        try:
            onboarding.agree(judge, request.POST.get("shown", ""))
        except Refused as reason:
            messages.error(request, str(reason))
            return redirect("consent", slug)
        return go_on(request, access.get_judge_or_404(request.user, slug))
    if "refused" in request.GET and not judge.consented_at:
        page = {"campaign": judge.campaign, "is_from_platform": bool(request.session.get(CAME_WITH, judge.platform))}
        return render(request, "judgments/not_agreed.html", page)
    page = {"campaign": judge.campaign, "judge": judge, "shown": fingerprint(judge.campaign.consent)}
    return render(request, "judgments/consent.html", page)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def tutorial(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    """Show an example as a screen to answer, by default the one reached; then where the answers differ, and why."""
    judge = access.get_judge_or_404(request.user, slug)
    if onboarding.next_step(judge) == OnboardingStep.CONSENT:  # before it nothing is stored
        return redirect("consent", slug)
    examples = examples_of(judge.campaign)
    number = onboarding.next_example(judge, len(examples)) if number is None else number
    if not 0 < number <= len(examples):
        raise Http404(gettext_lazy("There is no such example."))
    example = examples[number - 1]
    protocol = protocol_of(judge.campaign)
    form = protocol.form(
        request.POST or None,
        specification=protocol.specification_of_example(judge.campaign, example),
        initial={"key": uuid4()},
    )
    page = {"campaign": judge.campaign, "protocol": protocol, "example": example, "number": number, "form": form}
    wordings = [compare(example.source, version.text) for version in example.versions]
    rows = zip(example.versions, wordings, form.rows(), strict=True)
    page["rows"] = [{"text": version.text, "pieces": pieces, "fields": fields} for version, pieces, fields in rows]
    page["shown"] = {
        "segment": {"text": example.source},
        "usage": protocol.marked_usage(example.source),
        "paragraphs": align_paragraphs(example.source, wordings),
    }
    page |= {"of": len(examples), "is_tried": form.is_valid()}
    if page["is_tried"]:
        onboarding.note_example(judge, number, len(examples))
        page["differences"] = protocol.differences(example, form.tutorial_answers())
    return render(request, "judgments/tutorial.html", page)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def questions(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the questions, the wrong answers, or that no attempt is left.

    Wrong answers are shown by the page that follows, because reloading this one would send them as another attempt.
    """
    judge = access.get_judge_or_404(request.user, slug)
    checks = questions_of(judge.campaign)
    if not checks:
        return redirect("campaign", slug)
    if (missing := onboarding.next_step(judge)) and missing != OnboardingStep.QUESTIONS:
        return redirect(missing.value, slug)
    last = f"answers {judge.pk} {fingerprint(judge.campaign.questions)}"
    chosen = request.session.get(last, [])
    form = QuestionsForm(request.POST or None, questions=checks, chosen=chosen)
    if form.is_valid() and not judge.is_turned_away:
        with refusals_as_messages(request):
            right = rightly_answered(checks, form.chosen_options())
            if onboarding.answer_questions(judge, right, request.POST.get("attempts", "")):
                return go_on(request, access.get_judge_or_404(request.user, slug))
            request.session[last] = form.chosen_options()
        return redirect("questions", slug)
    if judge.is_turned_away:
        code = judge.campaign.screened_out_code
        page = {"campaign": judge.campaign, "code": code, "back": back_to_platform(request, judge, code)}
        return render(request, "judgments/turned_away.html", page)
    right = rightly_answered(checks, chosen) if chosen else [True] * len(checks)
    wrong = [question for question, is_right in zip(checks, right, strict=True) if not is_right]
    page = {"campaign": judge.campaign, "judge": judge, "form": form, "wrong": wrong}
    page["left"] = judge.campaign.most_attempts - judge.attempts
    return render(request, "judgments/questions.html", page)
