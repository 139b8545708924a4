"""A person: an account, if there is one, and memberships in campaigns; and apps that store judges' names."""

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Self

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db.models import Q

from judgments.models import Invitation, JournalEntry, Membership
from judgments.models.members import Visitor

NUMBER_OF_WORKER = re.compile(r"[A-Za-z0-9]{10,64}")
# The beginnings of journal entries about people.
INVITED = "invited "
DONE_TO_ONE = ("excluded ", "included ", "marked ", "set the quota of batches of ", "revoked the link of ")

Rows = Iterable[dict[str, Any]]


class Person(NamedTuple):
    user: User | None
    members: tuple[Membership, ...]

    @classmethod
    def behind(cls, judge: Membership) -> Self:
        """The person behind a membership; without an account, only this membership is known."""
        return cls.of(judge.user) if judge.user else cls(None, (judge,))

    @classmethod
    def of(cls, user: Visitor) -> Self:
        members = Membership.objects.filter(user=user.pk).select_related("campaign").order_by("pk")
        return cls(user if isinstance(user, User) else None, tuple(members))


def words_for(judge: Membership) -> set[str]:
    """All names of a judge: names and addresses given by organisers, and the id on a crowd platform.

    Visitors of a shared link can put anything into its address as their id, even another name or a common word, so it
    counts only if it looks like an id.
    """
    words = {judge.pseudonym}
    if NUMBER_OF_WORKER.fullmatch(judge.worker) and any(map(str.isdigit, judge.worker)):
        words.add(judge.worker)
    for name, address in Invitation.objects.filter(membership=judge).values_list("pseudonym", "address"):
        words |= {name, address}
    if user := judge.user:
        words |= {user.username, user.email, user.first_name, user.last_name, user.get_full_name()}
    return {word for word in words if word.strip()}


def naming(words: set[str]) -> re.Pattern[str]:
    """A pattern for the names as whole words, the longest first, so that addresses are replaced whole.

    The case of addresses does not matter; that of names does, because Will and May are words too.
    """
    ordered = sorted(words, key=lambda word: (-len(word), word))
    pattern = "|".join(f"(?i:{re.escape(word)})" if "@" in word else re.escape(word) for word in ordered)
    return re.compile(rf"(?<!\w)(?:{pattern})(?!\w)")


def journal_lines(judge: Membership, words: set[str]) -> list[JournalEntry]:
    """Journal entries that name the judge, as actor or otherwise.

    Entries of deleted campaigns are found by the account alone, because other names are unique only in their campaign.
    """
    pattern = naming(words)
    about = Q(campaign=judge.campaign_id)
    if judge.user:
        about |= Q(campaign=None, actor=judge.user.get_username())
    name = judge.user and judge.user.get_username()
    entries = JournalEntry.objects.filter(about).order_by("pk").iterator()
    return [entry for entry in entries if pattern.search(entry.what) or entry.actor == name]


def entry_about(what: str, names: set[str]) -> str | None:
    """The part of a journal entry about a person with these names, without the names of others."""
    if what.startswith(INVITED):
        return next((f"{INVITED}{name}" for name in what.removeprefix(INVITED).split(", ") if name in names), None)
    begun = (f"{verb}{name}" for verb in DONE_TO_ONE for name in names)
    return what if any(what.startswith((f"{begin} ", f"{begin}:")) or what == begin for begin in begun) else None


def sessions_of(user: User) -> list[Session]:
    """The user's sessions; a session reveals its user only when it is decoded."""
    mine = str(user.pk)
    return [one for one in Session.objects.iterator() if one.get_decoded().get(SESSION_KEY) == mine]


class Follower(NamedTuple):
    """An app's hooks: `rename` runs in the transaction that renames a judge; `held` yields its rows about a judge."""

    name: str
    about: str
    rename: Callable[[Membership, str], None]
    held: Callable[[Membership], Rows]


FOLLOWERS: list[Follower] = []
