"""A file of rankings or ratings with its sentences numbered from 0 or from 1: what fits the outputs, and what not."""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judgments.exchange.importers.rules.matching.grouping import Matched, Outputs, Together, listed
from judgments.exchange.importers.rules.matching.naming import Naming
from judgments.exchange.importers.rules.recorded import Recorded
from judgments.rules.files.problems import Problem


@dataclass(frozen=True)
class Reading:
    """A file with its sentences numbered from `base`: its judgments, its faults, and what it groups otherwise."""

    base: int
    judgments: list[Matched]
    problems: list[Problem]
    regrouped: list[tuple[Matched, Together]]
    # The sentence of each judgment of which the campaign lacks it, and the systems of others of which it lacks outputs.
    sentences: list[int]
    systems: list[set[str]]

    @property
    def doubts(self) -> tuple[bool, bool, int, int]:
        """Sort key: a base under which sentences do not exist is less likely than one with any other fault."""
        return self.is_impossible, bool(self.sentences), len(self.problems), len(self.regrouped)

    @property
    def is_impossible(self) -> bool:
        return bool(self.problems) or not self.judgments

    @property
    def ranked(self) -> int:
        return sum(bool(one.groups) for one in self.judgments)

    def is_as_likely_as(self, better: "Reading") -> bool:
        """Whether the outputs leave open which of two readings is right: neither disagrees twice as often."""
        is_worse = self.is_impossible or bool(self.sentences) > bool(better.sentences)
        return not is_worse and len(self.regrouped) < max(1, 2 * len(better.regrouped))

    def left_out(self) -> str:
        """What the campaign lacks, in words; empty if it has everything."""
        sentences = sorted(set(self.sentences))
        lacking = (
            ("outputs of", sorted(set().union(*self.systems)), len(self.systems)),
            ("sentences" if sentences[1:] else "sentence", sentences, len(self.sentences)),
        )
        return " and ".join(
            f"{what} {listed(found)} (in {times} judgment{'s' * (times > 1)})"
            for what, found, times in lacking
            if found
        )


def read(row: Recorded, naming: Naming, base: int) -> Matched:
    groups = tuple((naming.read(group.systems), group.value) for group in row.groups)
    whole = tuple((system, value) for systems, value in groups for system in systems)
    return Matched(row, row.segment - base, groups, whole=whole)


def read_from(
    file: str, recorded: Sequence[Recorded], naming: Naming, outputs: Outputs, base: int, fewest: int
) -> Reading:
    named, collapsed = set(naming.systems()), naming.separator != "none"
    found = Reading(base, [], [], [], [], [])
    for row in recorded:
        one = read(row, naming, base)
        exists = one.position in outputs
        texts = {system: text for system, text in outputs.get(one.position, {}).items() if system in named}
        lacking = {system for system, _ in one.whole if system not in texts} if exists else set()
        if lacking:
            found.systems.append(lacking)
        if not exists:
            found.sentences.append(row.segment)
        if fewest and lacking:
            one = _without(one, lacking)
        if fewest and (not exists or (lacking and len(one.groups) < fewest)):
            continue
        if faults := list(_faults(one, texts, exists)):
            found.problems.extend(Problem(file, row.line, fault) for fault in faults)
            continue
        one = _compared(one, texts) if collapsed else _merged(one, texts)
        found.judgments.append(one)
        if one.regrouped:
            found.regrouped.append((one, _looking_equal(texts)))
    return found


def _without(one: Matched, lacking: Collection[str]) -> Matched:
    kept = [
        (group, tuple(system for system in systems if system not in lacking), value)
        for group, (systems, value) in zip(one.recorded.groups, one.groups, strict=True)
    ]
    row = one.recorded._replace(groups=tuple(group for group, systems, _ in kept if systems))
    return one._replace(recorded=row, groups=tuple((systems, value) for _, systems, value in kept if systems))


def _faults(one: Matched, texts: Mapping[str, Hashable], exists: bool) -> Iterable[str]:
    sentence = one.recorded.segment
    if not exists:
        yield f"sentence {sentence} does not exist in the campaign"
        return
    yield from (f"sentence {sentence}: {fault}" for fault in ranked_twice(one))
    for systems, _ in one.groups:
        if missing := [system for system in systems if system not in texts]:
            yield f"sentence {sentence}: judged without an output: {' '.join(missing)}"


def ranked_twice(one: Matched) -> Iterable[str]:
    named = Counter(system for systems, _ in one.groups for system in systems)
    if twice := sorted(system for system, times in named.items() if times > 1):
        yield f"{' '.join(twice)} judged more than once"


def _compared(one: Matched, texts: Mapping[str, Hashable]) -> Matched:
    """Find the groups of a file with collapsed names that differ from the outputs."""
    equal = _looking_equal(texts)
    otherwise = frozenset(systems for systems, _ in one.groups if equal(systems[0]) != set(systems))
    return one._replace(regrouped=otherwise) if otherwise else one


def _merged(one: Matched, texts: Mapping[str, Hashable]) -> Matched:
    """Merge systems with equal texts into one group, because the file lists them one by one.

    Equal texts with several ranks or scores are kept as they are.
    """
    merged: dict[tuple[Hashable, Any], list[str]] = {}
    for (system,), value in one.groups:
        merged.setdefault((texts[system], value), []).append(system)
    groups = {(text, value): tuple(sorted(systems)) for (text, value), systems in merged.items()}
    times = Counter(text for text, _ in groups)
    return one._replace(
        groups=tuple((systems, value) for (_, value), systems in groups.items()),
        regrouped=frozenset(systems for (text, _), systems in groups.items() if times[text] > 1),
    )


def _looking_equal(texts: Mapping[str, Hashable]) -> Together:
    return lambda system: frozenset(other for other, text in texts.items() if text == texts[system])
