"""The kinds of judgments that can be imported: what each needs, how it is read, and how it is stored."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Model

from judgments.exchange.importers.rules.recorded import Options
from judgments.models import Campaign, Judgment, Membership
from judgments.protocols import PROTOCOLS, protocol_of
from judgments.protocols.base import Protocol
from judgments.protocols.registry import names_of
from judgments.rules.errors import Refused
from judgments.rules.files.text_files import UploadedFile
from judgments.rules.progress import Progress


class Imported(NamedTuple):
    """What a file contains, and how many of its judgments are new or already known to the campaign.

    The subjects are sentences or usages. `sentence` is a template with a field for every number, including `details`.
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
        return self.sentence.format(total=self.added + self.known, **self._asdict())


class Found(NamedTuple):
    """The judgments of a file that the campaign lacks, with their keys, and the whole file in numbers."""

    new: Sequence[tuple[UUID, Any]]
    imported: Imported

    @classmethod
    def of(cls, new: Sequence[tuple[UUID, Any]], judges: Iterable[str], **numbers: Any) -> "Found":
        """Count a file from its new judgments, the judge of each of all its judgments, and the other numbers."""
        by_judge = Counter(judges)
        known = by_judge.total() - len(new)
        return cls(new, Imported(added=len(new), known=known, judges=len(by_judge), by_judge=by_judge, **numbers))


@dataclass(frozen=True)
class JudgmentKind:
    """Judgments of one protocol: their formats with descriptions, what a campaign must have first, what they are about.

    `read` checks a file against the campaign and changes nothing; `store` writes what it found, within a transaction.
    """

    what: str
    answers: type[Model]
    formats: Mapping[str, str]
    needs: str
    read: Callable[[Campaign, UploadedFile, Options], Found]
    store: Callable[[Campaign, Found, Progress], None]
    subject: str = "sentence"
    has_scores: bool = False
    has_unnamed_judges: bool = False
    can_lack_texts: bool = False
    can_be_cut: bool = False

    @property
    def protocols(self) -> list[Protocol]:
        return [protocol for protocol in PROTOCOLS.values() if protocol.answers.model is self.answers]

    def check(self, campaign: Campaign) -> None:
        """Refuse a campaign with another protocol, or an archived one."""
        if protocol_of(campaign).answers.model is not self.answers:
            fitting, own = names_of(self.protocols), campaign.protocol
            raise Refused(f"{self.what.capitalize()} are for {fitting} campaigns; {campaign.slug} is a {own} campaign.")
        refuse_archived(campaign)


def refuse_archived(campaign: Campaign) -> None:
    if campaign.state == Campaign.State.ARCHIVED:
        raise Refused(f"{campaign.slug} is archived; close it again before you import judgments.")


def refuse_other_members(campaign: Campaign, judges: Mapping[str, int]) -> None:
    """Refuse judges with the names of members who are not judges."""
    members = Membership.objects.filter(campaign=campaign, pseudonym__in=judges).exclude(role=Membership.Role.JUDGE)
    if others := sorted(f"{one.pseudonym} ({one.role})" for one in members):
        shown = ", ".join(others)[:200]
        raise Refused(f"These names belong to members who are not judges: {shown}. Give the judges other names.")


def not_yet_stored(campaign: Campaign, keys: Sequence[UUID], recorded: Sequence[Any]) -> list[tuple[UUID, Any]]:
    """Return the judgments that the campaign does not have yet, with their keys."""
    stored = set(Judgment.objects.filter(assignment__campaign=campaign).values_list("key", flat=True))
    return [(key, one) for key, one in zip(keys, recorded, strict=True) if key not in stored]
