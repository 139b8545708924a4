"""Everything that is held about one person, as a ZIP of JSON for that person to take along."""

import json
from collections.abc import Iterator
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db.models import Q, QuerySet
from django.utils import timezone

from judgments.exports.zipping import zipped
from judgments.models import Mailing
from judgments.persons.followers import FOLLOWERS
from judgments.persons.held import HELD, Held
from judgments.persons.person import Person, journal_lines, naming, sessions_of, words_for

ROWS_AT_ONCE = 2000
README = """Everything that this platform holds about one person, as of {now}.

A file a table; each holds a list of objects. Times are in UTC.

account            the account, without its password
membership         the parts in campaigns: the name there, when joined, what was agreed to
seat, judgment     what was given to judge, and what was answered when
placement, rating, verdict, edit   the answers themselves, by the number of their judgment
draft              answers that were begun
journal            lines of the journals that name the person
mail               mails that did not arrive
sessions           where the person is signed in, and until when
{others}
What would tell a judge how screens were chosen, and what reports say, is not in here when a judge takes it along;
whoever runs the site can give it. Sentences and candidates belong to the campaigns and go by their numbers.
"""


def belongings(person: Person, is_own: bool) -> Iterator[bytes]:
    """The pieces of the ZIP; `is_own` where a judge takes it along, who is to stay blind."""
    return zipped(_files(person, is_own))


def _files(person: Person, is_own: bool) -> Iterator[tuple[str, Iterator[str]]]:
    # Reports belong to organisers, and name systems.
    followers = [] if is_own else FOLLOWERS
    others = "".join(f"{follower.name}\n" for follower in followers)
    yield "README.txt", iter([README.format(now=timezone.now().isoformat(timespec="seconds"), others=others)])
    for label, held in HELD.items():
        name = "account" if label == "auth.User" else label.split(".")[1].lower()
        yield f"{name}.json", _written(_rows(label, held, person, is_own))
    yield "journal.json", _written(_journal(person))
    yield "mail.json", _written(_mail(person))
    yield "sessions.json", _written(_sessions(person))
    for follower in followers:
        yield f"{follower.name}.json", _written(row for member in person.members for row in follower.tell(member))


def rows_about(label: str, held: Held, person: Person) -> QuerySet:
    """The rows of a table that are about somebody."""
    about = Q(pk__in=[])
    if held.by_member:
        about |= Q(**{f"{held.by_member}__in": person.keys})
    if held.by_user and person.user:
        about |= Q(**{held.by_user: person.user.pk})
    return apps.get_model(label)._base_manager.filter(about).order_by("pk")


def _rows(label: str, held: Held, person: Person, is_own: bool) -> Iterator[dict[str, Any]]:
    columns = [field.attname for field in apps.get_model(label)._meta.concrete_fields]
    withheld = {*held.secret, *(held.blind if is_own else ())}
    told = [name for name in columns if name not in withheld and (not held.only or name in held.only)]
    yield from rows_about(label, held, person).values(*told).iterator(ROWS_AT_ONCE)


def _journal(person: Person) -> Iterator[dict[str, Any]]:
    for member in person.members:
        for entry in journal_lines(member, words_for(member)):
            yield {"campaign": entry.slug, "at": entry.at, "actor": entry.actor, "what": entry.what}


def _mail(person: Person) -> Iterator[dict[str, Any]]:
    for member in person.members:
        pattern = naming(words_for(member))
        for mailing in Mailing.objects.filter(campaign=member.campaign_id).order_by("pk"):
            unreached = [one for one in mailing.unreached if pattern.search(str(one.get("address", "")))]
            yield from ({"at": mailing.created_at, **one} for one in unreached)


def _sessions(person: Person) -> Iterator[dict[str, Any]]:
    for session in sessions_of(person.user) if person.user else []:
        yield {"until": session.expire_date}


def _written(rows: Iterator[dict[str, Any]]) -> Iterator[str]:
    """A list of objects, one a line."""
    opening = "["
    for row in rows:
        yield f"{opening}\n{json.dumps(row, ensure_ascii=False, default=_told)}"
        opening = ","
    yield "[]\n" if opening == "[" else "\n]\n"


def _told(value: object) -> str:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"There is no word for a {type(value).__name__}.")
