"""Storing imported rankings and ratings: screens, assignments, judgments and answers about candidates."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from judgments.exchange.importers.kinds import Found
from judgments.exchange.importers.rules.matching.grouping import Matched, Outputs, Systems
from judgments.exchange.importers.rules.ratings import Line
from judgments.exchange.importers.rules.recorded import SKIPPED_ELSEWHERE
from judgments.exchange.importers.writing import AssignmentWriter, NewJudgment, chunks_of, recorded_screens
from judgments.models import Campaign, Candidate, Document, RecordedOutput, Screen, Segment, Slot, System, SystemOutput
from judgments.models.screens import written_order
from judgments.protocols import protocol_of
from judgments.rules.progress import Progress
from judgments.rules.texts.collapsing import fingerprint, normalise

RECORDED_DOCUMENT = "recorded elsewhere"
# Converts the rank or score of an output to the columns of its answer.
Answer = Callable[[Any], Mapping[str, Any]]
New = Sequence[tuple[UUID, Matched]]
Place = tuple[int, Systems]


def has_texts(campaign: Campaign) -> bool:
    return Candidate.objects.filter(segment__campaign=campaign, text__isnull=False).exists()


def outputs_of(campaign: Campaign) -> Outputs:
    """Return the candidate of each system, by lines."""
    outputs: dict[int, dict[str, int]] = defaultdict(dict)
    rows = SystemOutput.objects.filter(system__campaign=campaign)
    columns = ("segment__position", "system__name", "candidate")
    for position, system, candidate in rows.values_list(*columns).iterator(10_000):
        outputs[position][system] = candidate
    return outputs


def lines_of(campaign: Campaign) -> dict[str, list[Line]]:
    """Return the lines of each sentence of the source, with the outputs there."""
    outputs: dict[int, dict[str, str]] = defaultdict(dict)
    rows = SystemOutput.objects.filter(system__campaign=campaign, candidate__text__isnull=False)
    columns = ("segment__position", "system__name", "candidate__text")
    for position, system, text in rows.values_list(*columns).iterator(10_000):
        outputs[position][system] = text or ""
    lines: dict[str, list[Line]] = defaultdict(list)
    segments = Segment.objects.filter(campaign=campaign, text__isnull=False).order_by("position")
    for position, text in segments.values_list("position", "text").iterator(10_000):
        lines[normalise(text or "")].append(Line(position, outputs[position]))
    return lines


def new_participants(campaign: Campaign, judged: Iterable[Matched]) -> list[System]:
    """Return the judged systems that do not take part yet, such as the source.

    References count only where they were judged on their own: exports name every system behind an output.
    """
    idle = System.objects.filter(campaign=campaign, takes_part=False).exclude(kind=System.Kind.CONTROL)
    systems = {system.name: system for system in idle.order_by("name")}
    references = {name for name, system in systems.items() if system.kind == System.Kind.REFERENCE}
    groups = {group for one in judged for group, _ in one.groups} if systems else set()
    named = {name for group in groups for name in group if name not in references or references.issuperset(group)}
    return [system for name, system in systems.items() if name in named]


def store(campaign: Campaign, found: Found, progress: Progress, answer: Answer) -> None:
    """Store the new judgments; every judged system takes part from now on, which affects later assignments."""
    joining = new_participants(campaign, (one for _, one in found.new))
    System.objects.filter(pk__in=[system.pk for system in joining]).update(takes_part=True)
    if not has_texts(campaign):
        _write_textless(campaign, found.new)
    _write_regrouped(campaign, found.new)
    _Recorder(campaign, found.new, answer).write(progress)


def _write_textless(campaign: Campaign, new: New) -> None:
    """Store segments, systems and candidates without texts."""
    positions = {one.position for _, one in new}
    positions -= set(Segment.objects.filter(campaign=campaign).values_list("position", flat=True))
    if positions:
        document, _ = Document.objects.get_or_create(campaign=campaign, name=RECORDED_DOCUMENT)
        new_segments = (Segment(campaign=campaign, document=document, position=p) for p in sorted(positions))
        Segment.objects.bulk_create(new_segments)
    names = sorted({system for _, one in new for systems, _ in one.groups for system in systems})
    System.objects.bulk_create((System(campaign=campaign, name=name) for name in names), ignore_conflicts=True)
    systems, segments = _systems(campaign), _segments(campaign)
    stored = set(SystemOutput.objects.filter(system__campaign=campaign).values_list("segment", "system"))
    groups = {
        (segments[one.position], group) for _, one in new for group, _ in one.groups if group not in one.regrouped
    }
    places = sorted((segment, group) for segment, group in groups if (segment, systems[group[0]]) not in stored)
    candidates = Candidate.objects.bulk_create(
        Candidate(segment_id=segment, fingerprint=fingerprint("\0".join(group))) for segment, group in places
    )
    SystemOutput.objects.bulk_create(
        SystemOutput(system_id=systems[name], segment_id=segment, candidate_id=candidate.pk)
        for (segment, group), candidate in zip(places, candidates, strict=True)
        for name in group
    )


def _write_regrouped(campaign: Campaign, new: New) -> None:
    """Store a candidate without text for each group of systems that is no output of the campaign."""
    segments = _segments(campaign)
    places = {(segments[one.position], group) for _, one in new for group in one.regrouped}
    places -= _regrouped(campaign).keys() if places else set()
    systems = _systems(campaign)
    candidates = Candidate.objects.bulk_create(
        # No text contains NUL, so no text has this fingerprint.
        Candidate(segment_id=segment, fingerprint=fingerprint("\0".join(("", *group))))
        for segment, group in sorted(places)
    )
    RecordedOutput.objects.bulk_create(
        RecordedOutput(candidate_id=candidate.pk, system_id=systems[name])
        for (_, group), candidate in zip(sorted(places), candidates, strict=True)
        for name in group
    )


def _regrouped(campaign: Campaign) -> dict[Place, int]:
    """Return the candidates that only imported judgments show, by segment and systems."""
    groups: dict[tuple[int, int], list[str]] = defaultdict(list)
    rows = RecordedOutput.objects.filter(system__campaign=campaign)
    for segment, candidate, name in rows.values_list("candidate__segment", "candidate", "system__name"):
        groups[segment, candidate].append(name)
    return {(segment, tuple(sorted(names))): candidate for (segment, candidate), names in groups.items()}


def _segments(campaign: Campaign) -> dict[int, int]:
    return dict(Segment.objects.filter(campaign=campaign).values_list("position", "pk"))


def _systems(campaign: Campaign) -> dict[str, int]:
    return dict(System.objects.filter(campaign=campaign).values_list("name", "pk"))


class _Recorder:
    """Writes judgments; screens with the same candidates are shared, even across files."""

    def __init__(self, campaign: Campaign, new: New, answer: Answer):
        self.campaign, self.new, self.answer = campaign, new, answer
        self.answers = protocol_of(campaign).answers.model
        self.segments = _segments(campaign)
        self.outputs, self.regrouped = outputs_of(campaign), _regrouped(campaign)
        self.assignments = AssignmentWriter(campaign, (one.recorded.judge for _, one in new))
        earlier = recorded_screens(campaign)
        shown: dict[int, set[int]] = defaultdict(set)
        for screen, candidate in Slot.objects.filter(screen__in=earlier).values_list("screen", "candidate"):
            shown[screen].add(candidate)
        self.screens = {(screen.segment_id, frozenset(shown[screen.pk])): screen for screen in earlier}

    def write(self, progress: Progress) -> None:
        for part in chunks_of(self.new, progress):
            self._write_screens(one for _, one in part)
            judgments = self.assignments.write([self._new_judgment(key, one) for key, one in part])
            self.answers._default_manager.bulk_create(
                self.answers(
                    judgment_id=judgment.pk, screen_id=judgment.screen_id, candidate_id=candidate, **self.answer(value)
                )
                for judgment, (_, one) in zip(judgments, part, strict=True)
                for candidate, (_, value) in zip(self._candidates(one), one.groups, strict=True)
            )

    def _candidates(self, one: Matched) -> list[int]:
        segment, outputs = self.segments[one.position], self.outputs.get(one.position, {})
        return [
            self.regrouped[segment, group] if group in one.regrouped else int(str(outputs[group[0]]))
            for group, _ in one.groups
        ]

    def _place(self, one: Matched) -> tuple[int, frozenset[int]]:
        return self.segments[one.position], frozenset(self._candidates(one))

    def _write_screens(self, judged: Iterable[Matched]) -> None:
        new = dict.fromkeys(place for one in judged if (place := self._place(one)) not in self.screens)
        screens = Screen.objects.bulk_create(
            Screen(campaign_id=self.campaign.pk, segment_id=segment) for segment, _ in new
        )
        self.screens |= dict(zip(new, screens, strict=True))
        Slot.objects.bulk_create(
            Slot(screen_id=screen.pk, candidate_id=candidate, position=position)
            for (_, candidates), screen in zip(new, screens, strict=True)
            for position, candidate in enumerate(sorted(candidates))
        )

    def _new_judgment(self, key: UUID, one: Matched) -> NewJudgment:
        recorded, candidates = one.recorded, self._candidates(one)
        # The order in the file is the best estimate of the order on the screen.
        order = written_order(tuple(sorted(candidates).index(candidate) for candidate in candidates))
        reason = (recorded.skip_reason or SKIPPED_ELSEWHERE) if recorded.skipped else ""
        return NewJudgment(key, recorded.judge, self.screens[self._place(one)], order, reason, recorded.seconds)
