"""Teams of a shared task: their links and deadlines, the files they hand in, and accepting these as systems."""

import hashlib
import secrets
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Count, Max, QuerySet
from django.utils import timezone

from judgments.material import storing, uploads
from judgments.material.rules.reading import UNCLEAR_LINE, Roles, read_files
from judgments.models import Campaign, Segment, Submission, System, Team, Upload
from judgments.models.journal import note
from judgments.models.members import Visitor, new_token
from judgments.models.requests import use
from judgments.protocols import protocol_of
from judgments.rules.errors import Refused
from judgments.rules.files.names import LONGEST, fault_of_name, is_source_name, similar_names, system_name
from judgments.rules.files.problems import refuse
from judgments.rules.files.text_files import ZIPPED, UploadedFile
from judgments.rules.texts.collapsing import fingerprint, normalise

MOST_SYSTEMS = 20
MOST_BYTES = 10 * 2**20
TOO_LARGE = "The file is larger than 10 MB. Hand in one text file with one sentence per line."
MOST_AN_HOUR = 60
HOUR, LATEST = timedelta(hours=1), timedelta(days=3650)
# A name with one of these reads like that of a file.
FILE_ENDINGS = {".txt", ".md", ".m2", ".tsv", ".csv", ".json", ".zip"}
# Files are read under a fixed name, because the name that a team chose must not give its file a role.
HANDLE = "outputs"
EMPTY_LINE = "the line is empty; if the system changes nothing here, repeat the source sentence"


@transaction.atomic
def invite(campaign: Campaign, names: Iterable[str], deadline: datetime) -> None:
    """Create teams; those that exist keep their link, unless it was revoked, and get the new deadline."""
    storing.refuse_closed(campaign)
    if not protocol_of(campaign).has_lines:
        raise Refused("Teams hand in one sentence per line; upload other material, as this campaign has, on Material.")
    if not Segment.objects.filter(campaign=campaign, text__isnull=False).exists():
        raise Refused("Upload the source on Material first: every file of a team is checked against it.")
    if not timezone.now() < deadline < timezone.now() + LATEST:
        raise Refused("Choose a deadline in the future, within the next ten years.")
    known = {team.name.casefold(): team for team in Team.objects.select_for_update().filter(campaign=campaign)}
    for name in names:
        if fault := fault_of_name(name):
            raise Refused(f"The name of a team may become part of its system's name: {fault}.")
        team = known.setdefault(name.casefold(), Team(campaign=campaign, name=name))
        if team.revoked_at:
            team.token, team.revoked_at = new_token(), None
        team.expires_at = deadline
        team.save()
        note(campaign, f"set the deadline {deadline.isoformat(timespec='minutes')} for the team {team.name}")


def file_requirements(campaign: Campaign) -> dict[str, Any]:
    """What a team's file must look like: its lines, the sentences and documents in it, and the first sentence."""
    rows = Segment.objects.filter(campaign=campaign)
    counts = rows.aggregate(
        lines=Max("position") + 1, sentences=Count("pk"), documents=Count("document", distinct=True)
    )
    return {**counts, "first": normalise(rows.order_by("position").values_list("text", flat=True)[0] or "")}


def source_file(campaign: Campaign) -> str:
    """The source as it was uploaded, with the blank lines between documents, so that line numbers agree."""
    texts = dict(Segment.objects.filter(campaign=campaign).values_list("position", "text"))
    return "".join(f"{texts.get(position) or ''}\n" for position in range(max(texts) + 1))


def hand_in(team: Team, system: str, file: UploadedFile) -> Submission:
    """Check a file and store it as the outputs of a system; raise all problems with their lines."""
    _refuse_late(team)
    if fault := fault_of_name(system):
        raise Refused(f"Choose another name for the system: {fault}.")
    if is_source_name(system) or system_name(system) != system or PurePosixPath(system).suffix.lower() in FILE_ENDINGS:
        raise Refused(f"{system} reads like the name of a file. Choose a name for the system, without an ending.")
    if len(file.content) > MOST_BYTES:
        raise Refused(TOO_LARGE)
    if file.content.startswith(ZIPPED):
        raise Refused(
            f"{file.name} is a ZIP archive or an office document. Hand in the text file of one system after the other, "
            "saved as UTF-8, with one sentence per line."
        )
    this_hour = timezone.now().replace(minute=0, second=0, microsecond=0)
    if not use(f"team {team.pk}", this_hour + HOUR, MOST_AN_HOUR):
        raise Refused(f"Your team sent {MOST_AN_HOUR} files within this hour. Send the next one in the next hour.")
    places, source = storing.places_of(team.campaign), storing.source_of(team.campaign) or []
    found = read_files([UploadedFile(HANDLE, file.content)], Roles(names={HANDLE: system}), places, source)
    said = {UNCLEAR_LINE: EMPTY_LINE}
    refuse([replace(one, file=file.name, what=said.get(one.what, one.what)) for one in found.problems])
    outputs = found.whole().systems[0]
    texts = [normalise(text or "") for text in outputs.texts]
    return _store(
        team,
        outputs.name,
        content=file.content,
        size=len(file.content),
        sha256=hashlib.sha256(file.content).hexdigest(),
        fingerprint=fingerprint("\n".join(texts)),
        changed=sum(text != normalise(original or "") for text, original in zip(texts, source, strict=True)),
    )


