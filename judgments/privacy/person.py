"""The person behind a judge: an account, if there is one, and memberships; and the names by which they are stored."""

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Self

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db.models import Q
from django.utils.module_loading import import_string

from judgments.models import Invitation, JournalEntry, Membership
from judgments.models.members import Visitor

WORKER_ID = re.compile(r"[A-Za-z0-9]{10,64}")
# The beginnings of journal entries about people.
INVITED = "invited "
ABOUT_A_JUDGE = ("excluded ", "included ", "marked ", "set the quota of batches of ", "revoked the link of ")

Rows = Iterable[dict[str, Any]]


class Person(NamedTuple):
    user: User | None
    members: tuple[Membership, ...]

    @classmethod
    def of_judge(cls, judge: Membership) -> Self:
        """Return the person behind a membership; without an account, that is this membership alone."""
        return cls.of(judge.user) if judge.user else cls(None, (judge,))

    @classmethod
    def of(cls, user: Visitor) -> Self:
        members = Membership.objects.filter(user=user.pk).select_related("campaign").order_by("pk")
        return cls(user if isinstance(user, User) else None, tuple(members))


def names_of(judge: Membership) -> set[str]:
    """Return all names of a judge: names and addresses given by organisers, and the id on a crowd platform.

    Visitors of a shared link can put anything into its address as their id, even another name or a common word, so it
    counts only if it looks like an id.
    """
    names = {judge.pseudonym}
    if WORKER_ID.fullmatch(judge.worker) and any(map(str.isdigit, judge.worker)):
        names.add(judge.worker)
    for name, address in Invitation.objects.filter(membership=judge).values_list("pseudonym", "address"):
        names |= {name, address}
    if user := judge.user:
        names |= {user.username, user.email, user.first_name, user.last_name, user.get_full_name()}
    return {name for name in names if name.strip()}


def names_pattern(names: set[str]) -> re.Pattern[str]:
    """Match the names as whole words, the longest first, so that addresses are replaced whole.

    The case of addresses does not matter; that of names does, because Will and May are words too.
    """
    ordered = sorted(names, key=lambda name: (-len(name), name))
    pattern = "|".join(f"(?i:{re.escape(name)})" if "@" in name else re.escape(name) for name in ordered)
    return re.compile(rf"(?<!\w)(?:{pattern})(?!\w)")


def journal_entries(judge: Membership, names: set[str]) -> list[JournalEntry]:
    """Return the journal entries that name the judge, as actor or otherwise.

    Entries of deleted campaigns are found by the account alone, because other names are unique only in their campaign.
    """
    pattern = names_pattern(names)
    about = Q(campaign=judge.campaign_id)
    if judge.user:
        about |= Q(campaign=None, actor=judge.user.get_username())
    username = judge.user and judge.user.get_username()
    entries = JournalEntry.objects.filter(about).order_by("pk").iterator()
    return [entry for entry in entries if pattern.search(entry.what) or entry.actor == username]


def entry_about(what: str, names: set[str]) -> str | None:
    """Return the part of a journal entry about a person with these names, without the names of others."""
    if what.startswith(INVITED):
        return next((f"{INVITED}{name}" for name in what.removeprefix(INVITED).split(", ") if name in names), None)
    starts = (f"{verb}{name}" for verb in ABOUT_A_JUDGE for name in names)
    return what if any(what.startswith((f"{start} ", f"{start}:")) or what == start for start in starts) else None


def sessions_of(user: User) -> list[Session]:
    """Return the user's sessions; a session reveals its user only when it is decoded."""
    key = str(user.pk)
    return [one for one in Session.objects.iterator() if one.get_decoded().get(SESSION_KEY) == key]


class PrivacyHook(NamedTuple):
    """For apps that store judges' names: `rename` runs when a judge is erased; `rows` yields what it stores on one."""

    name: str
    about: str
    rename: Callable[[Membership, str], None]
    rows: Callable[[Membership], Rows]


# The paths of hooks, which apps register.
PRIVACY_HOOKS: list[str] = []


def privacy_hooks() -> list[PrivacyHook]:
    return [import_string(place) for place in PRIVACY_HOOKS]
