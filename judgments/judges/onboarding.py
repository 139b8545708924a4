"""Onboarding, before a judge's first screen: consent, tutorial, comprehension check."""

from enum import StrEnum

from django.db import transaction
from django.db.models.functions import Greatest
from django.utils import timezone
from django.utils.translation import gettext

from judgments.models import Campaign, Consent, ConsentText, Membership
from judgments.rules.errors import Refused
from judgments.rules.texts.collapsing import fingerprint


class OnboardingStep(StrEnum):
    """The steps of onboarding, in order."""

    CONSENT = "consent"
    TUTORIAL = "tutorial"
    QUESTIONS = "questions"


class NotPrepared(Refused):
    """The judge has to finish a step of onboarding first."""

    def __init__(self, step: OnboardingStep):
        self.step = step
        super().__init__(f"Finish this step first: {step}.")


def steps(judge: Membership) -> dict[OnboardingStep, bool]:
    """The steps of the judge's campaign, and whether each is done."""
    campaign = judge.campaign
    every = {
        OnboardingStep.CONSENT: (campaign.consent, judge.consented_at),
        OnboardingStep.TUTORIAL: (campaign.tutorial, judge.taught_at),
        OnboardingStep.QUESTIONS: (campaign.questions, judge.passed_at),
    }
    return {step: done_at is not None for step, (text, done_at) in every.items() if text}


def next_step(judge: Membership) -> OnboardingStep | None:
    """The judge's next step of onboarding, or None after the last."""
    return next((step for step, is_done in steps(judge).items() if not is_done), None)


@transaction.atomic
def agree(judge: Membership, shown: str) -> None:
    """Record consent to the text with this fingerprint, unless the text has changed since it was shown."""
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=judge.campaign_id)
    if not campaign.consent:
        return
    if shown != fingerprint(campaign.consent):
        raise Refused(gettext("This text has just changed. Please read it again."))
    texts = ConsentText.objects.filter(campaign=campaign)
    text = texts.filter(text=campaign.consent).first()
    if not text:
        text = texts.create(campaign=campaign, number=texts.count() + 1, text=campaign.consent)
    consent, _ = Consent.objects.get_or_create(judge=judge, text=text, defaults={"agreed_at": timezone.now()})
    Membership.objects.filter(pk=judge.pk).update(consented_at=consent.agreed_at)


def next_example(judge: Membership, of: int) -> int:
    """The number of the example that the judge has reached; the first one again after the last."""
    return 1 if judge.taught_at else min(judge.examples_tried + 1, of)


def note_example(judge: Membership, number: int, of: int) -> None:
    """Remember that the judge tried an example; the tutorial is finished once all were tried in turn."""
    if number <= judge.examples_tried + 1:
        taught_at = timezone.now() if number >= of else None
        mine = Membership.objects.filter(pk=judge.pk, taught_at=None)
        mine.update(examples_tried=Greatest("examples_tried", number), taught_at=taught_at)


@transaction.atomic
def answer_questions(judge: Membership, right: list[bool], attempts: str) -> bool:
    """Record an attempt at the comprehension check; return whether it was passed.

    Answers count once however often they are sent: by two presses, by going back, or from two tabs. So the page says
    how many attempts came before it.
    """
    judge = Membership.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=judge.pk)
    if judge.passed_at or not judge.campaign.questions:
        return True
    if judge.is_turned_away or attempts != str(judge.attempts):
        raise Refused(gettext("You had answered these questions already, so your new answers do not count."))
    passed = sum(right) >= judge.campaign.pass_share * len(right)
    judge.attempts += 1
    judge.passed_at = timezone.now() if passed else None
    judge.save(update_fields=["attempts", "passed_at"])
    return passed
