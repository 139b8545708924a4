"""Joining what a file says with a campaign: its sentences, usages and texts, its systems, and earlier judgments."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from pathlib import PurePosixPath
from typing import Any, NamedTuple
from uuid import UUID

from judgments.exchange.importers import outputs
from judgments.exchange.importers.rules import CORRECTIONS, RANKINGS, RATINGS
from judgments.exchange.importers.rules.corrections import Sentences
from judgments.exchange.importers.rules.edits_text import EditedMaterial, Versions, read_edits_text
from judgments.exchange.importers.rules.essay_ratings import read_essay_blocks, read_essay_table
from judgments.exchange.importers.rules.matching import (
    MatchedJudgment,
    Outputs,
    match_with_texts,
    match_without_texts,
    matched_keys,
)
from judgments.exchange.importers.rules.rankings import read_appraise_xml
from judgments.exchange.importers.rules.ratings import CampaignTexts
from judgments.exchange.importers.rules.recorded import (
    LONGEST_LABEL,
    SKIP_UNMATCHED,
    ImportOptions,
    RecordedJudgment,
    keys_of,
)
from judgments.exchange.importers.rules.verdicts_csv import read_verdicts_csv
from judgments.exchange.importers.writer import JudgmentToStore, Shown
from judgments.models import Campaign, Candidate, Judgment, Segment, System, SystemOutput, Usage
from judgments.models.campaign import LARGEST_SCREEN
from judgments.protocols.registry import rubric_of
from judgments.rules.authored.edit_verdicts import read_edit_verdicts
from judgments.rules.errors import Refused
from judgments.rules.files.names import fault_of_pseudonym
from judgments.rules.files.problems import Problem, refuse, shorten
from judgments.rules.files.text_files import UploadedFile
from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.edits import JudgedEdit

# The same judgment has the same key at every import.
SAME_RANKINGS = UUID("5f0c6a2e-4b0f-4d0b-9a57-2c1f6f8f3f41")
SAME_RATINGS = UUID("c1e5f0d7-3a86-4f0e-8f0b-6d1b7a9e24c9")
SAME_TEXT_RATINGS = UUID("0d4be4f6-90a3-4a51-8a51-5a6f0f1cb0a2")
SAME_EDITS = UUID("0b7d5c34-9f5e-4f0c-8d38-51b0a4b0c7aa")
SAME_CORRECTIONS = UUID("2d9f4a70-6f9c-4c59-8a37-90a2f6c8b3d5")
SAME_VERDICTS = UUID("6b0f3a1e-70a1-4d3c-9a55-0e6a2c1f4d87")
# Outputs that must be left of a judgment for it to say something.
FEWEST_RANKED, FEWEST_RATED = 2, 1
BY_JUDGES = "{subjects:sentence} by {judges:judge}, {skipped} of them skipped"
ESSAY_TABLE = "essay-ratings-csv"


class WithNoun(int):
    """A number that a template writes with its noun: {judges:judge} is 1 judge or 2 judges."""

    def __format__(self, noun: str) -> str:
        return f"{int(self)} {noun}{'s' * (self != 1)}" if noun else str(int(self))


class ImportedJudgments(NamedTuple):
    """What a file contains, and how many of its judgments are new or already known to the campaign.

    The subjects are sentences, texts or usages. `sentence` is a template with a field for every number, including
    `details`.
    """

    added: int
    known: int
    judges: int
    skipped: int
    subjects: int
    details: int
    sentence: str
    notes: Sequence[str] = ()
    by_judge: Mapping[str, int] = {}
    by_system: Mapping[str, int] = {}

    def __str__(self) -> str:
        numbers = self._asdict() | {"total": self.added + self.known}
        return self.sentence.format(**{name: WithNoun(n) for name, n in numbers.items() if isinstance(n, int)})


class JoinedFile(NamedTuple):
    """The judgments of a file that the campaign lacks, with their keys, and the whole file in numbers."""

    keys: Sequence[UUID]
    new: Sequence[Any]
    imported: ImportedJudgments


def join_rankings(campaign: Campaign, file: UploadedFile, options: ImportOptions) -> JoinedFile:
    recorded = RANKINGS[options.file_format].read(file.name, file.content)
    _refuse_invalid(file.name, recorded, _fault_of_ranking)
    matched, notes = _match(campaign, file.name, recorded, options, FEWEST_RANKED)
    sentence = _sentence("{added:ranking}", f"{{total:ranking}} of {BY_JUDGES}, with {{details:ranked output}}")
    return _found_of_candidates(campaign, SAME_RANKINGS, matched, sentence, notes)


def join_ratings(campaign: Campaign, file: UploadedFile, options: ImportOptions) -> JoinedFile:
    known = CampaignTexts()
    if outputs.has_texts(campaign):
        known = CampaignTexts(set(_system_names(campaign)), partial(outputs.lines_of, campaign))
    ratings = RATINGS[options.file_format].read(file.name, file.content, options, known)
    _refuse_invalid(file.name, ratings.recorded, lambda row: fault_of_pseudonym(row.judge))
    # A rating of more outputs than one screen has room for takes several.
    recorded = [
        row._replace(groups=row.groups[start : start + LARGEST_SCREEN])
        for row in ratings.recorded
        for start in range(0, max(len(row.groups), 1), LARGEST_SCREEN)
    ]
    if ratings.numbered_from is not None:
        options = options._replace(numbered_from=ratings.numbered_from)
    matched, notes = _match(campaign, file.name, recorded, options, FEWEST_RATED)
    sentence = _sentence("{added:rating}", f"{{total:rating}} of {BY_JUDGES}, with {{details:rated output}}")
    return _found_of_candidates(campaign, SAME_RATINGS, matched, sentence, [*notes, *ratings.notes])


def _sentence(added: str, contents: str) -> str:
    return f"{added} added, {{known}} were already stored. The file contains {contents}."


def _refuse_invalid(
    name: str, recorded: Sequence[RecordedJudgment], fault_of: Callable[[RecordedJudgment], str | None]
) -> None:
    faults = [(row.line, fault) for row in recorded if (fault := fault_of(row))]
    refuse(shorten(name, [Problem(name, line, fault) for line, fault in faults]))


def _fault_of_ranking(row: RecordedJudgment) -> str | None:
    if len(row.groups) > LARGEST_SCREEN:
        return f"ranks more than {LARGEST_SCREEN} outputs"
    if any(group.value > LARGEST_SCREEN for group in row.groups):
        return f"has a rank above {LARGEST_SCREEN}; number the ranks from 1"
    return fault_of_pseudonym(row.judge)


def _system_names(campaign: Campaign) -> Iterable[str]:
    return System.objects.filter(campaign=campaign).values_list("name", flat=True)


def _match(
    campaign: Campaign, name: str, recorded: Sequence[RecordedJudgment], options: ImportOptions, fewest: int
) -> tuple[list[MatchedJudgment], list[str]]:
    """Match the rows with the campaign's outputs, or without them with the names of its systems; and notes on it."""
    known = outputs.outputs_of(campaign)
    if outputs.has_texts(campaign):
        fewest = fewest if options.skip_unmatched else 0
        reading = match_with_texts(
            name, recorded, known, _system_names(campaign), options.numbered_from, fewest, options.joined_by
        )
        return reading.judgments, [*reading.notes, *_notes_on_joining(campaign, reading.judgments)]
    if not known and not options.without_texts:
        raise Refused(
            f"{campaign.slug} has no outputs yet. Upload them first, or choose to import without texts, and the "
            "campaign knows its systems by their names alone."
        )
    reading = match_without_texts(name, recorded, known, options.numbered_from, options.joined_by)
    return reading.judgments, reading.notes


