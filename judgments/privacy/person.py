"""A person as the platform knows one: an account, if there is one, and the parts in campaigns."""

import re
from typing import NamedTuple, Self

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db.models import Q, QuerySet

from judgments.models import Invitation, JournalEntry, Membership
from judgments.models.members import Visitor

NUMBER_OF_WORKER = re.compile(r"[A-Za-z0-9]{10,64}")
# How lines of the journal begin that are about people.
INVITED = "invited "
DONE_TO_ONE = ("excluded ", "included ", "marked ", "set the quota of batches of ", "revoked the link of ")


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
    """Everything by which a judge is called here: names and addresses that organisers gave, the number of a worker.

    Whoever comes by a shared link can write anything into its address, also somebody else's name or a word of every
    day; so nothing of it is looked for but what can only be a number.
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
    """Any of the words where it stands as a word; the longest first, so that an address goes as a whole.

    Addresses are found however they are written; a name only as it is written, for Will and May are words too.
    """
    ordered = sorted(words, key=lambda word: (-len(word), word))
    told = "|".join(f"(?i:{re.escape(word)})" if "@" in word else re.escape(word) for word in ordered)
    return re.compile(rf"(?<!\w)(?:{told})(?!\w)")


def journal_lines(judge: Membership, words: set[str]) -> list[JournalEntry]:
    """Lines of the journal that name somebody, as the one who did or the one to whom it was done.

    Those of campaigns that are deleted are asked for by the account alone: names were names only there.
    """
    pattern = naming(words)
    about = Q(campaign=judge.campaign_id)
    if judge.user:
        about |= Q(campaign=None, actor=judge.user.get_username())
    entries = JournalEntry.objects.filter(about).order_by("pk")
    name = judge.user and judge.user.get_username()
    return [entry for entry in entries.iterator() if pattern.search(entry.what) or entry.actor == name]


def said_of(what: str, names: set[str]) -> str | None:
    """What a line of the journal says was done to somebody of these names, without others whom it names."""
    if what.startswith(INVITED):
        return next((f"{INVITED}{name}" for name in what.removeprefix(INVITED).split(", ") if name in names), None)
    begun = (f"{verb}{name}" for verb in DONE_TO_ONE for name in names)
    return what if any(what.startswith((f"{begin} ", f"{begin}:")) or what == begin for begin in begun) else None


def sessions_of(user: User) -> list[Session]:
    """Where somebody is signed in; a session says whose it is only when it is opened."""
    mine = str(user.pk)
    sessions: QuerySet[Session] = Session.objects.all()
    return [one for one in sessions.iterator() if one.get_decoded().get(SESSION_KEY) == mine]
