"""Onboarding, before a judge's first screen: consent, tutorial, comprehension check."""

from enum import StrEnum

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from judgments.models import Membership
from judgments.rules.errors import Refused


class Step(StrEnum):
    """The steps of onboarding, in order."""

    CONSENT = "consent"
    TUTORIAL = "tutorial"
    QUESTIONS = "questions"


class NotPrepared(Refused):
    """The judge has to finish a step of onboarding first."""

    def __init__(self, step: Step):
        self.step = step
        super().__init__(f"Finish this step first: {step}.")


def next_step(judge: Membership) -> Step | None:
    """The judge's next step of onboarding, or None after the last."""
    campaign = judge.campaign
    if campaign.consent and not judge.consented_at:
        return Step.CONSENT
    if campaign.tutorial and not judge.taught_at:
        return Step.TUTORIAL
    if campaign.questions and not judge.passed_at:
        return Step.QUESTIONS
    return None


def is_turned_away(judge: Membership) -> bool:
    """Whether the judge failed the comprehension check in every attempt allowed."""
    return bool(judge.campaign.questions) and not judge.passed_at and judge.attempts >= judge.campaign.most_attempts


@transaction.atomic
def agree(judge: Membership) -> None:
    Membership.objects.filter(pk=judge.pk, consented_at=None).update(consented_at=timezone.now())


@transaction.atomic
def finish_tutorial(judge: Membership) -> None:
    Membership.objects.filter(pk=judge.pk, taught_at=None).update(taught_at=timezone.now())


@transaction.atomic
def answer_questions(judge: Membership, right: list[bool]) -> bool:
    """Record an attempt at the comprehension check; return whether it was passed."""
    judge = Membership.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=judge.pk)
    if judge.passed_at:
        return True
    if is_turned_away(judge):
        raise Refused(gettext("The questions cannot be answered again."))
    passed = sum(right) >= judge.campaign.pass_share * len(right)
    judge.attempts += 1
    judge.passed_at = timezone.now() if passed else None
    judge.save(update_fields=["attempts", "passed_at"])
    return passed
