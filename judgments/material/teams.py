"""Teams of a shared task: their links and deadlines, the files they hand in, and accepting these as systems."""

import hashlib
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import PurePosixPath
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count, Max, Min, QuerySet
from django.utils import timezone

from judgments.material import storing, uploads
from judgments.material.rules.contents import Lines
from judgments.material.rules.reading import UNCLEAR_LINE, Roles, read_files
from judgments.models import Campaign, Segment, Submission, System, Team, Upload
from judgments.models.journal import note
from judgments.models.members import Visitor, new_token
from judgments.models.requests import use
from judgments.models.teams import new_code
from judgments.protocols import protocol_of
from judgments.rules.errors import Refused
from judgments.rules.files.archives import MOST_FILES
from judgments.rules.files.names import LONGEST, fault_of_name, is_source_name
from judgments.rules.files.problems import refuse
from judgments.rules.files.text_files import UploadedFile
from judgments.rules.texts.collapsing import fingerprint, normalise

MOST_SYSTEMS = 20
MOST_BYTES = 10 * 2**20
MOST_AN_HOUR = 60
HOUR = timedelta(hours=1)
LATEST = timedelta(days=3650)
# A name with one of these would be read as that kind of file when the submission is accepted.
FILE_ENDINGS = {".txt", ".m2", ".tsv", ".zip"}
# Files are read under a fixed name, because the name that a team chose must not give its file a role.
HANDLE = "outputs"
EMPTY_LINE = "the line is empty; if the system changes nothing here, repeat the source sentence"


def too_large() -> str:
    return f"The file is larger than {MOST_BYTES // 2**20} MB. Hand in one text file with one sentence a line."


@transaction.atomic
def invite(campaign: Campaign, names: Sequence[str], deadline: datetime) -> None:
    """Create teams; those that exist keep their link, unless it was revoked, and get the new deadline."""
    storing.refuse_closed(campaign)
    if not protocol_of(campaign).has_outputs:
        raise Refused("Judges of this campaign look at usages, not at outputs; upload the classifications on Material.")
    if not Segment.objects.filter(campaign=campaign, text__isnull=False).exists():
        raise Refused("Upload the source on Material first: every file of a team is checked against it.")
    if not timezone.now() < deadline < timezone.now() + LATEST:
        raise Refused("Choose a deadline in the future, within the next ten years.")
    names = [unicodedata.normalize("NFC", name) for name in names]
    for name in names:
        if fault := fault_of_name(name):
            raise Refused(f"The name of a team may become part of its system's name: {fault}.")
    known = {team.name.casefold(): team for team in Team.objects.select_for_update().filter(campaign=campaign)}
    for name in names:
        team = known.setdefault(name.casefold(), Team(campaign=campaign, name=name))
        if team.revoked_at:
            team.token, team.revoked_at = new_token(), None
        team.deadline = deadline
        team.save()
    note(campaign, f"set the deadline {deadline.isoformat(timespec='minutes')} for the teams {', '.join(names)}")


@transaction.atomic
def revoke(team: Team) -> None:
    """Close the link of a team; what it handed in stays."""
    if Team.objects.filter(pk=team.pk, revoked_at=None).update(revoked_at=timezone.now()):
        note(team.campaign, f"revoked the link of the team {team.name}")


class Stretch(NamedTuple):
    """A document in the source file: its name, its first and last line, and the number of its sentences."""

    name: str
    first: int
    last: int
    sentences: int


@dataclass(frozen=True)
class Wanted:
    """What a team's file must look like, and the first sentence of the source."""

    documents: list[Stretch]
    first: str

    @property
    def lines(self) -> int:
        return max(document.last for document in self.documents)

    @property
    def sentences(self) -> int:
        return sum(document.sentences for document in self.documents)


def wanted(campaign: Campaign) -> Wanted:
    rows = Segment.objects.filter(campaign=campaign).order_by("position")
    counted = (
        rows.order_by()
        .values("document__name")
        .annotate(first=Min("position") + 1, last=Max("position") + 1, sentences=Count("pk"))
    )
    found = counted.order_by("first").values_list("document__name", "first", "last", "sentences")
    return Wanted([Stretch(*row) for row in found], normalise(rows.values_list("text", flat=True)[0] or ""))


def source_file(campaign: Campaign) -> str:
    """The source as it was uploaded, with the blank lines between documents, so that line numbers agree."""
    texts = dict(Segment.objects.filter(campaign=campaign).values_list("position", "text"))
    return "".join(f"{texts.get(position) or ''}\n" for position in range(max(texts) + 1))


def hand_in(team: Team, system: str, file: UploadedFile) -> Submission:
    """Check a file and store it as the outputs of a system; raise all problems with their lines."""
    _refuse_late(team)
    if fault := fault_of_name(system):
        raise Refused(f"Choose another name for the system: {fault}.")
    if is_source_name(system) or PurePosixPath(system).suffix.lower() in FILE_ENDINGS:
        raise Refused(f"{system} reads like the name of a file. Choose a name for the system, without an ending.")
    if len(file.content) > MOST_BYTES:
        raise Refused(too_large())
    now = timezone.now()
    if not use(f"team {team.pk}", now.replace(minute=0, second=0, microsecond=0) + HOUR, MOST_AN_HOUR):
        raise Refused(f"Your team sent {MOST_AN_HOUR} files within this hour. Send the next one in the next hour.")
    outputs = _read(team.campaign, system, file)
    texts = [normalise(text or "") for text in outputs.texts]
    source = storing.source_of(team.campaign) or []
    return _store(
        team,
        outputs.name,
        content=file.content,
        size=len(file.content),
        sha256=hashlib.sha256(file.content).hexdigest(),
        fingerprint=fingerprint("\n".join(texts)),
        changed=sum(text != normalise(original or "") for text, original in zip(texts, source, strict=True)),
    )


