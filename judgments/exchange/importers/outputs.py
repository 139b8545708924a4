"""The outputs that imported judgments are about: those of a campaign, and those that only the judgments know."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from judgments.exchange.importers.rules.essay_ratings import EssayScores
from judgments.exchange.importers.rules.matching import MatchedJudgment, Systems
from judgments.exchange.importers.rules.ratings import KnownLine
from judgments.exchange.importers.rules.recorded import SKIPPED_ELSEWHERE
from judgments.exchange.importers.writer import JudgmentToStore, Shown
from judgments.models import Campaign, Candidate, Document, RecordedOutput, Segment, System, SystemOutput
from judgments.models.database import store_rows
from judgments.models.screens import written_order
from judgments.protocols.registry import rubric_of
from judgments.rules.texts.collapsing import fingerprint, normalise

RECORDED_DOCUMENT = "recorded elsewhere"
New = Sequence[MatchedJudgment]


def has_texts(campaign: Campaign) -> bool:
    return Candidate.objects.filter(segment__campaign=campaign, text__isnull=False).exists()


def outputs_of(campaign: Campaign) -> dict[int, dict[str, int]]:
    """Return the candidate of each system, by lines."""
    return _by_line(campaign, "candidate")


def lines_of(campaign: Campaign) -> dict[str, list[KnownLine]]:
    """Return the lines of each sentence of the source, with the outputs there."""
    outputs, lines = _by_line(campaign, "candidate__text"), defaultdict(list)
    segments = Segment.objects.filter(campaign=campaign, text__isnull=False).order_by("position")
    for position, text in segments.values_list("position", "text").iterator(10_000):
        lines[normalise(text or "")].append(KnownLine(position, outputs[position]))
    return lines


def _by_line(campaign: Campaign, column: str) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = defaultdict(dict)
    rows = SystemOutput.objects.filter(system__campaign=campaign).exclude(**{column: None})
    for position, system, value in rows.values_list("segment__position", "system__name", column).iterator(10_000):
        found[position][system] = value
    return found


def essays_of(campaign: Campaign) -> dict[str, int]:
    """The places of the campaign's whole texts by their ids."""
    rows = Segment.objects.filter(campaign=campaign).order_by("position")
    return dict(rows.values_list("document__name", "position"))


def new_participants(campaign: Campaign, judged: Iterable[MatchedJudgment]) -> list[System]:
    """Return the judged systems that do not take part yet, such as the source.

    References count only where they were judged on their own: exports name every system behind an output.
    """
    idle = System.objects.filter(campaign=campaign, takes_part=False).exclude(kind=System.Kind.CONTROL)
    systems = {system.name: system for system in idle.order_by("name")}
    references = {name for name, system in systems.items() if system.kind == System.Kind.REFERENCE}
    groups = {group for one in judged for group, _ in one.groups} if systems else set()
    named = {name for group in groups for name in group if name not in references or references.issuperset(group)}
    return [system for name, system in systems.items() if name in named]


def with_candidates(campaign: Campaign, new: New, columns: Callable[[Any], Mapping[str, Any]]) -> list[JudgmentToStore]:
    """Store the outputs that the campaign lacks, and return the judgments of candidates, ready to be written.

    Every judged system takes part from now on, which affects later assignments.
    """
    joining = new_participants(campaign, new)
    System.objects.filter(pk__in=[system.pk for system in joining]).update(takes_part=True)
    if not has_texts(campaign):
        _write_textless(campaign, new)
    segments, outputs, mismatches = _segments(campaign), outputs_of(campaign), _write_mismatches(campaign, new)
    judgments = []
    for one in new:
        row, segment, here = one.recorded, segments[one.position], outputs.get(one.position, {})
        candidates = [
            mismatches[segment, group] if group in one.mismatch else here[group[0]] for group, _ in one.groups
        ]
        answers = [
            {"candidate_id": candidate, **columns(value)}
            for candidate, (_, value) in zip(candidates, one.groups, strict=True)
        ]
        # The order in the file is the best estimate of the order on the screen.
        places = {candidate: place for place, candidate in enumerate(sorted(candidates))}
        order = written_order(tuple(places[candidate] for candidate in candidates))
        reason = (row.skip_reason or SKIPPED_ELSEWHERE) if row.is_skipped else ""
        shown = Shown(segment, frozenset(candidates))
        judgments.append(JudgmentToStore(row.judge, shown, answers, reason, row.seconds, order))
    return judgments


