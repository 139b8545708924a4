"""Names of systems in recorded judgments: how collapsed ones are separated, and what all of them share.

Published files separate the names of collapsed systems by spaces, commas or plus signs, and put the test set and the
language pair around each. Neither is assumed: the first reading counts whose systems the campaign has.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from judgments.exchange.importers.rules.recorded import RecordedJudgment

Split = Callable[[str], list[str]]
SEPARATORS: dict[str, Split] = {
    "none": lambda systems: [systems],
    "space": str.split,
    "comma": lambda systems: [name.strip() for name in systems.split(",")],
    "plus sign": lambda systems: [name.strip() for name in systems.split("+")],
}


class Naming(NamedTuple):
    """A way to read names: the separator of collapsed systems, and the system that each written name means."""

    separator: str
    meaning: dict[str, str]

    def read(self, systems: str) -> tuple[str, ...]:
        """Return the systems that a file writes as one output."""
        return tuple(sorted(self.meaning[name] for name in SEPARATORS[self.separator](systems)))

    def systems(self) -> list[str]:
        """Return all systems that the file names."""
        return sorted(set(self.meaning.values()))


def possible_namings(recorded: Iterable[RecordedJudgment]) -> list[Naming]:
    """Return all ways to read a file's names: whole, without both ends, or without common parts, by any separator."""
    written = {group.systems for row in recorded for group in row.groups}
    namings = []
    for separator, split in SEPARATORS.items():
        names = sorted({name for systems in written for name in split(systems)})
        meanings = ({name: name for name in names}, inner_names(names), bare_names(names))
        namings += [Naming(separator, meaning) for meaning in meanings]
    return namings


def likely_naming(recorded: Iterable[RecordedJudgment]) -> Naming:
    """Guess without a list of systems to confirm it; a plus sign may be part of a name."""
    recorded = list(recorded)
    written = {group.systems for row in recorded for group in row.groups}
    separator = "comma" if any("," in s for s in written) else "space" if any(" " in s for s in written) else "none"
    return [naming for naming in possible_namings(recorded) if naming.separator == separator][-1]


def inner_names(names: Iterable[str]) -> dict[str, str]:
    """Strip the test set and the language pair from system names, as WMT's scripts do: test.AMU.src-trg is AMU."""
    parted = {name: name.split(".") for name in names}
    is_framed = all(len(parts) > 2 for parts in parted.values())
    if not is_framed or len({(parts[0], parts[-1]) for parts in parted.values()}) > 1:
        return {name: name for name in parted}
    return {name: ".".join(parts[1:-1]) for name, parts in parted.items()}


def bare_names(names: Iterable[str]) -> dict[str, str]:
    """Strip the parts that all system names share: test.AMU.src-trg and test.CAMB.src-trg are AMU and CAMB."""
    parted = {name: name.split(".") for name in names}
    if len(parted) < 2:
        return {name: name for name in parted}
    shortest = min(map(len, parted.values()))
    front = back = 0
    while front < shortest - 1 and len({parts[front] for parts in parted.values()}) == 1:
        front += 1
    while back < shortest - 1 - front and len({parts[-1 - back] for parts in parted.values()}) == 1:
        back += 1
    return {name: ".".join(parts[front : len(parts) - back]) for name, parts in parted.items()}
