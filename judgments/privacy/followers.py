"""Subscribers to a judge's name: other apps that store it say here how to rename it and what they hold."""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from judgments.models import Membership

Rows = Iterable[dict[str, Any]]


class Follower(NamedTuple):
    """`rename` runs in the transaction that renames a judge; `tell` yields what is held about a judge."""

    name: str
    about: str
    rename: Callable[[Membership, str], None]
    tell: Callable[[Membership], Rows]


FOLLOWERS: list[Follower] = []