def with_essays(campaign: Campaign, new: New) -> list[JudgmentToStore]:
    """The same for ratings of whole texts; texts that are known by name only become documents without text."""
    known = set(essays_of(campaign).values())
    names = {one.position: one.recorded.about for one in new if one.position not in known}
    documents = store_rows(Document, ["campaign", "name"], [(campaign.pk, names[place]) for place in sorted(names)])
    rows = [(campaign.pk, document, place) for place, document in zip(sorted(names), documents, strict=True)]
    store_rows(Segment, ["campaign", "document", "position"], rows)
    rubric = rubric_of(campaign)

    def columns(said: EssayScores) -> Mapping[str, Any]:
        scores = dict(said.scores)
        return {"scores": scores, "reasons": dict(said.reasons), "score": rubric.score(scores)}

    return with_candidates(campaign, new, columns)


def _write_textless(campaign: Campaign, new: New) -> None:
    """Store segments, systems and candidates without texts."""
    positions = {one.position for one in new} - _segments(campaign).keys()
    if positions:
        document, _ = Document.objects.get_or_create(campaign=campaign, name=RECORDED_DOCUMENT)
        rows = [(campaign.pk, document.pk, position) for position in sorted(positions)]
        store_rows(Segment, ["campaign", "document", "position"], rows)
    names = sorted({system for one in new for systems, _ in one.groups for system in systems})
    System.objects.bulk_create((System(campaign=campaign, name=name) for name in names), ignore_conflicts=True)
    systems, segments = _systems(campaign), _segments(campaign)
    stored = set(SystemOutput.objects.filter(system__campaign=campaign).values_list("segment", "system"))
    groups = {(segments[one.position], group) for one in new for group, _ in one.groups if group not in one.mismatch}
    places = sorted((segment, group) for segment, group in groups if (segment, systems[group[0]]) not in stored)
    marked = [(segment, fingerprint("\0".join(group))) for segment, group in places]
    candidates = store_rows(Candidate, ["segment", "fingerprint"], marked)
    behind = [
        (systems[name], segment, candidate)
        for (segment, group), candidate in zip(places, candidates, strict=True)
        for name in group
    ]
    store_rows(SystemOutput, ["system", "segment", "candidate"], behind)


def _write_mismatches(campaign: Campaign, new: New) -> dict[tuple[int, Systems], int]:
    """Store a candidate without text for each group of systems that is no output of the campaign.

    Return those candidates, and the ones of earlier files, by segment and systems.
    """
    segments = _segments(campaign)
    places = {(segments[one.position], group) for one in new for group in one.mismatch}
    if not places:
        return {}
    names: dict[tuple[int, int], list[str]] = defaultdict(list)
    rows = RecordedOutput.objects.filter(system__campaign=campaign)
    for segment, candidate, name in rows.values_list("candidate__segment", "candidate", "system__name"):
        names[segment, candidate].append(name)
    known = {(segment, tuple(sorted(group))): candidate for (segment, candidate), group in names.items()}
    missing, systems = sorted(places - known.keys()), _systems(campaign)
    # No text contains NUL, so no text has this fingerprint.
    marked = [(segment, fingerprint("\0".join(("", *group)))) for segment, group in missing]
    candidates = store_rows(Candidate, ["segment", "fingerprint"], marked)
    behind = [
        (candidate, systems[name]) for (_, group), candidate in zip(missing, candidates, strict=True) for name in group
    ]
    store_rows(RecordedOutput, ["candidate", "system"], behind)
    return known | dict(zip(missing, candidates, strict=True))


def _segments(campaign: Campaign) -> dict[int, int]:
    return dict(Segment.objects.filter(campaign=campaign).values_list("position", "pk"))


def _systems(campaign: Campaign) -> dict[str, int]:
    return dict(System.objects.filter(campaign=campaign).values_list("name", "pk"))
