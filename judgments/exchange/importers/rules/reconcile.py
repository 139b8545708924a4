"""Matching recorded rankings and ratings with the lines and systems of a campaign.

Published files number sentences from 0 or from 1. Neither is assumed: the systems that a file records as one output
have equal texts under the right number, or nearly always. Judgments that group systems otherwise, because their file
collapsed outputs in another way, are kept as they are and counted in a note.
"""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple
from uuid import UUID

from judgments.exchange.importers.rules.naming import Naming, likely_naming, possible_namings
from judgments.exchange.importers.rules.recorded import WHAT_FITS, Recorded, keys_of
from judgments.rules.files.names import fault_of_name
from judgments.rules.files.problems import Problem, Problems, refuse, shorten

BASES = (0, 1)
AMBIGUOUS = "sentences could be numbered from 0 or from 1"
MOST_PAIRS = 10
# If more of a file with collapsed systems disagrees with the outputs, it belongs to others. Of the published rankings
# of Grundkiewicz et al. (2015), 98 % disagree when moved by a line, and 20 % with outputs that were collapsed
# regardless of case, punctuation and spaces.
MOST_OTHERWISE = 0.75
MOST_LISTED = 10

Systems = tuple[str, ...]
# For each line (from 0), a value for each system's text; equal texts have equal values.
Outputs = Mapping[int, Mapping[str, Hashable]]
# The systems that share an output with a system.
Together = Callable[[str], frozenset[str]]


class Matched(NamedTuple):
    """A recorded judgment matched with a line (from 0): the systems behind each output, and its rank or score.

    `regrouped` are the groups of systems that are no output of the campaign. `whole` is what the file says of each
    system, those that the campaign lacks too, so that a judgment keeps its key however much of it is taken.
    """

    recorded: Recorded
    position: int
    groups: tuple[tuple[Systems, Any], ...]
    regrouped: frozenset[Systems] = frozenset()
    whole: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Reconciled:
    """The matched judgments of a file, and notes on how it was read."""

    judgments: list[Matched]
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Reading:
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

    def is_as_likely_as(self, better: "_Reading") -> bool:
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
            f"{what} {_listed(found)} (in {times} judgment{'s' * (times > 1)})"
            for what, found, times in lacking
            if found
        )


def reconcile_with_texts(
    file: str,
    recorded: Sequence[Recorded],
    outputs: Outputs,
    known: Iterable[str],
    numbered_from: int | None = None,
    fewest: int = 0,
) -> Reconciled:
    """Read the file so that it agrees best with the uploaded outputs; raise what is wrong with the best reading.

    With `fewest`, outputs that the campaign lacks are left out, and judgments of which fewer outputs remain.
    """
    naming = _known_naming(file, recorded, set(known), is_strict=not fewest)
    bases = BASES if numbered_from is None else (numbered_from,)
    read = partial(_reading, file, recorded, naming, outputs)
    readings = sorted((read(base, fewest) for base in bases), key=lambda one: one.doubts)
    best = readings[0]
    is_settled = numbered_from is not None or not best.ranked
    if not is_settled and naming.separator != "none" and len(best.regrouped) > MOST_OTHERWISE * best.ranked:
        raise Problems(_refusal(file, best))
    refuse([*shorten(file, best.problems), *_offer(file, best, read(best.base, 1) if best.problems else best)])
    if not is_settled and readings[1].is_as_likely_as(best):
        raise Problems([Problem(file, None, f"{AMBIGUOUS}, because the outputs agree with both; choose one")])
    notes = [f"{file}: sentences are numbered from {best.base}"]
    if left_out := best.left_out():
        notes.append(f"{file}: {len(best.judgments)} of {len(recorded)} judgments fit; left out: {left_out}")
    return Reconciled(best.judgments, [*notes, *_note(file, best.regrouped, best.ranked, "their outputs")])


def _offer(file: str, best: _Reading, fitting: _Reading) -> Iterable[Problem]:
    """Offer to take a part of a refused file, if the campaign lacks the rest and nothing else is wrong."""
    if not best.judgments and not best.problems:
        yield Problem(file, None, "has no judgment that fits; upload the outputs that it is about first")
    elif best.problems and fitting.judgments and not fitting.problems:
        yield Problem(file, None, f"the campaign lacks {fitting.left_out()}; upload these outputs first, {WHAT_FITS}")


def reconcile_without_texts(
    file: str, recorded: Sequence[Recorded], known: Outputs, numbered_from: int | None = None
) -> Reconciled:
    """Read a file without the outputs: in a sentence, systems that were recorded together first are one output."""
    naming = _naming_without_texts(file, recorded, known)
    read = [_read(row, naming, numbered_from or 0) for row in recorded]
    refuse(shorten(file, [Problem(file, one.recorded.line, fault) for one in read for fault in _ranked_twice(one)]))
    together = {
        (position, system): frozenset(other for other, same in texts.items() if same == text)
        for position, texts in known.items()
        for system, text in texts.items()
    }
    judgments, regrouped = [], []
    for one in read:
        otherwise = set()
        for systems, _ in one.groups:
            group, place = frozenset(systems), one.position
            if not any((place, system) in together for system in systems):
                together |= dict.fromkeys(((place, system) for system in systems), group)
            elif any(together.get((place, system)) != group for system in systems):
                otherwise.add(systems)
        judgments.append(one._replace(regrouped=frozenset(otherwise)) if otherwise else one)
        if otherwise:
            regrouped.append((judgments[-1], _looking_up(together, one.position)))
    base = "are kept as they are" if numbered_from is None else f"are numbered from {numbered_from}"
    notes = [f"{file}: read without texts; sentence numbers {base}"]
    ranked = sum(bool(one.groups) for one in recorded)
    return Reconciled(judgments, notes + _note(file, regrouped, ranked, "the first judgment of the sentence"))


