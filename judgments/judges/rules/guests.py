"""Invited judges as pasted: names or mail addresses, one a line or separated by commas or semicolons."""

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from judgments.rules.files.names import LONGEST

# "ada@example.org", or "Ada Lovelace <ada@example.org>" as mail programs write it. Nothing is tried twice (the `+`
# after a `+` or `*`), here and in patterns elsewhere: a long text that just misses would keep the server busy.
ADDRESS = re.compile(r"(?:[^<>]*+<)?(?P<address>(?P<local>[^\s<>@]++)@[^\s<>@.]++(?:\.[^\s<>@.]++)++)>?")


class Guest(NamedTuple):
    """A judge to invite: the name for the answers, and the mail address if there is one."""

    name: str
    address: str = ""


def pasted_words(pasted: str) -> list[str]:
    """Each name or address once."""
    words = (" ".join(word.split()) for word in re.split(r"[\n\r,;]", pasted))
    return list(dict.fromkeys(word for word in words if word))


def guest_of(word: str) -> Guest:
    """The name is the part of an address before the @; it may still need a suffix to be unique."""
    found = ADDRESS.fullmatch(word.strip())
    return Guest(found["local"].lower(), found["address"].lower()) if found else Guest(" ".join(word.split()))


def free_name(name: str, taken: Collection[str]) -> str:
    """The name, or the first of name-2, name-3 and so on that is free.

    Toy: of ada, where ada and ada-2 are taken, ada-3.
    """
    number, free = 1, name[:LONGEST]
    while free in taken:
        number += 1
        ending = f"-{number}"
        free = f"{name[: LONGEST - len(ending)]}{ending}"
    return free


def named_apart(guests: Iterable[Guest], taken: Iterable[str]) -> list[Guest]:
    """Give guests with addresses free names; names that were written out stay as they are."""
    asked = list(guests)
    gone = {*taken, *(guest.name for guest in asked if not guest.address)}
    named = []
    for guest in asked:
        name = free_name(guest.name, gone) if guest.address else guest.name
        gone.add(name)
        named.append(Guest(name, guest.address))
    return named
