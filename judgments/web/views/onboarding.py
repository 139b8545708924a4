"""Onboarding: consent, tutorial, comprehension check."""

from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from judgments.campaigns import access
from judgments.judges import onboarding
from judgments.models import Membership
from judgments.protocols import protocol_of
from judgments.protocols.registry import examples_of, questions_of
from judgments.rules.authored.questions import rightly_answered
from judgments.rules.authored.tutorials import Example
from judgments.rules.errors import Refused
from judgments.rules.texts.collapsing import fingerprint
from judgments.rules.texts.diff import compare
from judgments.web.forms.judges import QuestionsForm
from judgments.web.views.shared import back_to_platform, go_on


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def consent(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the consent text, and record consent."""
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
    page = {"campaign": judge.campaign, "judge": judge, "shown": fingerprint(judge.campaign.consent)}
    return render(request, "judgments/consent.html", page)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def tutorial(request: HttpRequest, slug: str, number: int = 1) -> HttpResponse:
    """Show an example as a screen to answer, then the expected answers with their explanation."""
    judge = access.get_judge_or_404(request.user, slug)
    examples = examples_of(judge.campaign)
    if not 0 < number <= len(examples):
        raise Http404(gettext_lazy("There is no such example."))
    example = examples[number - 1]
    protocol = protocol_of(judge.campaign)
    form = protocol.form(
        request.POST or None,
        specification=protocol.specification_of_example(judge.campaign, example),
        initial={"key": uuid4()},
    )
    page = {"campaign": judge.campaign, "example": example, "number": number, "of": len(examples), "form": form}
    shown = {"segment": {"text": example.source}, "usage": protocol.marked_usage(example.source)}
    page |= {"protocol": protocol, "shown": shown}
    if form.is_valid():
        rows = _feedback(judge, example, form.tutorial_answers())
        following = number + 1 if number < len(examples) else None
        agreed = sum(row["agrees"] for row in rows)
        return render(request, "judgments/feedback.html", page | {"rows": rows, "agreed": agreed, "next": following})
    rows = [row | {"fields": fields} for row, fields in zip(_wordings(example), form.rows(), strict=True)]
    return render(request, "judgments/tutorial.html", page | {"rows": rows})


@require_POST
@login_required
def finish_tutorial(request: HttpRequest, slug: str) -> HttpResponse:
    onboarding.finish_tutorial(access.get_judge_or_404(request.user, slug))
    return go_on(request, access.get_judge_or_404(request.user, slug))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def questions(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the questions, the wrong answers, or that no attempt is left."""
    judge = access.get_judge_or_404(request.user, slug)
    checks = questions_of(judge.campaign)
    if not checks:
        return redirect("campaign", slug)
    form = QuestionsForm(request.POST or None, questions=checks)
    wrong = []
    if form.is_valid() and not judge.is_turned_away:
        right = rightly_answered(checks, form.chosen_options())
        try:
            passed = onboarding.answer_questions(judge, right)
        except Refused as reason:  # the last attempt was made at the same time, in another tab
            messages.error(request, str(reason))
            return redirect("questions", slug)
        judge = access.get_judge_or_404(request.user, slug)
        if passed:
            return go_on(request, judge)
        wrong = [question for question, is_right in zip(checks, right, strict=True) if not is_right]
    if judge.is_turned_away:
        return render(request, "judgments/turned_away.html", _turned_away(request, judge))
    page = {"campaign": judge.campaign, "judge": judge, "form": form, "wrong": wrong, "of": len(checks)}
    page["left"] = judge.campaign.most_attempts - judge.attempts
    return render(request, "judgments/questions.html", page)


def _turned_away(request: HttpRequest, judge: Membership) -> dict:
    code = judge.campaign.screened_out_code
    return {"campaign": judge.campaign, "code": code, "back": back_to_platform(request, judge, code)}


def _wordings(example: Example) -> list[dict]:
    return [{"text": version.text, "pieces": compare(example.source, version.text)} for version in example.versions]


def _feedback(judge: Membership, example: Example, answers: list) -> list[dict]:
    """Each version with the given and the expected answer, and whether they agree."""
    protocol = protocol_of(judge.campaign)
    agree = protocol.as_expected(example.expected, answers)
    return [
        row
        | {
            "given": protocol.describe_answer(answer),
            "expected": protocol.describe_expected(expected),
            "agrees": agrees,
        }
        for row, expected, answer, agrees in zip(_wordings(example), example.expected, answers, agree, strict=True)
    ]
