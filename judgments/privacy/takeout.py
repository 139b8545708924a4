"""The export of everything stored about one person, as a ZIP of JSON."""

import json
from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from operator import itemgetter
from typing import Any

from django.contrib.auth.models import User
from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from judgments.archive.tables import PERSONAL, TablePolicy
from judgments.archive.writing import to_json
from judgments.models import MailJob, Slot
from judgments.models.answers import OnCandidate
from judgments.models.screens import shown_positions
from judgments.privacy.person import Person, entry_about, journal_entries, names_of, privacy_hooks, sessions_of
from judgments.rules.files.archives import stream_zip

Rows = Iterator[dict[str, Any]]
ROWS_AT_ONCE = 2000
README = """All data that this platform stores about one person, as of {now}.

Each file contains one table as a list of objects. Tables without data have no file. Times are in UTC.

{files}

A judge's own export leaves out what would reveal how screens were chosen, and what reports contain; the operators of
the site can provide it. Sentences and candidates belong to the campaigns; they appear here by their numbers.
"""
# Files of what is found by searching.
JOURNAL, MAIL, SESSIONS = "journal", "mail", "sessions"


def personal_export(person: Person, is_own: bool) -> Iterator[bytes]:
    """Stream the ZIP; `is_own` leaves out what judges must not know."""
    return stream_zip(_files(person, is_own))


def _files(person: Person, is_own: bool) -> Iterator[tuple[str, Iterable[str]]]:
    contents = []
    for name, about, rows in _tables(person, is_own):
        first = next(rows, None)
        if first is not None:
            contents.append(f"{f'{name}.json':<28}{about}")
            yield f"{name}.json", _json_list(chain([first], rows))
    now = timezone.now().isoformat(timespec="seconds")
    yield "README.txt", [README.format(now=now, files="\n".join(contents))]


def _tables(person: Person, is_own: bool) -> Iterator[tuple[str, str, Rows]]:
    """Yield name, description and rows of every table that may contain something about the person."""
    for table in PERSONAL.values():
        yield file_of(table), table.about, _rows(table, person, is_own)
    yield JOURNAL, "journal entries that name the person", _journal(person, is_own)
    yield MAIL, "mails to the person that could not be delivered", _mail(person)
    sessions = sessions_of(person.user) if person.user else []
    yield (
        SESSIONS,
        "the time at which each of the person's sessions ends",
        ({"until": one.expire_date} for one in sessions),
    )
    # Not for judges: reports belong to organisers and name systems.
    for hook in () if is_own else privacy_hooks():
        yield hook.name, hook.about, (row for member in person.members for row in hook.rows(member))


def file_of(table: TablePolicy) -> str:
    return "account" if table.model is User else table.model.__name__.lower()


def rows_about(table: TablePolicy, person: Person) -> QuerySet:
    about = Q(pk__in=[])
    if table.member:
        about |= Q(**{f"{table.member}__in": [member.pk for member in person.members]})
    if table.user and person.user:
        about |= Q(**{table.user: person.user.pk})
    return table.model._base_manager.filter(about).order_by("pk")


def _rows(table: TablePolicy, person: Person, is_own: bool) -> Rows:
    columns, rows = table.columns_for_person(is_own), rows_about(table, person)
    if is_own and issubclass(table.model, OnCandidate):
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


def _json_list(rows: Rows) -> Iterator[str]:
    """Write rows, of which there is at least one, as a JSON list with one object a line."""
    opening = "["
    for row in rows:
        yield f"{opening}\n{json.dumps(row, ensure_ascii=False, default=to_json)}"
        opening = ","
    yield "\n]\n"
