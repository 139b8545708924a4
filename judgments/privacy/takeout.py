"""The export of everything stored about one person, as a ZIP of JSON."""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, groupby
from operator import itemgetter
from typing import Any

from django.apps import apps
from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from judgments.archive.decisions import COLUMNS, PERSONAL, PersonalTable
from judgments.archive.serialiser import written
from judgments.models import MailJob, Slot
from judgments.models.answers import OnCandidate
from judgments.models.screens import shown_positions
from judgments.privacy.person import Person, entry_about, journal_entries, names_of, privacy_hooks, sessions_of
from judgments.rules.files.archives import zipped

Rows = Iterator[dict[str, Any]]
ROWS_AT_ONCE = 2000
README = """All data that this platform stores about one person, as of {now}.

Each file contains one table as a list of objects. Tables without data have no file. Times are in UTC.

{files}

A judge's own export leaves out what would reveal how screens were chosen, and what reports contain; the operators of
the site can provide it. Sentences and candidates belong to the campaigns; they appear here by their numbers.
"""
JOURNAL, MAIL, SESSIONS = "journal", "mail", "sessions"
DESCRIPTIONS: Mapping[str, str] = {
    "account": "the account, without its password",
    "token": "when the account received an API token, without the token",
    "logentry": "changes by this account on the admin site",
    "user_groups": "the account's groups on the admin site",
    "user_user_permissions": "the account's permissions on the admin site",
    "membership": "memberships in campaigns: name, times of joining and consent, progress",
    "consent": "when the person agreed to which version of a consent text",
    "invitation": "personal links, without their secret part: name, address, expiry",
    "assignment": "screens assigned to the person, with times",
    "judgment": "judgments, with times and comments",
    "placement": "ranks, by the number of their judgment and the place at which the sentence was shown",
    "rating": "scores, by the number of their judgment and the place at which the sentence was shown",
    "essayrating": "ratings of whole texts, by the number of their judgment and the place at which each was shown",
    "verdict": "verdicts, by the number of their judgment",
    "edit": "corrections, by the number of their judgment",
    "editverdicts": "verdicts on edits, and ranks, by the number of their judgment and the place of the sentence",
    "draft": "unfinished answers",
    "completion": "completed batches",
    "alarm": "when an organiser was asked to look at the person's answers; operators also see why",
    "judgestatistics": "the person's statistics at the end of the last batch, such as pace and ties",
    "storedresponse": "API responses to this account, stored for retries",
    "job": "what this account requested from a worker, such as imports, mailings, scores and reports",
    "upload": "the files of this account's uploads",
    "programrun": "the endpoints of programs that this account let run",
    "analysisplan": "plans of analysis fixed by this account",
    "report": "the presets of this account's reports",
    "metric": "metric scores added by this account",
    JOURNAL: "journal entries that name the person",
    MAIL: "mails to the person that could not be delivered",
    SESSIONS: "the time at which each of the person's sessions ends",
}


def personal_export(person: Person, is_own: bool) -> Iterator[bytes]:
    """Stream the ZIP; `is_own` leaves out what judges must not know."""
    return zipped(_files(person, is_own))


def _files(person: Person, is_own: bool) -> Iterator[tuple[str, Iterable[str]]]:
    contents = []
    for name, about, rows in _tables(person, is_own):
        first = next(rows, None)
        if first is not None:
            contents.append(f"{f'{name}.json':<28}{about}")
            yield f"{name}.json", _written(chain([first], rows))
    now = timezone.now().isoformat(timespec="seconds")
    yield "README.txt", [README.format(now=now, files="\n".join(contents))]


def _tables(person: Person, is_own: bool) -> Iterator[tuple[str, str, Rows]]:
    """Yield name, description and rows of every table that may contain something about the person."""
    tables = {file_of(label): _rows(label, table, person, is_own) for label, table in PERSONAL.items()}
    tables |= {JOURNAL: _journal(person, is_own), MAIL: _mail(person)}
    tables[SESSIONS] = ({"until": one.expire_date} for one in (sessions_of(person.user) if person.user else ()))
    yield from ((name, DESCRIPTIONS[name], rows) for name, rows in tables.items())
    # Not for judges: reports belong to organisers and name systems.
    for hook in () if is_own else privacy_hooks():
        yield hook.name, hook.about, (row for member in person.members for row in hook.rows(member))


def file_of(label: str) -> str:
    return "account" if label == "auth.User" else label.split(".")[1].lower()


def rows_about(label: str, table: PersonalTable, person: Person) -> QuerySet:
    about = Q(pk__in=[])
    if table.by_member:
        about |= Q(**{f"{table.by_member}__in": [member.pk for member in person.members]})
    if table.by_user and person.user:
        about |= Q(**{table.by_user: person.user.pk})
    return apps.get_model(label)._base_manager.filter(about).order_by("pk")


def columns_for(label: str, table: PersonalTable, is_own: bool) -> list[str]:
    """Return the exported columns, in the order of the model."""
    if table.only:
        exported = {*table.only}
    else:
        columns = COLUMNS[label]
        exported = {*columns.bundle.split(), *columns.here.split()} - {*(columns.blind.split() if is_own else ())}
    return [field.attname for field in apps.get_model(label)._meta.concrete_fields if field.attname in exported]


def _rows(label: str, table: PersonalTable, person: Person, is_own: bool) -> Rows:
    columns, rows = columns_for(label, table, is_own), rows_about(label, table, person)
    if is_own and issubclass(rows.model, OnCandidate):
        yield from _as_shown(rows, columns)
    else:
        yield from rows.values(*columns).iterator(ROWS_AT_ONCE)


def _as_shown(answers: QuerySet, columns: list[str]) -> Rows:
    """Identify candidates by the place where the judge saw them, because their keys would reveal systems."""
    slot = Slot.objects.filter(screen=OuterRef("screen"), candidate=OuterRef("candidate")).values("position")[:1]
    placed = answers.annotate(slot=Subquery(slot), order=F("judgment__assignment__order")).order_by("judgment", "pk")
    rows = placed.values(*columns, "slot", "order").iterator(ROWS_AT_ONCE)
    for _, group in groupby(rows, key=itemgetter("judgment_id")):
        shown = [{"place": shown_positions(row.pop("order")).index(row.pop("slot")) + 1} | row for row in group]
        yield from sorted(shown, key=itemgetter("place"))


def _journal(person: Person, is_own: bool) -> Rows:
    """Yield journal entries about the person; for a judge only their own actions and the parts that concern them."""
    username = person.user and person.user.get_username()
    for member in person.members:
        names = names_of(member)
        for entry in journal_entries(member, names):
            is_whole = not is_own or entry.actor == username
            if what := entry.what if is_whole else entry_about(entry.what, names):
                yield {"campaign": entry.slug, "at": entry.at, "actor": entry.actor, "what": what}


def _mail(person: Person) -> Rows:
    for member in person.members:
        addresses = {name.casefold() for name in names_of(member) if "@" in name}
        for job in MailJob.objects.filter(campaign=member.campaign_id).order_by("pk"):
            unreached = [one for one in job.problems if str(one.get("address", "")).casefold() in addresses]
            yield from ({"at": job.created_at, **one} for one in unreached)


def _written(rows: Rows) -> Iterator[str]:
    """Write rows, of which there is at least one, as a JSON list with one object a line."""
    opening = "["
    for row in rows:
        yield f"{opening}\n{json.dumps(row, ensure_ascii=False, default=written)}"
        opening = ","
    yield "\n]\n"
