"""Importing rankings and ratings: a file is read, and matched with the outputs of a campaign."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from uuid import UUID

from judgments.exchange.importers import storing_candidates as storing
from judgments.exchange.importers.kinds import Found, JudgmentKind, not_yet_stored
from judgments.exchange.importers.rules import RANKINGS as RANKING_READERS
from judgments.exchange.importers.rules import RATINGS as RATING_READERS
from judgments.exchange.importers.rules.matching.reconcile import (
    Reconciled,
    matched_keys,
    reconcile_with_texts,
    reconcile_without_texts,
)
from judgments.exchange.importers.rules.ratings import Known
from judgments.exchange.importers.rules.recorded import Options, Recorded
from judgments.models import Campaign, Placement, Rating, System
from judgments.models.campaign import LARGEST_SCREEN
from judgments.rules.errors import Refused
from judgments.rules.files.names import fault_of_pseudonym
from judgments.rules.files.problems import Problem, refuse, shorten
from judgments.rules.files.text_files import UploadedFile

SAME_RANKINGS = UUID("5f0c6a2e-4b0f-4d0b-9a57-2c1f6f8f3f41")
SAME_RATINGS = UUID("c1e5f0d7-3a86-4f0e-8f0b-6d1b7a9e24c9")
# Outputs that must be left of a judgment for it to say something.
FEWEST_RANKED, FEWEST_RATED = 2, 1
NEEDS = "its outputs (import_outputs)"
RANKED = (
    "{added} rankings added, {known} were already stored. The file contains {total} rankings of {subjects} sentences "
    "by {judges} judges, {skipped} of them skipped, with {details} ranked outputs."
)
RATED = (
    "{added} ratings added, {known} were already stored. The file contains {total} ratings of {subjects} sentences "
    "by {judges} judges, {skipped} of them skipped, with {details} rated outputs."
)


def read_rankings(campaign: Campaign, file: UploadedFile, options: Options) -> Found:
    recorded = RANKING_READERS[options.file_format](*file)
    refuse(_invalid(file.name, recorded, _fault_of_ranking))
    reconciled = _reconciled(campaign, file.name, recorded, options, FEWEST_RANKED)
    return _found(campaign, reconciled, SAME_RANKINGS, RANKED)


def read_ratings(campaign: Campaign, file: UploadedFile, options: Options) -> Found:
    known = (
        Known(set(_names(campaign)), partial(storing.lines_of, campaign)) if storing.has_texts(campaign) else Known()
    )
    ratings = RATING_READERS[options.file_format](*file, options, known)
    refuse(_invalid(file.name, ratings.recorded, lambda row: fault_of_pseudonym(row.judge)))
    recorded = [part for row in ratings.recorded for part in _screens_of(row)]
    if ratings.numbered_from is not None:
        options = options._replace(numbered_from=ratings.numbered_from)
    reconciled = _reconciled(campaign, file.name, recorded, options, FEWEST_RATED)
    reconciled.notes.extend(ratings.notes)
    return _found(campaign, reconciled, SAME_RATINGS, RATED)


def _invalid(name: str, recorded: Sequence[Recorded], fault_of: Callable[[Recorded], str | None]) -> list[Problem]:
    return shorten(name, [Problem(name, row.line, fault) for row in recorded if (fault := fault_of(row))])


def _fault_of_ranking(row: Recorded) -> str | None:
    if len(row.groups) > LARGEST_SCREEN:
        return f"ranks more than {LARGEST_SCREEN} outputs"
    if any(group.value > LARGEST_SCREEN for group in row.groups):
        return f"has a rank above {LARGEST_SCREEN}; number the ranks from 1"
    return fault_of_pseudonym(row.judge)


def _screens_of(row: Recorded) -> Iterator[Recorded]:
    """Split a rating of more outputs than one screen has room for."""
    for start in range(0, max(len(row.groups), 1), LARGEST_SCREEN):
        yield row._replace(groups=row.groups[start : start + LARGEST_SCREEN])


def _names(campaign: Campaign) -> Iterable[str]:
    return System.objects.filter(campaign=campaign).values_list("name", flat=True)


def _reconciled(
    campaign: Campaign, name: str, recorded: Sequence[Recorded], options: Options, fewest: int
) -> Reconciled:
    """Match the rows with the campaign's outputs, or without them with the names of its systems."""
    outputs = storing.outputs_of(campaign)
    if storing.has_texts(campaign):
        fewest = fewest if options.what_fits else 0
        reconciled = reconcile_with_texts(name, recorded, outputs, _names(campaign), options.numbered_from, fewest)
        joining = storing.new_participants(campaign, reconciled.judgments)
        reconciled.notes.extend(f"{one.name} is judged in the file, so it takes part from now on" for one in joining)
        return reconciled
    if not outputs and not options.without_texts:
        raise Refused(
            f"{campaign.slug} has no outputs yet. Upload them first, or choose to import without texts, and the "
            "campaign knows its systems by their names alone."
        )
    return reconcile_without_texts(name, recorded, outputs, options.numbered_from)


def _found(campaign: Campaign, reconciled: Reconciled, namespace: UUID, sentence: str) -> Found:
    matched = reconciled.judgments
    new = not_yet_stored(campaign, matched_keys(namespace, matched, campaign.slug), matched)
    return Found.of(
        new,
        (one.recorded.judge for one in matched),
        skipped=sum(one.recorded.skipped for one in matched),
        subjects=len({one.position for one in matched}),
        details=sum(len(one.recorded.groups) for one in matched),
        sentence=sentence,
        notes=reconciled.notes,
        by_system=Counter(system for one in matched for systems, _ in one.groups for system in systems),
    )


KINDS = (
    JudgmentKind(
        "rankings",
        Placement,
        {
            "appraise-xml": "Appraise's ranking results (<ranking-item>)",
            "pairs-csv": "two systems and their ranks per row; rows with the same rankingID are one ranking",
            "wmt-csv": "WMT's tables with system1Id ... and system1rank ... columns",
        },
        NEEDS,
        read_rankings,
        partial(storing.store, answer=lambda rank: {"rank": rank}),
        can_lack_texts=True,
        can_be_cut=True,
    ),
    JudgmentKind(
        "ratings",
        Rating,
        {
            "ratings-csv": "columns judge, segment, system, score; or the judgments.csv of a rating campaign",
            "gmeg-csv": "mean scores, with a column per system and a row per line, as in the GMEG corpus",
            "wmt-da-csv": "WMT's direct assessments: user, system, item, type, two languages, score; no header",
            "wmt-esa-csv": "WMT's error span annotation: the same, then document, spans and times; scores are stored",
            "pearmut": "answers of Pearmut as JSON lines; scores are stored, error spans and texts are not",
        },
        NEEDS,
        read_ratings,
        partial(storing.store, answer=lambda score: score._asdict()),
        has_scores=True,
        has_unnamed_judges=True,
        can_lack_texts=True,
        can_be_cut=True,
    ),
)