def matched_keys(namespace: UUID, judgments: Iterable[Matched], campaign: str) -> list[UUID]:
    rows = ((one.recorded, one.position, sorted(one.whole or one.groups)) for one in judgments)
    return keys_of(
        namespace,
        ((campaign, row.judge, line, groups, row.skipped, row.seconds, row.label) for row, line, groups in rows),
    )


def _known_naming(file: str, recorded: Sequence[Recorded], known: set[str], is_strict: bool) -> Naming:
    """Return the reading under which the campaign has every system that the file names, or else most of them."""
    namings = possible_namings(recorded)
    for naming in namings:
        if known.issuperset(naming.systems()):
            return naming
    best = max(namings, key=lambda one: (len(known.intersection(one.systems())), -len(one.systems())))
    shared, lacking = known.intersection(best.systems()), _listed([one for one in best.systems() if one not in known])
    if shared and not is_strict:
        return best
    advice = f"upload their outputs first{f', {WHAT_FITS}' if shared else ''}"
    raise Problems([Problem(file, None, f"names systems that the campaign does not have: {lacking}; {advice}")])


def _naming_without_texts(file: str, recorded: Sequence[Recorded], known: Outputs) -> Naming:
    """Return the reading whose systems the campaign already has, otherwise the likeliest; refuse invalid names."""
    systems = {system for texts in known.values() for system in texts}
    confirmed = (naming for naming in possible_namings(recorded) if systems.issuperset(naming.systems()))
    naming = next(confirmed, None) or likely_naming(recorded)
    faults = [fault for name in naming.systems() if (fault := fault_of_name(name))]
    refuse(shorten(file, [Problem(file, None, fault) for fault in faults]))
    return naming


def _read(row: Recorded, naming: Naming, base: int) -> Matched:
    groups = tuple((naming.read(group.systems), group.value) for group in row.groups)
    whole = tuple((system, value) for systems, value in groups for system in systems)
    return Matched(row, row.segment - base, groups, whole=whole)


def _reading(
    file: str, recorded: Sequence[Recorded], naming: Naming, outputs: Outputs, base: int, fewest: int
) -> _Reading:
    named, collapsed = set(naming.systems()), naming.separator != "none"
    found = _Reading(base, [], [], [], [], [])
    for row in recorded:
        one = _read(row, naming, base)
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
    yield from (f"sentence {sentence}: {fault}" for fault in _ranked_twice(one))
    for systems, _ in one.groups:
        if missing := [system for system in systems if system not in texts]:
            yield f"sentence {sentence}: judged without an output: {' '.join(missing)}"


def _ranked_twice(one: Matched) -> Iterable[str]:
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


def _looking_up(together: Mapping[tuple[int, str], frozenset[str]], position: int) -> Together:
    return lambda system: together.get((position, system), frozenset({system}))


def _refusal(file: str, reading: _Reading) -> list[Problem]:
    """The problems of a reading with which nearly all judgments disagree."""
    regrouped = [
        Problem(file, one.recorded.line, f"sentence {one.recorded.segment}: {_otherwise(systems, together)}")
        for one, together in reading.regrouped
        for systems, _ in one.groups
        if systems in one.regrouped
    ]
    what = (
        f"groups systems otherwise than the outputs in {len(reading.regrouped)} of {reading.ranked} judgments, so "
        "these may be other outputs or other sentences; if they are the right ones, choose whether sentences are "
        "numbered from 0 or from 1, and the file is stored as it is"
    )
    return [*shorten(file, reading.problems + regrouped), Problem(file, None, what)]


def _listed(found: Sequence[object]) -> str:
    more = f" and {len(found) - MOST_LISTED} more" if len(found) > MOST_LISTED else ""
    return ", ".join(map(str, found[:MOST_LISTED])) + more


def _otherwise(systems: Systems, together: Together) -> str:
    equal = " ".join(sorted(together(systems[0])))
    return f"recorded as one output: {' '.join(systems)}; equal in the outputs: {equal}"


def _note(file: str, regrouped: Sequence[tuple[Matched, Together]], ranked: int, others: str) -> list[str]:
    """Return a note on how many judgments group systems otherwise, and which systems."""
    pairs = Counter(pair for one, together in regrouped for pair in set(_pairs(one, together)))
    if not regrouped:
        return []
    listed = [f"{one} and {other} {how} ({times})" for (one, other, how), times in pairs.most_common(MOST_PAIRS)]
    more = f" and {len(pairs) - MOST_PAIRS} more" if len(pairs) > MOST_PAIRS else ""
    what = f"{len(regrouped)} of {ranked} judgments group systems otherwise than {others}, and are kept as they are"
    return [f"{file}: {what}: {', '.join(listed)}{more}"]


def _pairs(one: Matched, together: Together) -> Iterable[tuple[str, str, str]]:
    """Yield the pairs of systems that a judgment shows together or apart, unlike the others."""
    for systems in one.regrouped:
        for first, second in combinations(systems, 2):
            if second not in together(first):
                yield first, second, "together"
        for first in systems:
            for second in together(first) - set(systems):
                yield min(first, second), max(first, second), "apart"