def _notes_on_joining(campaign: Campaign, matched: Iterable[MatchedJudgment]) -> list[str]:
    joining = outputs.new_participants(campaign, matched)
    return [f"{one.name} is judged in the file, so it takes part from now on" for one in joining]


def _found_of_candidates(
    campaign: Campaign,
    namespace: UUID,
    matched: Sequence[MatchedJudgment],
    sentence: str,
    notes: Sequence[str],
    details: int | None = None,
) -> JoinedFile:
    """What is new of judgments of candidates; the details are outputs unless others are counted."""
    return _found(
        campaign,
        matched_keys(namespace, matched, campaign.slug),
        matched,
        [one.recorded for one in matched],
        subjects=len({one.position for one in matched}),
        details=sum(len(one.recorded.groups) for one in matched) if details is None else details,
        sentence=sentence,
        notes=notes,
        by_system=Counter(system for one in matched for systems, _ in one.groups for system in systems),
    )


def _found(
    campaign: Campaign, keys: Sequence[UUID], joined: Sequence[Any], recorded: Sequence[RecordedJudgment], **others: Any
) -> JoinedFile:
    """Find what the campaign lacks, and count the file; `joined` has what becomes of each recorded judgment."""
    stored = set(Judgment.objects.filter(assignment__campaign=campaign).values_list("key", flat=True))
    new = {key: one for key, one in zip(keys, joined, strict=True) if key not in stored}
    by_judge, skipped = Counter(row.judge for row in recorded), sum(row.is_skipped for row in recorded)
    imported = ImportedJudgments(len(new), len(keys) - len(new), len(by_judge), skipped, by_judge=by_judge, **others)
    return JoinedFile([*new], [*new.values()], imported)