@transaction.atomic
def _store(team: Team, system: str, **found: Any) -> Submission:
    # Wait for the team's other requests and for a new deadline, then check the deadline as it is now.
    _refuse_late(Team.objects.select_for_update(no_key=True, of=("self",)).select_related("campaign").get(pk=team.pk))
    earlier = {one.system.casefold(): one for one in Submission.objects.filter(team=team).defer("content")}
    if system.casefold() not in earlier and len(earlier) >= MOST_SYSTEMS:
        raise Refused(f"A team can hand in {MOST_SYSTEMS} systems. Replace the file of one of them.")
    submission = earlier.get(system.casefold(), Submission(team=team))
    found |= {"system": system, "received_at": timezone.now(), "code": secrets.token_hex(6)}
    for name, value in {**found, "version": submission.version + 1}.items():
        setattr(submission, name, value)
    submission.save()
    note(team.campaign, f"the team {team.name} handed in {system}, version {submission.version}")
    return submission


def _refuse_late(team: Team) -> None:
    if not team.takes_files:
        why = "campaign is closed" if team.is_valid else "deadline has passed, or the link was revoked"
        raise Refused(f"The {why}; nothing was stored. Only the organiser can change that.")


def teams(campaign: Campaign) -> QuerySet[Team]:
    return Team.objects.filter(campaign=campaign).annotate(received=Count("submission")).order_by("name")


class Received(NamedTuple):
    """A submission, whether it is stored as a system, and submissions that have the same outputs or look alike."""

    submission: Submission
    is_stored: bool
    twins: list[Submission]
    similar: list[Submission]


def received_submissions(campaign: Campaign) -> Iterator[Received]:
    rows = list(_submissions(campaign).defer("content"))
    stored = set(System.objects.filter(campaign=campaign).values_list("name", flat=True))
    for one in rows:
        twins = [other for other in rows if other.fingerprint == one.fingerprint and other != one]
        similar = [other for other in rows if any(similar_names((one.system, other.system)))]
        yield Received(one, one.accepted_as in stored, twins, similar)


def _submissions(campaign: Campaign) -> QuerySet[Submission]:
    return Submission.objects.filter(team__campaign=campaign).select_related("team").order_by("team__name", "system")


@transaction.atomic
def accept(campaign: Campaign, user: Visitor, chosen: Collection[int]) -> Upload:
    """Upload the chosen submissions, so that the organiser sees the preview before they are stored."""
    accepted = list(_submissions(campaign).select_for_update(of=("self",)).filter(pk__in=chosen))
    if sum(one.size for one in accepted) > uploads.MOST_BYTES:
        raise Refused(f"These files are larger than {uploads.MOST_BYTES // 2**20} MB together. Accept fewer at once.")
    stored = System.objects.filter(campaign=campaign).values_list("name", flat=True)
    handed_in = _submissions(campaign).values_list("system", "accepted_as")
    used = Counter(name.casefold() for name in [*stored, *(system for system, _ in handed_in)])
    taken = {name.casefold() for name in [*stored, *(accepted_as for _, accepted_as in handed_in)]}
    for one in accepted:
        if not one.accepted_as:
            own = one.system if used[one.system.casefold()] == 1 else f"{one.team.name}-{one.system}"[:LONGEST]
            if own.casefold() in taken:
                raise Refused(
                    f"{one.system} of {one.team.name} would be called {own}, as another system is. Nothing was "
                    "accepted; ask the team for another name."
                )
            taken.add(own.casefold())
            one.accepted_as = own
        one.accepted_version = one.version
        one.save(update_fields=["accepted_as", "accepted_version"])
    note(campaign, f"accepted {', '.join(one.accepted_as for one in accepted)}")
    files = [UploadedFile(one.file_name, bytes(one.content)) for one in accepted]
    roles = Roles(names={one.file_name: one.accepted_as for one in accepted})
    return uploads.upload_files(campaign, user, files, roles)
