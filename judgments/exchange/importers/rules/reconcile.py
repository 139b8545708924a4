"""Matching recorded rankings with the lines and systems of a campaign.

Published files number sentences from 0 or from 1 and separate the names of collapsed systems by spaces, commas or plus
signs. Neither is assumed: a reading is accepted only if the systems recorded as one output really have equal texts.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

from judgments.exchange.importers.rules.rankings import Recorded, keys_of, refuse
from judgments.rules.files.names import fault_of_name
from judgments.rules.files.problems import Problem, Problems

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


def possible_namings(recorded: Iterable[Recorded]) -> list[Naming]:
    """Return all ways to read a file's names: whole, without both ends, or without common parts, by any separator."""
    written = {group.systems for row in recorded for group in row.groups}
    namings = []
    for separator, split in SEPARATORS.items():
        names = sorted({name for systems in written for name in split(systems)})
        meanings = ({name: name for name in names}, inner_names(names), bare_names(names))
        namings += [Naming(separator, meaning) for meaning in meanings]
    return namings


def likely_naming(recorded: Iterable[Recorded]) -> Naming:
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


BASES = (0, 1)
AMBIGUOUS = "sentences could be numbered from 0 or from 1"
SAME_RANKINGS = UUID("5f0c6a2e-4b0f-4d0b-9a57-2c1f6f8f3f41")

# For each line (from 0), a value for each system's text; equal texts have equal values.
Outputs = Mapping[int, Mapping[str, Hashable]]


class Ranking(NamedTuple):
    """A recorded ranking matched with a line (from 0), and the systems behind each output, ranked."""

    recorded: Recorded
    position: int
    groups: tuple[tuple[tuple[str, ...], int], ...]


@dataclass(frozen=True)
class Reconciled:
    """The matched rankings of a file, and notes on how it was read."""

    rankings: list[Ranking]
    systems: list[str]
    notes: list[str] = field(default_factory=list)


def reconcile_with_texts(
    file: str, recorded: list[Recorded], outputs: Outputs, known: Iterable[str], numbered_from: int | None = None
) -> Reconciled:
    """Read the file so that every recorded group agrees with the uploaded outputs, or raise the disagreements."""
    naming = _known_naming(file, recorded, set(known))
    bases = BASES if numbered_from is None else (numbered_from,)
    readings = {base: _read(recorded, naming, base) for base in bases}
    disagreements = {base: _disagreements(file, readings[base], outputs, naming) for base in bases}
    # A base under which sentences do not exist is less likely than one with any other disagreement.
    absent = {base: sum(ranking.position not in outputs for ranking in readings[base]) for base in bases}
    base = min(bases, key=lambda base: (bool(disagreements[base]), absent[base], len(disagreements[base])))
    refuse(file, disagreements[base])
    if len(bases) > 1 and not any(disagreements.values()) and any(row.groups for row in recorded):
        raise Problems([Problem(file, None, f"{AMBIGUOUS}, because both agree with the outputs; choose one")])
    notes = [f"{file}: sentences are numbered from {base}"]
    return Reconciled([_merge(ranking, outputs) for ranking in readings[base]], naming.systems(), notes)


def reconcile_without_texts(file: str, recorded: list[Recorded], known: Outputs) -> Reconciled:
    """Read a file without the outputs: systems recorded together are one output, and must stay together."""
    naming = _naming_without_texts(file, recorded, known)
    rankings = _read(recorded, naming, base=0)
    together = {
        (position, system): frozenset(other for other, same in texts.items() if same == text)
        for position, texts in known.items()
        for system, text in texts.items()
    }
    problems = []
    for ranking in rankings:
        faults = list(_ranked_twice(ranking))
        for systems, _ in ranking.groups:
            group = frozenset(systems)
            if any(together.setdefault((ranking.position, system), group) != group for system in systems):
                faults.append(f"{' '.join(systems)} share one output here, but not everywhere for this sentence")
        problems += [Problem(file, ranking.recorded.line, fault) for fault in faults]
    refuse(file, problems)
    notes = [f"{file}: read without texts; sentence numbers are kept as they are"]
    return Reconciled(rankings, naming.systems(), notes)


