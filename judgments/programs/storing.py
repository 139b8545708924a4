"""The prompts of a campaign, and what programs said, as rows."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import OuterRef, QuerySet, Subquery, Sum

from judgments.judges import people
from judgments.models import Assignment, Campaign, Judgment, Membership, ProgramAnswer, Prompt
from judgments.models.journal import note
from judgments.models.programs import LONGEST_PROMPT
from judgments.protocols import protocol_of
from judgments.rules.errors import Refused

MOST_SHOWN = 10


def newest_prompt(campaign: Campaign) -> Prompt | None:
    """The newest prompt; until one is stored, the ready-made one of the protocol, if there is one."""
    if newest := Prompt.objects.filter(campaign=campaign).order_by("-version").first():
        return newest
    text = protocol_of(campaign).prompt
    return Prompt(campaign=campaign, version=1, text=text) if text else None


def stored_prompt(campaign: Campaign) -> Prompt | None:
    """The newest prompt, stored from now on: programs say with which version they were asked."""
    prompt = newest_prompt(campaign)
    return _add(campaign, 1, prompt.text) if prompt and prompt.pk is None else prompt


def change_prompt(campaign: Campaign, text: str) -> Prompt:
    """Store another version, unless the text is that of the newest."""
    text = text.strip()
    if not text or len(text) > LONGEST_PROMPT:
        raise Refused(f"A prompt has between 1 and {LONGEST_PROMPT:,} characters.")
    newest = Prompt.objects.filter(campaign=campaign).order_by("-version").first()
    if newest and newest.text == text:
        return newest
    made = _add(campaign, newest.version + 1 if newest else 1, text)
    note(campaign, f"wrote version {made.version} of the prompt for programs")
    return made


def _add(campaign: Campaign, version: int, text: str) -> Prompt:
    try:
        with transaction.atomic():
            return Prompt.objects.create(campaign=campaign, version=version, text=text)
    except IntegrityError:  # somebody was faster
        return Prompt.objects.filter(campaign=campaign).order_by("-version")[0]


def keep(
    assignment: Assignment, purpose: str, sample: int, said: Mapping[str, Any], answers: Any,
    judgment: Judgment | None = None,
) -> ProgramAnswer:  # fmt: skip
    """Store what a program said to a question; a later answer to the same question replaces it."""
    prompt = Prompt.objects.filter(campaign=assignment.campaign, version=said["prompt"]).first()
    if prompt is None:
        raise Refused(
            f"This campaign has no version {said['prompt']} of the prompt. Give the one that came with the "
            "assignments; if none did, leave out `said`, or ask the organiser to write a prompt. Nothing was stored."
        )
    columns = {name: value for name, value in said.items() if name != "prompt"}
    kept, _ = ProgramAnswer.objects.update_or_create(
        assignment=assignment, purpose=purpose, sample=sample,
        defaults={**columns, "prompt": prompt, "answers": answers, "judgment": judgment},
    )  # fmt: skip
    return kept


def with_costs(campaign: Campaign) -> QuerySet[Membership]:
    """The programs with their judgments and what all their answers cost."""
    said = ProgramAnswer.objects.filter(assignment__judge=OuterRef("pk")).order_by().values("assignment__judge")
    return people.programs(campaign).annotate(cost=Subquery(said.annotate(sum=Sum("cost")).values("sum")))


def recent_replies(campaign: Campaign) -> list[ProgramAnswer]:
    """The newest answers, those first that could not be read."""
    said = ProgramAnswer.objects.filter(assignment__campaign=campaign).order_by("-pk")
    said = said.select_related("assignment__judge", "assignment__screen__segment", "prompt")
    unreadable = list(said.filter(answers__isnull=True)[:MOST_SHOWN])
    return [*unreadable, *said.exclude(answers__isnull=True)[: MOST_SHOWN - len(unreadable)]]
