"""Importing ratings of whole texts: what an annotator said of the versions of one text becomes one judgment."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any
from uuid import UUID

from judgments.exchange.importers import storing_candidates as storing
from judgments.exchange.importers.kinds import Found, JudgmentKind, not_yet_stored
from judgments.exchange.importers.rules import ESSAY_BLOCKS, ESSAY_TABLE
from judgments.exchange.importers.rules.essay_ratings import (
    EssayRatings,
    RatedEssay,
    Said,
    read_essay_blocks,
    read_essay_table,
)
from judgments.exchange.importers.rules.matching.grouping import Matched
from judgments.exchange.importers.rules.matching.reconcile import matched_keys
from judgments.exchange.importers.rules.recorded import LONGEST_LABEL, Group, Options, Recorded
from judgments.models import Campaign, Document, EssayRating, Segment, System
from judgments.models.campaign import LARGEST_SCREEN
from judgments.protocols.registry import rubric_of
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problem, refuse, shorten
from judgments.rules.files.text_files import UploadedFile
from judgments.rules.progress import Progress

SAME_RATINGS = UUID("0d4be4f6-90a3-4a51-8a51-5a6f0f1cb0a2")
RATED = (
    "{added} text ratings added, {known} were already stored. The file contains {total} judgments of {subjects} whole "
    "texts by {judges} judges, {skipped} of them without any number, with {details} rated versions."
)


def read_essay_ratings(campaign: Campaign, file: UploadedFile, options: Options) -> Found:
    essays = _essays(campaign)
    if not essays and not options.without_texts:
        raise Refused(
            f"{campaign.slug} has no texts yet. Upload them first, or choose to import without texts, and the "
            "campaign knows its texts and systems by their names alone."
        )
    ratings = _read(campaign, file, options, list(essays))
    places = essays if storing.has_texts(campaign) else _with_new(essays, ratings.rated)
    refuse(shorten(file.name, list(_faults(campaign, file.name, ratings.rated, places))))
    outputs = storing.outputs_of(campaign) if storing.has_texts(campaign) else {}
    matched = list(_judgments(ratings.rated, places, outputs))
    new = not_yet_stored(campaign, matched_keys(SAME_RATINGS, matched, campaign.slug), matched)
    joining = storing.new_participants(campaign, matched)
    notes = [f"{one.name} is judged in the file, so it takes part from now on" for one in joining]
    return Found.of(
        new,
        (one.recorded.judge for one in matched),
        skipped=sum(one.recorded.skipped for one in matched),
        subjects=len({one.position for one in matched}),
        details=sum(len(one.groups) for one in matched),
        sentence=RATED,
        notes=[*ratings.notes, *notes],
        by_system=Counter(name for one in matched for systems, _ in one.groups for name in systems),
    )


def store_essay_ratings(campaign: Campaign, found: Found, progress: Progress) -> None:
    """Store the judgments; texts that are known by name only become documents without text."""
    known = set(_essays(campaign).values())
    names = {one.position: one.recorded.label for _, one in found.new if one.position not in known}
    documents = Document.objects.bulk_create(Document(campaign=campaign, name=names[place]) for place in sorted(names))
    Segment.objects.bulk_create(
        Segment(campaign=campaign, document=document, position=place)
        for place, document in zip(sorted(names), documents, strict=True)
    )
    rubric = rubric_of(campaign)

    def answer(said: Said) -> Mapping[str, Any]:
        scores = dict(said.scores)
        return {"scores": scores, "reasons": dict(said.reasons), "score": rubric.score(scores)}

    storing.store(campaign, found, progress, answer)


def _essays(campaign: Campaign) -> dict[str, int]:
    """The places of the campaign's texts by their ids."""
    rows = Segment.objects.filter(campaign=campaign).order_by("position")
    return dict(rows.values_list("document__name", "position"))


def _read(campaign: Campaign, file: UploadedFile, options: Options, essays: Sequence[str]) -> EssayRatings:
    rubric = rubric_of(campaign)
    if options.file_format == ESSAY_TABLE:
        return read_essay_table(*file, rubric)
    annotator = options.judges[0] if options.judges else PurePosixPath(file.name).stem
    return read_essay_blocks(*file, rubric, essays, annotator)


def _with_new(essays: Mapping[str, int], rated: Sequence[RatedEssay]) -> dict[str, int]:
    places = dict(essays)
    for one in rated:
        places.setdefault(one.essay, len(places))
    return places


def _faults(campaign: Campaign, name: str, rated: Sequence[RatedEssay], places: Mapping[str, int]) -> Iterator[Problem]:
    systems = set(System.objects.filter(campaign=campaign).values_list("name", flat=True))
    outputs = storing.outputs_of(campaign)
    for one in rated:
        if one.essay not in places:
            yield Problem(name, one.line, f"names the text {one.essay[:60]!r}, which the campaign does not have")
        elif not storing.has_texts(campaign):
            continue
        elif one.system not in systems:
            yield Problem(name, one.line, f"names the system {one.system}, which the campaign does not have")
        elif one.system not in outputs[places[one.essay]]:
            yield Problem(name, one.line, f"rates {one.system} on the text {one.essay[:60]!r}, where it has no output")


def _judgments(
    rated: Sequence[RatedEssay], places: Mapping[str, int], outputs: Mapping[int, Mapping[str, Any]]
) -> Iterator[Matched]:
    """One judgment for what an annotator says of a text; a version without any number is a skip of its own.

    A version that several systems share, and that was rated for each of them, begins another judgment.
    """
    groups: dict[tuple[str, str], list[list[RatedEssay]]] = {}
    for one in rated:
        place = places[one.essay]
        if one.said.is_missing:
            why = "; ".join(f"{scale}: {reason}" for scale, reason in one.said.reasons)
            reason = f"{one.system}: {why or 'no number'}"[:LONGEST_LABEL]
            yield Matched(Recorded(one.line, one.annotator, place, (), None, one.essay, reason), place, ())
            continue
        screens = groups.setdefault((one.annotator, one.essay), [])
        version = outputs.get(place, {}).get(one.system, one.system)
        for screen in screens:
            shown = {outputs.get(place, {}).get(other.system, other.system) for other in screen}
            if version not in shown and len(screen) < LARGEST_SCREEN:
                screen.append(one)
                break
        else:
            screens.append([one])
    for (annotator, essay), screens in groups.items():
        for screen in screens:
            said = tuple(((one.system,), one.said) for one in screen)
            written = tuple(Group(one.system, one.said) for one in screen)
            recorded = Recorded(screen[0].line, annotator, places[essay], written, None, essay)
            yield Matched(recorded, places[essay], said)


KIND = JudgmentKind(
    "text ratings",
    EssayRating,
    {
        ESSAY_TABLE: "columns essay, system, annotator, scale, value; words instead of a number are a reason",
        ESSAY_BLOCKS: "MultiGEC's blocks by system: #NAME, then a line for each text, Grammaticality: 3 Fluency: 2",
    },
    "its texts (import_outputs)",
    read_essay_ratings,
    store_essay_ratings,
    subject="text",
    has_unnamed_judges=True,
    can_lack_texts=True,
)
