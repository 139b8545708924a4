"""A person as the platform knows one: an account, if there is one, and the parts in campaigns."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, Self

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db.models import Q, QuerySet

from judgments.access import Visitor
from judgments.models import Entry, Invitation, Membership


class Person(NamedTuple):
    """Whoever has these memberships, and this account."""

    user: User | None
    members: tuple[Membership, ...]

    @classmethod
    def behind(cls, judge: Membership) -> Self:
        """The person of whom this is one part; somebody without an account is known by that part alone."""
        return cls.of(judge.user) if judge.user else cls(None, (judge,))

    @classmethod
    def of(cls, user: Visitor) -> Self:
        """The person who signs in so."""
        members = Membership.objects.filter(user=user.pk).select_related("campaign").order_by("pk")
        return cls(user if isinstance(user, User) else None, tuple(members))

    @property
    def keys(self) -> list[int]:
        """Of the memberships."""
        return [member.pk for member in self.members]


def words_for(judge: Membership) -> set[str]:
    """Everything by which a judge is called here: names, addresses, what a crowd platform says."""
    words = {judge.pseudonym, judge.worker, *_texts(judge.platform)}
    for name, address in Invitation.objects.filter(membership=judge).values_list("pseudonym", "address"):
        words |= {name, address}
    if user := judge.user:
        words |= {user.username, user.email, user.first_name, user.last_name, user.get_full_name()}
    return {word for word in words if word.strip()}


def _texts(told: object) -> Iterator[str]:
    if isinstance(told, Mapping):
        for value in told.values():
            yield from _texts(value)
    elif isinstance(told, str):
        yield told


def naming(words: set[str]) -> re.Pattern[str]:
    """Any of the words where it stands as a word; the longest first, so that an address goes as a whole.

    Addresses are found however they are written; a name only as it is written, for Will and May are words too.
    """
    ordered = sorted(words, key=lambda word: (-len(word), word))
    told = "|".join(f"(?i:{re.escape(word)})" if "@" in word else re.escape(word) for word in ordered)
    return re.compile(rf"(?<!\w)(?:{told})(?!\w)")


def journal_lines(judge: Membership, words: set[str]) -> list[Entry]:
    """Lines of the journal that name somebody, as the one who did or the one to whom it was done.

    Those of campaigns that are deleted are asked for by the account alone: names were names only there.
    """
    pattern = naming(words)
    about = Q(campaign=judge.campaign_id)
    if judge.user:
        about |= Q(campaign=None, actor=judge.user.get_username())
    entries = Entry.objects.filter(about).order_by("pk")
    return [entry for entry in entries.iterator() if pattern.search(entry.what) or pattern.fullmatch(entry.actor)]


def sessions_of(user: User) -> list[Session]:
    """Where somebody is signed in; a session says whose it is only when it is opened."""
    mine = str(user.pk)
    sessions: QuerySet[Session] = Session.objects.all()
    return [one for one in sessions.iterator() if one.get_decoded().get(SESSION_KEY) == mine]
