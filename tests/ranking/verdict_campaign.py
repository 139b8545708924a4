"""A campaign of verdicts with rows of its own: usages, systems that classify them, judges who found something."""

from collections.abc import Mapping, Sequence

from django.utils import timezone

from judgments.models import (
    Assignment,
    Campaign,
    Classification,
    Document,
    Judgment,
    Membership,
    Screen,
    Segment,
    System,
    Usage,
    Verdict,
)
from tests import factory

FINDINGS = {"e": Verdict.Finding.ERROR, "k": Verdict.Finding.OK, "u": Verdict.Finding.UNKNOWN}
# A letter a usage: e an error, k OK, u unknown, s a skip, a dot nothing.
LETTERS = {"ada": "eekkeu", "ben": "eekkk.", "eve": "ekekks", "=fay": "eekkee"}
EXPERT = "=fay"
GOLD = (True, None, None, False, None, None)
CLASSES = {"LM": (1, 1, 0, 0, 0, 0), "PERC": (0.9, 0.2, 0.6, 0.1, None, None)}


def verdict_campaign(findings: Mapping[str, str] = LETTERS, experts: Sequence[str] = (EXPERT,)) -> Campaign:
    """Six usages in two documents of two domains, judged as given; the last one is assigned only as a control."""
    campaign = factory.make_campaign({"source": factory.SOURCE}, protocol="verdict")
    campaign.document_set.all().delete()
    System.objects.filter(campaign=campaign).delete()
    documents = [Document.objects.create(campaign=campaign, name=f"essay {n}", domain=f"level {n}") for n in (1, 2)]
    usages = []
    for number, gold in enumerate(GOLD):
        segment = Segment.objects.create(
            campaign=campaign, document=documents[number % 2], position=100 + number, text="They came to outside ."
        )
        usages.append(
            Usage.objects.create(
                campaign=campaign, name=f"i{number}", segment=segment, start=10, end=12, gold=gold
            )
        )  # fmt: skip
    for name, classes in CLASSES.items():
        system = System.objects.create(campaign=campaign, name=name)
        for usage, probability in zip(usages, classes, strict=True):
            if probability is not None:
                Classification.objects.create(system=system, usage=usage, probability=probability)
    screens = [
        Screen.objects.create(campaign=campaign, segment=one.segment, usage=one, has_control=one is usages[-1])
        for one in usages
    ]
    for name, letters in findings.items():
        judge = factory.judge(campaign, name)
        Membership.objects.filter(pk=judge.pk).update(is_expert=name in experts)
        for screen, letter in zip(screens, letters, strict=True):
            if letter != ".":
                find(screen, judge, letter)
    return campaign


def find(screen: Screen, judge: Membership, letter: str, repeats: Assignment | None = None) -> Judgment:
    """A judgment with its verdict, or a skip."""
    assignment = Assignment.objects.create(
        campaign=screen.campaign, screen=screen, judge=judge, submitted_at=timezone.now(), repeats=repeats
    )
    judgment = Judgment.objects.create(
        assignment=assignment, screen=screen, skipped=letter == "s", skip_reason="too hard" if letter == "s" else "",
        active_seconds=2.5,
    )  # fmt: skip
    if letter in FINDINGS:
        Verdict.objects.create(judgment=judgment, finding=FINDINGS[letter])
    return judgment
