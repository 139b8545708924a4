"""Who else knows judges by name, and says here how it takes a new one and what it tells of a judge."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from judgments.models import Membership

Rows = Iterable[dict[str, Any]]


class Follower(NamedTuple):
    """Called in the transaction in which a judge gets another name; and asked what there is about a judge."""

    name: str
    about: str
    rename: Callable[[Membership, str], None]
    tell: Callable[[Membership], Rows]


FOLLOWERS: list[Follower] = []