def join_corrections(campaign: Campaign, file: UploadedFile, options: ImportOptions) -> JoinedFile:
    """Read a file about the sentences of the campaign; judges whom it only numbers get the organiser's names."""
    rows = Segment.objects.filter(campaign=campaign, text__isnull=False).order_by("position")
    segments = list(rows.values_list("pk", "position", "text"))
    if not segments:
        raise Refused(f"{campaign.slug} has no sentences yet; import the source first, then its corrections.")
    pks, positions, texts = zip(*segments, strict=True)
    recorded = CORRECTIONS[options.file_format].read(
        file.name, file.content, Sentences(positions, texts), options.judges
    )
    joined, identities, details = [], [], 0
    for row in recorded:
        edits = row.groups[0].value if row.groups else ()
        answers = [{"position": position, **edit._asdict()} for position, edit in enumerate(edits)]
        joined.append(JudgmentToStore(row.judge, Shown(pks[row.about]), answers, row.skip_reason, row.seconds))
        identities.append((campaign.slug, row.judge, positions[row.about], edits, row.skip_reason))
        details += len(edits)
    sentence = _sentence("{added:correction}", f"{{total:correction}} of {BY_JUDGES}, with {{details:edit}}")
    keys, subjects = keys_of(SAME_CORRECTIONS, identities), len({row.about for row in recorded})
    return _found(campaign, keys, joined, recorded, subjects=subjects, details=details, sentence=sentence)


def join_verdicts(campaign: Campaign, file: UploadedFile, options: ImportOptions) -> JoinedFile:
    """Read a file about the usages of the campaign; a usage has a screen of its own as a control."""
    usages = {usage.name: usage for usage in Usage.objects.filter(campaign=campaign)}
    if not usages:
        raise Refused(f"{campaign.slug} has no usages yet; import them first, then their verdicts.")
    recorded, left_out = read_verdicts_csv(file.name, file.content, usages)
    joined, identities = [], []
    for row in recorded:
        name, is_control = row.about
        finding = row.groups[0].value if row.groups else ""
        shown = Shown(usages[name].segment_id, usage=usages[name].pk, is_control=is_control)
        answers = [{"finding": finding}] if finding else []
        joined.append(JudgmentToStore(row.judge, shown, answers, row.skip_reason, row.seconds))
        identities.append((campaign.slug, row.judge, name, finding, row.skip_reason, is_control))
    contents = "{total:verdict} on {subjects:usage} by {judges:judge}, {skipped} of them skipped"
    sentence = _sentence(
        "{added:verdict}", f"{contents}; {{details:row}} of excluded judges and programs were left out"
    )
    keys, subjects = keys_of(SAME_VERDICTS, identities), len({row.about[0] for row in recorded})
    return _found(campaign, keys, joined, recorded, subjects=subjects, details=left_out, sentence=sentence)


