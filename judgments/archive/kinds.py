"""The tables in a bundle, each after those to which it refers.

Rows contain no database keys. They refer to a system, a document and a judge by name, to a segment by its line in the
uploaded files, to a batch by its number, and to other rows by their place in their file, from 1. `decisions` determines
the columns.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.db.models import Model, Q, QuerySet

from judgments import models
from judgments.archive.decisions import COLUMNS
from judgments.archive.serialiser import Row, check_of, reader
from judgments.models import Campaign, Membership
from judgments.protocols.base import Protocol
from judgments.rules.files.values import NUMBER, Check, maybe

FORMAT, VERSION = "campaign of appraise-gec", 7
MANIFEST, SETTINGS = "bundle.json", "campaign.json"
PLACE = "number"
# Positions count from 0 in the database, lines from 1 in files.
POSITION, LINE = "position", "line"


def fields_of(model: type[Model]) -> dict[str, Any]:
    """Return the fields of a model that bundles contain, by column name."""
    exported = COLUMNS[model._meta.label].bundle.split()
    return {field.attname: field for field in model._meta.concrete_fields if field.attname in exported}


@dataclass(frozen=True)
class Kind:
    """The rows of one table.

    `campaign` is the lookup of a row's campaign; `omitted` rows are not exported, and `cleared` removes leases from the
    others. Rows of other kinds refer to a row by its `key`, a column or its place. `parts` are rows of another table,
    written inside the row to which their `key` refers; they inherit from it the fields that they lack.
    """

    name: str
    model: type[Model]
    campaign: str = "campaign"
    key: str = ""
    omitted: Q | None = None
    cleared: Callable[[Row], Row] = lambda row: row
    parts: "Kind | None" = None

    @property
    def file(self) -> str:
        return f"{self.name}.jsonl"

    @property
    def is_numbered(self) -> bool:
        """Whether rows contain their place."""
        return self.key == PLACE and PLACE not in self.fields

    @cached_property
    def fields(self) -> dict[str, Any]:
        """The exported fields, by name."""
        fields = fields_of(self.model).values()
        return {LINE if self.key == LINE and field.name == POSITION else field.name: field for field in fields}

    @cached_property
    def references(self) -> "dict[str, Kind]":
        """The fields that refer to other rows, each with the kind of those rows."""
        return {name: BY_MODEL[field.related_model] for name, field in self.fields.items() if field.is_relation}

    @cached_property
    def checks(self) -> dict[str, Check]:
        """A check for each field."""
        checks = {
            name: NUMBER if name == LINE else check_of(field)
            for name, field in self.fields.items()
            if not field.is_relation
        }
        for name, other in self.references.items():
            check = NUMBER if other.is_numbered else other.checks[other.key]
            checks[name] = maybe(check) if self.fields[name].null else check
        return checks

    @cached_property
    def readers(self) -> dict[str, Callable[[Any], Any]]:
        """A function for each field whose values JSON cannot express."""
        return {name: read for name, field in self.fields.items() if (read := reader(field))}

    @cached_property
    def names(self) -> set[str]:
        return {*self.fields, *([PLACE] if self.is_numbered else []), *([self.parts.name] if self.parts else [])}

    def rows(self, campaign: Campaign) -> QuerySet:
        """The rows of a campaign in the order of creation."""
        rows = self.model._default_manager.filter(**{self.campaign: campaign}).order_by("pk")
        return rows if self.omitted is None else rows.exclude(self.omitted)


def _without_lease(assignment: Row) -> Row:
    return assignment if assignment["submitted_at"] else assignment | {"judge": None, "claimed_at": None}


ANSWERS = "answers"
KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("systems", models.System, key="name"),
        Kind("documents", models.Document, key="name"),
        Kind("segments", models.Segment, key=LINE),
        Kind("candidates", models.Candidate, "segment__campaign", key=PLACE),
        Kind("outputs", models.SystemOutput, "system__campaign"),
        Kind("recorded_outputs", models.RecordedOutput, "system__campaign"),
        Kind("usages", models.Usage, key=PLACE),
        Kind("classifications", models.Classification, "system__campaign"),
        # Organisers are not exported, because they need an account.
        Kind("judges", models.Membership, key="pseudonym", omitted=Q(role=Membership.Role.ORGANISER)),
        Kind("batches", models.Batch, key=PLACE),
        Kind("screens", models.Screen, key=PLACE, parts=Kind("slots", models.Slot, "screen__campaign", key="screen")),
        # Unanswered assignments of programs are not exported: programs claim new ones.
        Kind(
            "assignments", models.Assignment, key=PLACE, omitted=Q(batch=None, submitted_at=None),
            cleared=_without_lease,
        ),
        Kind("stand_ins", models.StandIn, "assignment__campaign"),
        Kind("judgments", models.Judgment, "assignment__campaign", key=PLACE),
        Kind("prompts", models.Prompt, key="version"),
        Kind("program_answers", models.ProgramAnswer, "assignment__campaign", omitted=Q(assignment__submitted_at=None)),
        Kind("completions", models.Completion, "judge__campaign"),
    )
}  # fmt: skip
BY_MODEL = {kind.model: kind for kind in KINDS.values()}


def kinds_of(protocol: Protocol) -> dict[str, Kind]:
    """Return all kinds, with the answers of a protocol inside its judgments."""
    answers = Kind(ANSWERS, protocol.answer_model, "judgment__assignment__campaign", key="judgment")
    return KINDS | {"judgments": replace(KINDS["judgments"], parts=answers)}
