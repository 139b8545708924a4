"""How programs were asked, and what they said to probes, which ask them again."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Count, Min, Q, Sum

from judgments.models import Campaign, ProgramAnswer, Prompt, Slot
from judgments.models import Verdict as VerdictRow
from judgments.models.screens import shown_positions
from judgments.protocols import protocol_of
from ranking.stats.ballots import Ballots, starts_of
from ranking.stats.programs.study import PURPOSES, Asked, Probes

Purpose = ProgramAnswer.Purpose
MERITS = {VerdictRow.Finding.ERROR: 1.0, VerdictRow.Finding.OK: 0.0}


class Numbers(NamedTuple):
    """The numbers that a study gives to judges by name; and to sentences (or usages), candidates, and assignments, of
    which ballots are, by their keys.
    """

    judges: Mapping[str, int]
    segments: Mapping[int, int]
    candidates: Mapping[int, int]
    ballots: Mapping[int, int]

    @classmethod
    def of(cls, *keys: Iterable[Any]) -> "Numbers":
        return cls(*({key: number for number, key in enumerate(each)} for each in keys))


def ways_of_asking(campaign: Campaign, judges: Mapping[str, int]) -> tuple[Asked, ...]:
    """Count the answers of these programs by model and prompt, in the order of the first ones."""
    said = ProgramAnswer.objects.filter(assignment__campaign=campaign, assignment__judge__pseudonym__in=judges)
    ways = said.values_list("assignment__judge__pseudonym", "prompt", "model", "answered_by", "temperature").annotate(
        least_seed=Min("seed"), judgments=Count("judgment"), probes=Count("pk", ~Q(purpose=Purpose.JUDGMENT)),
        unreadable=Count("pk", Q(answers__isnull=True)), read=Sum("tokens_in"), written=Sum("tokens_out"),
        paid=Sum("cost"), first=Min("pk"),
    ).order_by("first")  # fmt: skip
    prompts = Prompt.objects.in_bulk({prompt for _, prompt, *_ in ways})
    return tuple(
        Asked(judges[name], model, answered_by, prompts[prompt].version, prompts[prompt].digest, *how)
        for name, prompt, model, answered_by, *how, _ in ways
    )


def probes(campaign: Campaign, numbers: Numbers, like: Ballots) -> Probes:
    """Read the answers to probes as ballots that are numbered like others; incomplete answers are left out."""
    said = ProgramAnswer.objects.probes().filter(
        assignment__campaign=campaign, assignment__judge__pseudonym__in=numbers.judges, answers__isnull=False
    )  # fmt: skip
    rows = list(said.order_by("assignment__screen__segment__position", "assignment__judge__lot", "pk").values_list(
        "purpose", "answers", "assignment", "assignment__order", "assignment__judge__pseudonym", "assignment__screen",
        "assignment__screen__segment", "assignment__screen__usage",
    ))  # fmt: skip
    slots = Slot.objects.filter(screen__in={row[5] for row in rows}).values_list("screen", "position", "candidate")
    on_screen = {(screen, position): candidate for screen, position, candidate in slots}
    heads: list[tuple[int, ...]] = []
    given: list[tuple[int, float]] = []
    for purpose, answers, assignment, order, judge, screen, segment, usage in rows:
        shown = [usage] if usage else [on_screen[screen, position] for position in shown_positions(order)]
        candidates = [numbers.candidates.get(one) for one in shown]
        answered = _in_order_shown(purpose, candidates, _merits(campaign, answers or []))
        if answered and assignment in numbers.ballots:
            place, first = numbers.segments[usage or segment], numbers.ballots[assignment]
            heads.append((numbers.judges[judge], place, PURPOSES.index(purpose), first, len(answered)))
            given += answered
    judges, segments, purposes, firsts, sizes = np.array(heads, dtype=np.int64).reshape(-1, 5).T
    candidate, merit = np.array(given, dtype=float).reshape(-1, 2).T
    ballots = replace(
        like, judge=judges, segment=segments, seconds=np.full(len(heads), np.nan), starts=starts_of(sizes),
        candidate=candidate.astype(np.int64), merit=merit,
    )  # fmt: skip
    return Probes(ballots, purposes, firsts)


def _merits(campaign: Campaign, answers: list[Mapping[str, Any]]) -> list[float | None]:
    scale = protocol_of(campaign).scale
    if scale is None:
        return [MERITS.get(answer.get("finding", "")) for answer in answers]
    return [None if (value := answer.get(scale.column)) is None else scale.merit(value) for answer in answers]


def _in_order_shown(purpose: str, candidates: list[int | None], merits: list[float | None]) -> list[tuple[int, float]]:
    """Pair candidates and merits as the program saw them; nothing if any is unknown."""
    if purpose == Purpose.IDENTICAL:
        candidates = [candidates[0]] * 2
    known = [
        (candidate, merit) for candidate, merit in zip(candidates, merits, strict=False)
        if candidate is not None and merit is not None
    ]  # fmt: skip
    if not len(known) == len(candidates) == len(merits):
        return []
    return known[::-1] if purpose == Purpose.REVERSED else known