class Value(NamedTuple):
    """What is said of a version: verdicts on its edits, and perhaps its rank."""

    edits: tuple[JudgedEdit, ...]
    rank: int | None


def join_markings(campaign: Campaign, file: UploadedFile, options: ImportOptions) -> JoinedFile:
    """Read files about the versions of the campaign, all of them unless the organiser says to leave out others.

    A judgment is ranked if a ranking of the same judge has all its versions.
    """
    if not outputs.has_texts(campaign):
        raise Refused(f"{campaign.slug} has no outputs yet. Upload the source and the outputs of the systems first.")
    found = read_edits_text(file.name, file.content, _material(campaign), options.judges, options.keep_first)
    if not options.skip_unmatched or not found.recorded:
        many = len({problem.file for problem in found.problems})
        advice = f"{many} of its files cannot be read. Correct them, {SKIP_UNMATCHED}"
        refuse([*found.problems, *([Problem(file.name, None, advice)] if found.recorded and many else [])])
    notes = [*found.slips, *(f"left out: {problem}" for problem in found.problems)]
    ranks: dict[tuple[str, int], dict[str, int]] = {}
    for ranking in found.rankings:
        rankings, known, fewest = (
            read_appraise_xml(ranking.name, ranking.content),
            outputs.outputs_of(campaign),
            int(options.skip_unmatched),
        )
        names = _system_names(campaign)
        reading = match_with_texts(
            ranking.name, rankings, known, names, options.numbered_from, fewest, options.joined_by
        )
        notes += reading.notes
        for one in reading.judgments:
            ranks[one.recorded.judge, one.position] = {
                system: rank for systems, rank in one.groups if 1 <= rank <= LARGEST_SCREEN for system in systems
            }
    rows = SystemOutput.objects.filter(system__campaign=campaign).order_by("candidate", "system__name")
    pairs = groupby(rows.values_list("candidate", "system__name"), key=lambda pair: pair[0])
    behind = {key: tuple(name for _, name in group) for key, group in pairs}
    matched, details = [], 0
    for row in found.recorded:
        given = ranks.get((row.judge, row.about), {})
        found_ranks = [
            next((given[system] for system in behind[candidate] if system in given), None)
            for candidate, _ in row.groups
        ]
        is_ranked = None not in found_ranks
        groups = tuple(
            (behind[candidate], Value(edits, rank if is_ranked else None))
            for (candidate, edits), rank in zip(row.groups, found_ranks, strict=True)
        )
        matched.append(MatchedJudgment(row, row.about, groups))
        details += sum(not edit.is_missed for _, edits in row.groups for edit in edits)
    if lonely := len(ranks.keys() - {(row.judge, row.about) for row in found.recorded}):
        notes.append(f"{lonely} rankings have no file with edits by the same judge; they were left out")
    contents = "{total:judgment} of {subjects:sentence} by {judges:judge}, with verdicts on {details:edit}"
    sentence = _sentence("{added:judgment}", contents)
    return _found_of_candidates(campaign, SAME_EDITS, matched, sentence, notes, details)


def _material(campaign: Campaign) -> EditedMaterial:
    segments = Segment.objects.filter(campaign=campaign, text__isnull=False).order_by("position")
    candidates = Candidate.objects.filter(segment__campaign=campaign, text__isnull=False).order_by("pk")
    versions: dict[int, dict[int, str]] = defaultdict(dict)
    for position, pk, text in candidates.values_list("segment__position", "pk", "text"):
        versions[position][pk] = text or ""
    sentences = {
        position: Versions(normalise(text or ""), versions[position])
        for position, text in segments.values_list("position", "text")
    }
    return EditedMaterial(sentences, read_edit_verdicts(campaign.edit_verdicts))


