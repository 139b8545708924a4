"""The export of everything stored about one person, as a ZIP of JSON."""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, groupby
from operator import itemgetter
from typing import Any

from django.apps import apps
from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from judgments.archive.decisions import COLUMNS, HELD, Held
from judgments.archive.serialiser import written
from judgments.models import MailJob, Slot
from judgments.models.answers import OnCandidate
from judgments.models.screens import shown_positions
from judgments.privacy.person import FOLLOWERS, Person, entry_about, journal_lines, sessions_of, words_for
from judgments.rules.files.archives import zipped

Rows = Iterator[dict[str, Any]]
ROWS_AT_ONCE = 2000
README = """Everything that this platform holds about one person, as of {now}.

A file a table; each holds a list of objects. Where nothing is held there is no file. Times are in UTC.

{files}

What would tell a judge how screens were chosen, and what reports say, is not in here when a judge takes it along;
the operators of the site can give it. Sentences and candidates belong to the campaigns and go by their numbers.
"""
JOURNAL, MAIL, SESSIONS = "journal", "mail", "sessions"
EXPLAINED: Mapping[str, str] = {
    "account": "the account, without its password",
    "token": "when the account got a token for programs, without the token",
    "logentry": "what was changed by this account on the pages of operators",
    "user_groups": "groups of operators that the account is in",
    "user_user_permissions": "rights of operators that the account has",
    "membership": "the parts in campaigns: the name there, when joined, what was agreed to",
    "invitation": "personal links, without what lets somebody in: for which name and address, until when",
    "assignment": "what was given to judge, and when",
    "judgment": "what was answered when, and remarks",
    "placement": "ranks that were given, by the number of their judgment and the place at which the sentence was shown",
    "rating": "scores that were given, by the number of their judgment and the place at which the sentence was shown",
    "verdict": "verdicts that were given, by the number of their judgment",
    "edit": "corrections that were made, by the number of their judgment",
    "draft": "answers that were begun",
    "completion": "batches that were finished",
    "judgestatistics": "how the person had worked at the end of the last batch: how fast, how many ties",
    "storedresponse": "answers to programs of this account, kept for those that ask twice",
    "assignmentjob": "plans of screens that this account asked for",
    "importjob": "campaigns that this account brought in",
    "mailjob": "mails with links that this account asked for",
    "exclusionjob": "rules of exclusion that this account applied",
    "upload": "files of material that this account handed in",
    "report": "reports that this account asked for",
    "scoringjob": "scores of metrics that this account asked for",
    "metric": "files of scores that this account added",
    JOURNAL: "lines of the journals that name the person",
    MAIL: "mails to the person that did not arrive",
    SESSIONS: "until when the person is signed in, once for each browser",
}


def belongings(person: Person, is_own: bool) -> Iterator[bytes]:
    """Stream the ZIP; `is_own` leaves out what judges must not know."""
    return zipped(_files(person, is_own))


def _files(person: Person, is_own: bool) -> Iterator[tuple[str, Iterable[str]]]:
    explained = []
    for name, about, rows in _tables(person, is_own):
        first = next(rows, None)
        if first is not None:
            explained.append(f"{f'{name}.json':<28}{about}")
            yield f"{name}.json", _written(chain([first], rows))
    now = timezone.now().isoformat(timespec="seconds")
    yield "README.txt", [README.format(now=now, files="\n".join(explained))]


def _tables(person: Person, is_own: bool) -> Iterator[tuple[str, str, Rows]]:
    """Name, description and rows of every table that may contain something about the person."""
    tables = {file_of(label): _rows(label, held, person, is_own) for label, held in HELD.items()}
    tables |= {JOURNAL: _journal(person, is_own), MAIL: _mail(person)}
    tables[SESSIONS] = ({"until": one.expire_date} for one in (sessions_of(person.user) if person.user else ()))
    yield from ((name, EXPLAINED[name], rows) for name, rows in tables.items())
    # Not for judges: reports belong to organisers and name systems.
    for follower in () if is_own else FOLLOWERS:
        yield follower.name, follower.about, (row for member in person.members for row in follower.held(member))


def file_of(label: str) -> str:
    return "account" if label == "auth.User" else label.split(".")[1].lower()


def rows_about(label: str, held: Held, person: Person) -> QuerySet:
    about = Q(pk__in=[])
    if held.by_member:
        about |= Q(**{f"{held.by_member}__in": [member.pk for member in person.members]})
    if held.by_user and person.user:
        about |= Q(**{held.by_user: person.user.pk})
    return apps.get_model(label)._base_manager.filter(about).order_by("pk")


def columns_for(label: str, held: Held, is_own: bool) -> list[str]:
    """The exported columns, in the order of the model."""
    if held.only:
        given = {*held.only}
    else:
        decided = COLUMNS[label]
        given = {*decided.bundle.split(), *decided.here.split()} - {*(decided.blind.split() if is_own else ())}
    return [field.attname for field in apps.get_model(label)._meta.concrete_fields if field.attname in given]


def _rows(label: str, held: Held, person: Person, is_own: bool) -> Rows:
    columns, rows = columns_for(label, held, is_own), rows_about(label, held, person)
    if is_own and issubclass(rows.model, OnCandidate):
        yield from _as_shown(rows, columns)
    else:
        yield from rows.values(*columns).iterator(ROWS_AT_ONCE)


def _as_shown(answers: QuerySet, columns: list[str]) -> Rows:
    """Identify candidates by the place where the judge saw them, because their keys would reveal systems."""
    slot = Slot.objects.filter(screen=OuterRef("screen"), candidate=OuterRef("candidate")).values("position")[:1]
    placed = answers.annotate(slot=Subquery(slot), order=F("judgment__assignment__order")).order_by("judgment", "pk")
    rows = placed.values(*columns, "slot", "order").iterator(ROWS_AT_ONCE)
    for _, of_one in groupby(rows, key=itemgetter("judgment_id")):
        shown = [{"place": shown_positions(row.pop("order")).index(row.pop("slot")) + 1} | row for row in of_one]
        yield from sorted(shown, key=itemgetter("place"))


def _journal(person: Person, is_own: bool) -> Rows:
    """Entries about the person; for a judge only their own actions and the parts that concern them."""
    username = person.user and person.user.get_username()
    for member in person.members:
        names = words_for(member)
        for entry in journal_lines(member, names):
            is_whole = not is_own or entry.actor == username
            if what := entry.what if is_whole else entry_about(entry.what, names):
                yield {"campaign": entry.slug, "at": entry.at, "actor": entry.actor, "what": what}


def _mail(person: Person) -> Rows:
    for member in person.members:
        addresses = {word.casefold() for word in words_for(member) if "@" in word}
        for job in MailJob.objects.filter(campaign=member.campaign_id).order_by("pk"):
            unreached = [one for one in job.unreached if str(one.get("address", "")).casefold() in addresses]
            yield from ({"at": job.created_at, **one} for one in unreached)


def _written(rows: Rows) -> Iterator[str]:
    """Write rows, of which there is at least one, as a JSON list with one object a line."""
    opening = "["
    for row in rows:
        yield f"{opening}\n{json.dumps(row, ensure_ascii=False, default=written)}"
        opening = ","
    yield "\n]\n"
