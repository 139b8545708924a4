"""What a judge does before the first screen: consent, the tutorial, the comprehension check."""

from enum import StrEnum

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from judgments.models import Membership
from judgments.rules.errors import Refused


class Step(StrEnum):
    """What may still lie before the first screen, in this order."""

    CONSENT = "consent"
    TUTORIAL = "tutorial"
    QUESTIONS = "questions"


class NotPrepared(Refused):
    """A judge has something to do before the first screen."""

    def __init__(self, step: Step):
        self.step = step
        super().__init__(f"First comes: {step}.")


def next_step(judge: Membership) -> Step | None:
    """What lies before the first screen of this judge, or nothing."""
    campaign = judge.campaign
    if campaign.consent and not judge.consented_at:
        return Step.CONSENT
    if campaign.tutorial and not judge.taught_at:
        return Step.TUTORIAL
    if campaign.questions and not judge.passed_at:
        return Step.QUESTIONS
    return None


def is_turned_away(judge: Membership) -> bool:
    """Whether the questions were answered as often as they may be, and not well enough."""
    return bool(judge.campaign.questions) and not judge.passed_at and judge.attempts >= judge.campaign.most_attempts


@transaction.atomic
def agree(judge: Membership) -> None:
    """Note that the judge agrees to what the organiser asks consent for; the first time counts."""
    Membership.objects.filter(pk=judge.pk, consented_at=None).update(consented_at=timezone.now())


@transaction.atomic
def finish_tutorial(judge: Membership) -> None:
    """Note that the judge went through the tutorial; the first time counts."""
    Membership.objects.filter(pk=judge.pk, taught_at=None).update(taught_at=timezone.now())


@transaction.atomic
def answer_questions(judge: Membership, right: list[bool]) -> bool:
    """Note an attempt at the questions; gives whether it was good enough."""
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