def join_essay_ratings(campaign: Campaign, file: UploadedFile, options: ImportOptions) -> JoinedFile:
    """Read what annotators said of the versions of whole texts: what one says of a text becomes one judgment."""
    essays, has_texts = outputs.essays_of(campaign), outputs.has_texts(campaign)
    if not essays and not options.without_texts:
        raise Refused(
            f"{campaign.slug} has no texts yet. Upload them first, or choose to import without texts, and the "
            "campaign knows its texts and systems by their names alone."
        )
    rubric = rubric_of(campaign)
    if options.file_format == ESSAY_TABLE:
        ratings = read_essay_table(file.name, file.content, rubric)
    else:
        annotator = options.judges[0] if options.judges else PurePosixPath(file.name).stem
        ratings = read_essay_blocks(file.name, file.content, rubric, list(essays), annotator)
    if has_texts:
        candidates = outputs.outputs_of(campaign)
        _refuse_invalid(file.name, ratings.recorded, _fault_of_essay(essays, set(_system_names(campaign)), candidates))
    else:
        candidates = {}
        for row in ratings.recorded:
            essays.setdefault(row.about, len(essays))
    matched = list(_essay_judgments(ratings.recorded, essays, candidates))
    contents = "{total:judgment} of {subjects:whole text} by {judges:judge}, {skipped} of them without any number"
    sentence = _sentence("{added:text rating}", f"{contents}, with {{details:rated version}}")
    notes = [*ratings.notes, *_notes_on_joining(campaign, matched)]
    return _found_of_candidates(campaign, SAME_TEXT_RATINGS, matched, sentence, notes)


def _fault_of_essay(
    essays: Mapping[str, int], systems: set[str], candidates: Outputs
) -> Callable[[RecordedJudgment], str | None]:
    def fault_of(row: RecordedJudgment) -> str | None:
        system = row.groups[0].systems
        if row.about not in essays:
            return f"names the text {row.about[:60]!r}, which the campaign does not have"
        if system not in systems:
            return f"names the system {system}, which the campaign does not have"
        if system not in candidates[essays[row.about]]:
            return f"rates {system} on the text {row.about[:60]!r}, where it has no output"
        return None

    return fault_of


def _essay_judgments(
    recorded: Iterable[RecordedJudgment], essays: Mapping[str, int], candidates: Outputs
) -> Iterator[MatchedJudgment]:
    """One judgment for what an annotator says of a text; a version without any number is a skip of its own.

    A version that several systems share, and that was rated for each of them, begins another judgment.
    """
    judgments: dict[tuple[str, str], list[tuple[RecordedJudgment, set[Hashable]]]] = {}
    for row in recorded:
        place, (system, said) = essays[row.about], row.groups[0]
        if said.is_missing:
            why = "; ".join(f"{scale}: {reason}" for scale, reason in said.reasons)
            reason = f"{system}: {why or 'no number'}"[:LONGEST_LABEL]
            skip = row._replace(groups=(), label=row.about, skip_reason=reason)
            yield MatchedJudgment(skip, place, ())
            continue
        begun = judgments.setdefault((row.judge, row.about), [])
        version = candidates.get(place, {}).get(system, system)
        for number, (judgment, shown) in enumerate(begun):
            if version not in shown and len(judgment.groups) < LARGEST_SCREEN:
                shown.add(version)
                begun[number] = judgment._replace(groups=judgment.groups + row.groups), shown
                break
        else:
            begun.append((row._replace(label=row.about), {version}))
    for begun in judgments.values():
        for judgment, _ in begun:
            groups = tuple(((system,), said) for system, said in judgment.groups)
            yield MatchedJudgment(judgment, essays[judgment.about], groups)
