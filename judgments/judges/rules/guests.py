"""Parsing pasted lists of judges: names or mail addresses, one a line or separated by commas or semicolons."""

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from judgments.rules.files.names import LONGEST

# "ada@example.org", or "Ada Lovelace <ada@example.org>" as mail programs write it. Possessive quantifiers (`++`, `*+`),
# here and in other patterns, prevent backtracking, by which a long text that almost matches would block the server.
ADDRESS = re.compile(r"(?:[^<>]*+<)?(?P<address>(?P<local>[^\s<>@]++)@[^\s<>@.]++(?:\.[^\s<>@.]++)++)>?")


class Guest(NamedTuple):
    """A judge to invite, by name or by mail address."""

    name: str
    address: str = ""


def pasted_words(pasted: str) -> list[str]:
    """Split a pasted list into distinct names and addresses."""
    words = (" ".join(word.split()) for word in re.split(r"[\n\r,;]", pasted))
    return list(dict.fromkeys(word for word in words if word))


def guest_of(word: str) -> Guest:
    """Parse a name or address; an address gets the name before its @, which may still need a suffix."""
    found = ADDRESS.fullmatch(word.strip())
    return Guest(found["local"].lower(), found["address"].lower()) if found else Guest(" ".join(word.split()))


def free_name(name: str, taken: Collection[str]) -> str:
    """The name, or the first free one of name-2, name-3 and so on.

    Toy: ada becomes ada-3 if ada and ada-2 are taken.
    """
    number, free = 1, name[:LONGEST]
    while free in taken:
        number += 1
        ending = f"-{number}"
        free = f"{name[: LONGEST - len(ending)]}{ending}"
    return free


def with_free_names(guests: Iterable[Guest], taken: Iterable[str]) -> list[Guest]:
    """Give guests with addresses free names; typed names stay as they are."""
    guests = list(guests)
    used = {*taken, *(guest.name for guest in guests if not guest.address)}
    named = []
    for guest in guests:
        name = free_name(guest.name, used) if guest.address else guest.name
        used.add(name)
        named.append(Guest(name, guest.address))
    return named