def _read(campaign: Campaign, system: str, file: UploadedFile) -> Lines:
    roles = Roles(names={HANDLE: system})
    known, source = storing.places_of(campaign), storing.source_of(campaign)
    reading = read_files([UploadedFile(HANDLE, file.content)], roles, known, source)
    refuse(
        [
            replace(problem, file=file.name, what=EMPTY_LINE if problem.what == UNCLEAR_LINE else problem.what)
            for problem in reading.problems
        ]
    )
    (lines,) = reading.whole().systems
    return lines


@transaction.atomic
def _store(team: Team, system: str, **found: object) -> Submission:
    _locked(team)
    earlier = _by_system(team)
    if system.casefold() not in earlier and len(earlier) >= MOST_SYSTEMS:
        raise Refused(f"A team can hand in {MOST_SYSTEMS} systems. Withdraw one first, or replace its file.")
    submission = earlier.get(system.casefold(), Submission(team=team))
    submission.version += 1
    for name, value in {**found, "system": system, "received_at": timezone.now(), "code": new_code()}.items():
        setattr(submission, name, value)
    submission.save()
    note(team.campaign, f"the team {team.name} handed in {system}, version {submission.version}")
    return submission


@transaction.atomic
def withdraw(submission: Submission) -> None:
    """Delete a submission before the deadline, unless it was accepted."""
    _locked(submission.team)
    if not Submission.objects.filter(pk=submission.pk, accepted_as="").delete()[0]:
        raise Refused(f"The organiser has accepted {submission.system} already. Ask the organiser to leave it out.")
    note(submission.team.campaign, f"the team {submission.team.name} withdrew {submission.system}")


def _locked(team: Team) -> None:
    """Wait for the team's other requests and for a new deadline, then check the deadline as it is now."""
    rows = Team.objects.select_for_update(no_key=True, of=("self",)).select_related("campaign")
    if (held := rows.filter(pk=team.pk, revoked_at=None).first()) is None:
        raise Refused("This link was revoked. Ask the organiser for a new one.")
    _refuse_late(held)


def _refuse_late(team: Team) -> None:
    if not team.takes_files:
        why = "deadline has passed" if team.is_over else "campaign is closed"
        raise Refused(f"The {why}; nothing was stored. Only the organiser can change that.")


def _by_system(team: Team) -> dict[str, Submission]:
    return {one.system.casefold(): one for one in Submission.objects.filter(team=team).defer("content")}


def teams(campaign: Campaign) -> QuerySet[Team]:
    return Team.objects.filter(campaign=campaign).annotate(received=Count("submission")).order_by("name")


@dataclass(frozen=True)
class Received:
    """A submission, whether it is stored as a system, and the submissions that have the same outputs."""

    submission: Submission
    is_stored: bool
    same: list[str]

    @property
    def is_replaced(self) -> bool:
        """Whether the team replaced the file after it was accepted."""
        return self.submission.accepted_version not in (0, self.submission.version)


def received(campaign: Campaign) -> Iterator[Received]:
    submissions = list(_submissions(campaign).defer("content"))
    stored = set(System.objects.filter(campaign=campaign).values_list("name", flat=True))
    alike = defaultdict(list)
    for one in submissions:
        alike[one.fingerprint].append(one)
    for one in submissions:
        same = [f"{other.team.name} {other.system}" for other in alike[one.fingerprint] if other is not one]
        yield Received(one, one.accepted_as in stored, same)


def _submissions(campaign: Campaign) -> QuerySet[Submission]:
    return Submission.objects.filter(team__campaign=campaign).select_related("team").order_by("team__name", "system")


@transaction.atomic
def accept(campaign: Campaign, user: Visitor, chosen: Collection[int]) -> Upload:
    """Upload the chosen submissions, so that the organiser sees the preview before they are stored."""
    accepted = list(_submissions(campaign).select_for_update(of=("self",)).filter(pk__in=chosen))
    if not accepted or len(accepted) > MOST_FILES or sum(one.size for one in accepted) > uploads.MOST_BYTES:
        most = f"at most {MOST_FILES} files and {uploads.MOST_BYTES // 2**20} MB"
        raise Refused(f"Tick the submissions to accept; {most} at once.")
    names = System.objects.filter(campaign=campaign).values_list("name", flat=True)
    others = _submissions(campaign).values_list("system", flat=True)
    used = Counter(name.casefold() for name in [*names, *others])
    for one in accepted:
        own = one.system if used[one.system.casefold()] == 1 else f"{one.team.name}-{one.system}"[:LONGEST]
        one.accepted_as, one.accepted_version = one.accepted_as or own, one.version
        one.save(update_fields=["accepted_as", "accepted_version"])
    note(campaign, f"accepted {', '.join(one.accepted_as for one in accepted)}")
    files = [UploadedFile(f"{one.accepted_as}.txt", bytes(one.content)) for one in accepted]
    return uploads.upload_files(campaign, user, files, Roles())
