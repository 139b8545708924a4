"""Names of systems in recorded judgments: how collapsed ones are separated, and what all of them share.

Published files separate the names of collapsed systems by spaces, commas or plus signs, and put the test set and the
language pair around each. The reading counts whose systems the campaign has. Without them, spaces and commas separate
names, because they are no part of one; a plus sign can be, so an organiser chooses.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from judgments.exchange.importers.rules.recorded import RecordedJudgment
from judgments.rules.files.names import fault_of_name
from judgments.rules.files.problems import Problem, Problems, refuse, shorten

CHOOSE_SEPARATOR = "choose how names are joined"
Split = Callable[[str], list[str]]
SEPARATORS: dict[str, Split] = {
    "nothing": lambda systems: [systems],
    "space": str.split,
    "comma": lambda systems: [name.strip() for name in systems.split(",")],
    "plus": lambda systems: [name.strip() for name in systems.split("+")],
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


def names_written(recorded: Iterable[RecordedJudgment]) -> list[str]:
    """Return the different names of outputs in a file, each of one system or of several."""
    return sorted({group.systems for row in recorded for group in row.groups})


def possible_namings(written: Iterable[str], joined_by: str = "") -> list[Naming]:
    """Return all ways to read names: whole, without both ends, or without common parts, by any separator or one."""
    namings = []
    for separator, split in SEPARATORS.items():
        if joined_by not in ("", separator):
            continue
        names = sorted({name for systems in written for name in split(systems)})
        meanings = ({name: name for name in names}, inner_names(names), bare_names(names))
        namings += [Naming(separator, meaning) for meaning in meanings]
    return namings


def naming_of_known(file: str, recorded: Iterable[RecordedJudgment], known: set[str], joined_by: str) -> Naming | None:
    """Return the first reading of which the campaign has every system; refuse if two separators have such readings."""
    written = names_written(recorded)
    fitting = [naming for naming in possible_namings(written, joined_by) if known.issuperset(naming.systems())]
    by_separator = {naming.separator: naming for naming in reversed(fitting)}
    for systems in written:
        if len({naming.read(systems) for naming in by_separator.values()}) > 1:
            raise _uncertain(file, systems)
    return fitting[0] if fitting else None


def naming_of_unknown(file: str, recorded: Iterable[RecordedJudgment], joined_by: str) -> Naming:
    """Return the reading of names of which the campaign knows none; refuse invalid names."""
    written = names_written(recorded)
    if not joined_by:
        joined_by = next((name for name, sign in (("comma", ","), ("space", " ")) if sign in "".join(written)), "")
    if not joined_by:
        for systems in written:
            if "+" in systems:
                raise _uncertain(file, systems)
    naming = possible_namings(written, joined_by or "nothing")[-1]
    faults = [fault for name in naming.systems() if (fault := fault_of_name(name))]
    refuse(shorten(file, [Problem(file, None, fault) for fault in faults]))
    return naming


def _uncertain(file: str, systems: str) -> Problems:
    what = f"{systems[:80]!r} could be one system or several with one output; {CHOOSE_SEPARATOR}"
    return Problems([Problem(file, None, what)])


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
