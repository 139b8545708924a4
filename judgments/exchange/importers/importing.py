"""Importing a file of judgments in any format: what it holds for a campaign, and storing that once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Model

from judgments.exchange.importers import joining
from judgments.exchange.importers.joining import ImportedJudgments, JoinedFile
from judgments.exchange.importers.outputs import with_candidates, with_essays
from judgments.exchange.importers.rules import CORRECTIONS, RANKINGS, RATINGS, descriptions_of
from judgments.exchange.importers.rules.recorded import ImportOptions, RecordedScore
from judgments.exchange.importers.writer import JudgmentToStore, write_judgments
from judgments.models import Campaign, Edit, EditVerdicts, EssayRating, Membership, Placement, Rating, Verdict
from judgments.models.journal import note
from judgments.protocols import PROTOCOLS, protocol_of
from judgments.protocols.base import Protocol
from judgments.protocols.registry import names_of
from judgments.rules.errors import Refused
from judgments.rules.files.text_files import UploadedFile
from judgments.rules.progress import Progress, no_progress

Prepare = Callable[[Campaign, Sequence[Any]], Sequence[JudgmentToStore]]
NEEDS_OUTPUTS = "its outputs (import_outputs)"


@dataclass(frozen=True)
class JudgmentKind:
    """Judgments of one protocol: their formats with descriptions, what a campaign must have first, what they are about.

    `join` checks a file against the campaign and changes nothing; `prepare` stores what new judgments are about, if the
    campaign lacks it.
    """

    what: str
    answers: type[Model]
    formats: Mapping[str, str]
    needs: str
    join: Callable[[Campaign, UploadedFile, ImportOptions], JoinedFile]
    prepare: Prepare = lambda campaign, new: new
    subject: str = "sentence"
    has_scores: bool = False
    has_unnamed_judges: bool = False
    can_lack_texts: bool = False
    can_be_cut: bool = False
    can_contradict_itself: bool = False

    @property
    def protocols(self) -> list[Protocol]:
        return [protocol for protocol in PROTOCOLS.values() if protocol.answer_model is self.answers]


KINDS = (
    JudgmentKind(
        "rankings",
        Placement,
        descriptions_of(RANKINGS),
        NEEDS_OUTPUTS,
        joining.join_rankings,
        partial(with_candidates, columns=lambda rank: {"rank": rank}),
        can_lack_texts=True,
        can_be_cut=True,
    ),
    JudgmentKind(
        "ratings",
        Rating,
        descriptions_of(RATINGS),
        NEEDS_OUTPUTS,
        joining.join_ratings,
        partial(with_candidates, columns=RecordedScore._asdict),
        has_scores=True,
        has_unnamed_judges=True,
        can_lack_texts=True,
        can_be_cut=True,
    ),
    JudgmentKind(
        "corrections",
        Edit,
        descriptions_of(CORRECTIONS),
        "its sentences (import_outputs with --protocol correction)",
        joining.join_corrections,
        has_unnamed_judges=True,
    ),
    JudgmentKind(
        "verdicts",
        Verdict,
        {"verdicts-csv": "columns judge, usage, finding (error, ok, unknown; empty for a skip), like judgments.csv"},
        "its usages (import_outputs)",
        joining.join_verdicts,
        subject="usage",
    ),
    JudgmentKind(
        "markings",
        EditVerdicts,
        {
            "edits-text": "text files by sentence, with edits such as [go→goes|True]; or a ZIP of them in a folder for "
            "each judge, with Appraise's rankings of the same sentences as XML if there are any",
        },
        NEEDS_OUTPUTS,
        joining.join_markings,
        partial(
            with_candidates,
            columns=lambda said: {"edits": [edit._asdict() for edit in said.edits], "rank": said.rank},
        ),
        has_unnamed_judges=True,
        can_be_cut=True,
        can_contradict_itself=True,
    ),
    JudgmentKind(
        "text ratings",
        EssayRating,
        {
            "essay-ratings-csv": "columns essay, system, annotator, scale, value; words instead of a number are a "
            "reason",
            "multigec-ratings": "MultiGEC's blocks by system: #NAME, then a line for each text, "
            "Grammaticality: 3 Fluency: 2",
        },
        "its texts (import_outputs)",
        joining.join_essay_ratings,
        with_essays,
        subject="text",
        has_unnamed_judges=True,
        can_lack_texts=True,
    ),
)
BY_FORMAT = {file_format: kind for kind in KINDS for file_format in kind.formats}


def kind_for(campaign: Campaign) -> JudgmentKind | None:
    """The kind of judgments that a campaign can import, if there is a format for its protocol."""
    answers = protocol_of(campaign).answer_model
    return next((kind for kind in KINDS if kind.answers is answers), None)


def refuse_archived(campaign: Campaign) -> None:
    if campaign.state == Campaign.State.ARCHIVED:
        raise Refused(f"{campaign.slug} is archived; close it again before you import judgments.")


def find(campaign: Campaign, file: UploadedFile, options: ImportOptions) -> JoinedFile:
    """Read a file and compare it with the campaign, without changing anything; raise what does not fit."""
    kind = BY_FORMAT[options.file_format]
    if protocol_of(campaign).answer_model is not kind.answers:
        fitting, own = names_of(kind.protocols), campaign.protocol
        raise Refused(f"{kind.what.capitalize()} are for {fitting} campaigns; {campaign.slug} is a {own} campaign.")
    refuse_archived(campaign)
    if options.fault:
        raise Refused(options.fault)
    found = kind.join(campaign, file, options)
    named = Membership.objects.filter(campaign=campaign, pseudonym__in=found.imported.by_judge)
    if others := sorted(f"{one.pseudonym} ({one.role})" for one in named.exclude(role=Membership.Role.JUDGE)):
        shown = ", ".join(others)[:200]
        raise Refused(f"These names belong to members who are not judges: {shown}. Give the judges other names.")
    return found


@transaction.atomic
def import_judgments(
    campaign: Campaign, file: UploadedFile, options: ImportOptions, progress: Progress = no_progress
) -> ImportedJudgments:
    """Store the new judgments of a file; importing it again adds nothing."""
    found, kind = find(campaign, file, options), BY_FORMAT[options.file_format]
    write_judgments(campaign, found.keys, kind.prepare(campaign, found.new), progress)
    note(campaign, f"imported {len(found.new)} {kind.what} from {file.name}")
    return found.imported
