"""Importing verdicts on edits that were typed by hand, with the rankings of the same versions if the ZIP has them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import NamedTuple
from uuid import UUID

from judgments.exchange.importers import storing_candidates as storing
from judgments.exchange.importers.kinds import Found, JudgmentKind, not_yet_stored
from judgments.exchange.importers.rules import EDITS
from judgments.exchange.importers.rules.appraise_xml import read_appraise_xml
from judgments.exchange.importers.rules.edits_text import Material, RecordedMarks, Versions, read_edits_text
from judgments.exchange.importers.rules.matching.grouping import Matched
from judgments.exchange.importers.rules.matching.reconcile import matched_keys, reconcile_with_texts
from judgments.exchange.importers.rules.recorded import WHAT_FITS, Group, Options, Recorded
from judgments.models import Campaign, Candidate, EditVerdicts, Segment, System, SystemOutput
from judgments.models.campaign import LARGEST_SCREEN
from judgments.rules.authored.edit_verdicts import read_edit_verdicts
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problem, refuse
from judgments.rules.files.text_files import UploadedFile
from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.edits import derived
from judgments.rules.texts.judged_edits import JudgedEdit

SAME_EDITS = UUID("0b7d5c34-9f5e-4f0c-8d38-51b0a4b0c7aa")
OUTCOME = (
    "{added} judgments added, {known} were already stored. The file contains {total} judgments of {subjects} sentences "
    "by {judges} judges, with verdicts on {details} edits."
)
# Of a judge and a sentence (by position), the rank of each system.
Ranks = Mapping[tuple[str, int], Mapping[str, int]]


class Value(NamedTuple):
    """What is stored of a version."""

    edits: tuple[JudgedEdit, ...]
    rank: int | None

    def answer(self) -> dict[str, object]:
        return {"edits": [edit._asdict() for edit in self.edits], "rank": self.rank}


def read_edits(campaign: Campaign, file: UploadedFile, options: Options) -> Found:
    """Read the files about the versions of the campaign, all of them unless the organiser says to leave out others."""
    if not storing.has_texts(campaign):
        raise Refused(f"{campaign.slug} has no outputs yet. Upload the source and the outputs of the systems first.")
    found = read_edits_text(*file, _material(campaign), options.judges)
    if not options.what_fits or not found.recorded:
        many = len({problem.file for problem in found.problems})
        advice = f"{many} of its files cannot be read. Correct them, {WHAT_FITS}"
        refuse([*found.problems, *([Problem(file.name, None, advice)] if found.recorded and many else [])])
    notes = [*found.slips, *(f"left out: {problem}" for problem in found.problems)]
    behind = _systems_behind(campaign)
    ranks: dict[tuple[str, int], dict[str, int]] = {}
    for ranking in found.rankings:
        ranks |= _ranks(campaign, ranking, options, notes)
    matched = [_matched(one, behind, ranks) for one in found.recorded]
    if lonely := len(ranks.keys() - {(one.judge, one.position) for one in found.recorded}):
        notes.append(f"{lonely} rankings have no file with edits by the same judge; they were left out")
    return Found.of(
        not_yet_stored(campaign, matched_keys(SAME_EDITS, matched, campaign.slug), matched),
        (one.judge for one in found.recorded),
        skipped=0,
        subjects=len({one.position for one in found.recorded}),
        details=sum(not edit.is_missed for one in found.recorded for _, edits in one.versions for edit in edits),
        sentence=OUTCOME,
        notes=notes,
        by_system=Counter(system for one in matched for systems, _ in one.groups for system in systems),
    )


def _material(campaign: Campaign) -> Material:
    segments = Segment.objects.filter(campaign=campaign, text__isnull=False).order_by("position")
    texts = {position: normalise(text or "") for position, text in segments.values_list("position", "text")}
    candidates = Candidate.objects.filter(segment__campaign=campaign, text__isnull=False).order_by("segment__position")
    rows = candidates.values_list("segment__position", "pk", "text")
    versions = {
        position: {pk: text or "" for _, pk, text in group} for position, group in groupby(rows, key=lambda row: row[0])
    }
    where = {pk: position for position, texts_of in versions.items() for pk in texts_of}
    return Material(
        {position: Versions(text, versions.get(position, {})) for position, text in texts.items()},
        read_edit_verdicts(campaign.edit_verdicts),
        lambda candidate: derived(texts[where[candidate]], versions[where[candidate]][candidate]),
    )


def _systems_behind(campaign: Campaign) -> dict[int, tuple[str, ...]]:
    rows = SystemOutput.objects.filter(system__campaign=campaign).order_by("candidate", "system__name")
    pairs = rows.values_list("candidate", "system__name")
    return {key: tuple(name for _, name in group) for key, group in groupby(pairs, key=lambda pair: pair[0])}


def _ranks(
    campaign: Campaign, file: UploadedFile, options: Options, notes: list[str]
) -> dict[tuple[str, int], dict[str, int]]:
    """The rankings of a file of Appraise, whose outputs name one or more systems."""
    recorded = read_appraise_xml(*file)
    names = System.objects.filter(campaign=campaign).values_list("name", flat=True)
    outputs = storing.outputs_of(campaign)
    reconciled = reconcile_with_texts(
        file.name, recorded, outputs, names, options.numbered_from, int(options.what_fits)
    )
    notes.extend(reconciled.notes)
    return {
        (one.recorded.judge, one.position): {
            system: rank for systems, rank in one.groups if 1 <= rank <= LARGEST_SCREEN for system in systems
        }
        for one in reconciled.judgments
    }


def _matched(one: RecordedMarks, behind: Mapping[int, Sequence[str]], ranks: Ranks) -> Matched:
    """A recorded judgment; it is ranked if a ranking of the same judge has all its versions."""
    given = ranks.get((one.judge, one.position), {})
    found = [_rank(behind[candidate], given) for candidate, _ in one.versions]
    ranked = found if None not in found else [None] * len(found)
    groups = tuple(
        (tuple(behind[candidate]), Value(edits, rank))
        for (candidate, edits), rank in zip(one.versions, ranked, strict=True)
    )
    row = Recorded(
        0, one.judge, one.position, tuple(Group(" ".join(names), value) for names, value in groups), None, ""
    )
    return Matched(row, one.position, groups)


def _rank(systems: Iterable[str], ranks: Mapping[str, int]) -> int | None:
    return next((ranks[system] for system in systems if system in ranks), None)


KIND = JudgmentKind(
    "markings",
    EditVerdicts,
    {
        EDITS: "a text file a sentence with edits such as [go→goes|True]; or a ZIP of them in a folder for each judge, "
        "with Appraise's rankings of the same sentences as XML if there are any",
    },
    "its outputs (import_outputs)",
    read_edits,
    partial(storing.store, answer=Value.answer),
    has_unnamed_judges=True,
    can_be_cut=True,
)