def _naming_without_texts(file: str, recorded: list[Recorded], known: Outputs) -> Naming:
    """Return the reading whose systems the campaign already has, otherwise the likeliest; refuse invalid names."""
    systems = {system for texts in known.values() for system in texts}
    confirmed = (naming for naming in possible_namings(recorded) if systems.issuperset(naming.systems()))
    naming = next(confirmed, None) or likely_naming(recorded)
    refuse(file, [Problem(file, None, fault) for name in naming.systems() if (fault := fault_of_name(name))])
    return naming


def ranking_keys(rankings: list[Ranking], campaign: str) -> list[UUID]:
    rows = ((one.recorded, one.position, sorted(one.groups)) for one in rankings)
    return keys_of(
        SAME_RANKINGS,
        ((campaign, row.judge, line, groups, row.skipped, row.seconds, row.label) for row, line, groups in rows),
    )


def _known_naming(file: str, recorded: list[Recorded], known: set[str]) -> Naming:
    """Return the reading under which the campaign has every system that the file names."""
    namings = possible_namings(recorded)
    for naming in namings:
        if known.issuperset(naming.systems()):
            return naming
    fewest = min(([name for name in naming.systems() if name not in known] for naming in namings), key=len)
    what = f"names systems that the campaign does not have: {', '.join(fewest[:10])}; upload their outputs first"
    raise Problems([Problem(file, None, what)])


def _read(recorded: list[Recorded], naming: Naming, base: int) -> list[Ranking]:
    return [
        Ranking(row, row.segment - base, tuple((naming.read(group.systems), group.rank) for group in row.groups))
        for row in recorded
    ]


def _disagreements(file: str, rankings: list[Ranking], outputs: Outputs, naming: Naming) -> list[Problem]:
    """Return a problem for each ranking whose groups differ from the outputs."""
    problems = []
    named = set(naming.systems())
    collapsed = naming.separator != "none"
    for ranking in rankings:
        texts = outputs.get(ranking.position)
        if texts is None:
            what = f"sentence {ranking.recorded.segment} does not exist in the campaign"
            problems.append(Problem(file, ranking.recorded.line, what))
            continue
        for fault in _faults(ranking, {s: text for s, text in texts.items() if s in named}, collapsed):
            problems.append(Problem(file, ranking.recorded.line, f"sentence {ranking.recorded.segment}: {fault}"))
    return problems


def _faults(ranking: Ranking, texts: Mapping[str, Hashable], collapsed: bool) -> Iterable[str]:
    yield from _ranked_twice(ranking)
    ranks: dict[Hashable, int] = {}
    for systems, rank in ranking.groups:
        if missing := [system for system in systems if system not in texts]:
            yield f"ranked without an output: {' '.join(missing)}"
            continue
        behind = {system for system, text in texts.items() if text == texts[systems[0]]}
        if collapsed and behind != set(systems):
            yield f"recorded as one output: {' '.join(systems)}; equal in the outputs: {' '.join(sorted(behind))}"
        elif ranks.setdefault(texts[systems[0]], rank) != rank:
            yield f"{systems[0]} has an output with two ranks, {ranks[texts[systems[0]]]} and {rank}"


def _ranked_twice(ranking: Ranking) -> Iterable[str]:
    named = Counter(system for systems, _ in ranking.groups for system in systems)
    if twice := sorted(system for system, times in named.items() if times > 1):
        yield f"{' '.join(twice)} ranked more than once"


def _merge(ranking: Ranking, outputs: Outputs) -> Ranking:
    """Merge systems with equal texts into one group: files that do not collapse list them one by one."""
    merged: dict[Hashable, tuple[list[str], int]] = {}
    for systems, rank in ranking.groups:
        merged.setdefault(outputs[ranking.position][systems[0]], ([], rank))[0].extend(systems)
    return ranking._replace(groups=tuple((tuple(sorted(systems)), rank) for systems, rank in merged.values()))
