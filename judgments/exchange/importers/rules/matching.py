"""Matching recorded rankings and ratings with the lines and systems of a campaign.

Published files number sentences from 0 or from 1. Neither is assumed: the systems that a file records as one output
have equal texts under the right number, or nearly always; where both fit, an organiser chooses. Judgments that group
systems otherwise than the outputs, because their file collapsed outputs in another way, are kept as they are and
counted in a note.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import combinations
from typing import Any, NamedTuple
from uuid import UUID

from judgments.exchange.importers.rules.naming import (
    Naming,
    names_written,
    naming_of_known,
    naming_of_unknown,
    possible_namings,
)
from judgments.exchange.importers.rules.recorded import SKIP_UNMATCHED, RecordedJudgment, keys_of
from judgments.rules.files.problems import Problem, Problems, refuse, shorten

BASES = (0, 1)
MOST_PAIRS, MOST_LISTED = 10, 10
AMBIGUOUS = "sentences could be numbered from 0 or from 1, because the outputs agree with both; choose one"
NO_SENTENCE = "does not exist in the campaign"
# If more of a file with collapsed systems disagrees with the outputs, it belongs to others. Of the published rankings
# of Grundkiewicz et al. (2015), 98 % disagree when moved by a line, and 20 % with outputs that were collapsed
# regardless of case, punctuation and spaces.
MOST_MISMATCHES = 0.75

Systems = tuple[str, ...]
# For each line (from 0), a value for each system's text; equal texts have equal values.
Outputs = Mapping[int, Mapping[str, Hashable]]
# For a line and a system, the systems that share an output there.
Sharing = Callable[[int, str], frozenset[str]]


class MatchedJudgment(NamedTuple):
    """A recorded judgment matched with a line (from 0): the systems behind each output, and its rank or score.

    `mismatch` has the groups of systems that are no output of the campaign. `whole` is what the file says of each
    system, those that the campaign lacks too, so that a judgment keeps its key however much of it is taken.
    """

    recorded: RecordedJudgment
    position: int
    groups: tuple[tuple[Systems, Any], ...]
    mismatch: frozenset[Systems] = frozenset()
    whole: tuple[tuple[str, Any], ...] = ()


@dataclass
class MatchedFile:
    """The judgments of a file with its sentences numbered from `base`, what is wrong with them, and notes."""

    base: int
    judgments: list[MatchedJudgment] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    # The sentence of each judgment of which the campaign lacks it, and the systems of others of which it lacks outputs.
    sentences: list[int] = field(default_factory=list)
    systems: list[set[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def mismatches(self) -> list[MatchedJudgment]:
        """The judgments that group systems otherwise than the outputs."""
        return [one for one in self.judgments if one.mismatch]

    @property
    def judged_count(self) -> int:
        return sum(bool(one.groups) for one in self.judgments)

    @property
    def is_impossible(self) -> bool:
        return bool(self.problems) or not self.judgments

    @property
    def sort_key(self) -> tuple[bool, bool, int, int]:
        """A base under which sentences do not exist is less likely than one with any other fault."""
        return self.is_impossible, bool(self.sentences), len(self.problems), len(self.mismatches)

    def is_as_likely_as(self, better: "MatchedFile") -> bool:
        """Whether the outputs leave open which of two readings is right: neither disagrees twice as often."""
        is_worse = self.is_impossible or bool(self.sentences) > bool(better.sentences)
        return not is_worse and len(self.mismatches) < max(1, 2 * len(better.mismatches))

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


def match_with_texts(
    file: str,
    recorded: Sequence[RecordedJudgment],
    outputs: Outputs,
    known: Iterable[str],
    numbered_from: int | None = None,
    fewest: int = 0,
    joined_by: str = "",
) -> MatchedFile:
    """Read the file so that it agrees best with the uploaded outputs; raise what is wrong with the best reading.

    With `fewest`, outputs that the campaign lacks are left out, and judgments of which fewer outputs remain.
    """
    naming = _known_naming(file, recorded, set(known), joined_by, is_strict=not fewest)
    named = frozenset(naming.systems())

    @cache
    def sharing(position: int, system: str) -> frozenset[str]:
        texts = outputs.get(position, {})
        return frozenset(one for one, text in texts.items() if one in named and text == texts[system])

    bases = BASES if numbered_from is None else (numbered_from,)
    matched = [_matched(row, naming) for row in recorded]
    merges = naming.separator == "nothing"  # such files list systems one by one
    read = partial(_read, file, matched, outputs, sharing, merges)
    readings = [read(base, fewest) for base in bases]
    readings.sort(key=lambda one: one.sort_key)
    best = readings[0]
    is_settled = numbered_from is not None or not best.judged_count
    if not is_settled and not merges and len(best.mismatches) > MOST_MISMATCHES * best.judged_count:
        raise Problems(_refusal(file, best, sharing))
    problems = shorten(file, best.problems)
    if best.problems:
        # Offer to take a part, if the campaign lacks the rest and nothing else is wrong.
        part = read(best.base, 1)
        if not part.is_impossible:
            what = f"the campaign lacks {part.left_out()}; upload these outputs first, {SKIP_UNMATCHED}"
            problems.append(Problem(file, None, what))
    elif not best.judgments:
        what = "has no judgment that fits; upload the outputs that it is about first"
        problems.append(Problem(file, None, what))
    refuse(problems)
    if not is_settled and readings[1].is_as_likely_as(best):
        raise Problems([Problem(file, None, AMBIGUOUS)])
    best.notes.append(f"{file}: sentences are numbered from {best.base}")
    if left_out := best.left_out():
        best.notes.append(f"{file}: {len(best.judgments)} of {len(recorded)} judgments fit; left out: {left_out}")
    best.notes += _mismatch_notes(file, best, sharing, "their outputs")
    return best


def match_without_texts(
    file: str,
    recorded: Sequence[RecordedJudgment],
    known: Outputs,
    numbered_from: int | None = None,
    joined_by: str = "",
) -> MatchedFile:
    """Read a file without the outputs: in a sentence, systems that were recorded together first are one output."""
    systems_known = {system for texts in known.values() for system in texts}
    naming = naming_of_known(file, recorded, systems_known, joined_by) or naming_of_unknown(file, recorded, joined_by)
    found = MatchedFile(numbered_from or 0)
    matched = [_matched(row, naming)._replace(position=row.about - found.base) for row in recorded]
    faults = [(one.recorded.line, fault) for one in matched for fault in _ranked_twice(one)]
    faults += [(one.recorded.line, f"sentence 0 {NO_SENTENCE}") for one in matched if one.position < 0]
    refuse(shorten(file, [Problem(file, line, fault) for line, fault in faults]))
    groups_of = {
        (position, system): frozenset(other for other, same in texts.items() if same == text)
        for position, texts in known.items()
        for system, text in texts.items()
    }
    for one in matched:
        mismatch = set()
        for systems, _ in one.groups:
            group, places = frozenset(systems), [(one.position, system) for system in systems]
            if groups_of.keys().isdisjoint(places):
                groups_of |= dict.fromkeys(places, group)
            elif any(groups_of.get(place) != group for place in places):
                mismatch.add(systems)
        found.judgments.append(one._replace(mismatch=frozenset(mismatch)) if mismatch else one)
    base = "are kept as they are" if numbered_from is None else f"are numbered from {numbered_from}"

    def sharing(position: int, system: str) -> frozenset[str]:
        return groups_of.get((position, system), frozenset({system}))

    found.notes = [f"{file}: read without texts; sentence numbers {base}"]
    found.notes += _mismatch_notes(file, found, sharing, "the first judgment of the sentence")
    return found


def matched_keys(namespace: UUID, judgments: Iterable[MatchedJudgment], campaign: str) -> list[UUID]:
    rows = ((one.recorded, one.position, sorted(one.whole or one.groups)) for one in judgments)
    return keys_of(
        namespace,
        ((campaign, row.judge, line, groups, row.is_skipped, row.seconds, row.label) for row, line, groups in rows),
    )


def _known_naming(
    file: str, recorded: Sequence[RecordedJudgment], known: set[str], joined_by: str, is_strict: bool
) -> Naming:
    """Return the reading under which the campaign has every system that the file names, or else most of them."""
    if naming := naming_of_known(file, recorded, known, joined_by):
        return naming
    namings = possible_namings(names_written(recorded), joined_by)
    best = max(namings, key=lambda one: (len(known.intersection(one.systems())), -len(one.systems())))
    shared, lacking = known.intersection(best.systems()), _listed([one for one in best.systems() if one not in known])
    if shared and not is_strict:
        return best
    advice = f"upload their outputs first{f', {SKIP_UNMATCHED}' if shared else ''}"
    first = min(row.line for row in recorded for group in row.groups if not known.issuperset(best.read(group.systems)))
    what = f"names systems that the campaign does not have: {lacking} (it has {_listed(sorted(known)) or 'none'})"
    raise Problems([Problem(file, first, f"{what}; {advice}")])


def _read(
    file: str,
    matched: Iterable[MatchedJudgment],
    outputs: Outputs,
    sharing: Sharing,
    merges: bool,
    base: int,
    fewest: int,
) -> MatchedFile:
    """Compare all judgments with the outputs, with sentences numbered from `base`."""
    found = MatchedFile(base)
    for one in matched:
        row, sentence = one.recorded, f"sentence {one.recorded.about}"
        one = one._replace(position=row.about - base)
        texts = outputs.get(one.position)
        lacking = set() if texts is None else {system for system, _ in one.whole if system not in texts}
        if lacking:
            found.systems.append(lacking)
        if texts is None:
            found.sentences.append(row.about)
        if fewest and lacking:
            one = _without(one, lacking)
        if fewest and (texts is None or (lacking and len(one.groups) < fewest)):
            continue
        if texts is None:
            faults = [f"{sentence} {NO_SENTENCE}"]
        else:
            faults = [f"{sentence}: {fault}" for fault in _ranked_twice(one)]
            missing = (" ".join(name for name in systems if name not in texts) for systems, _ in one.groups)
            faults += [f"{sentence}: judged without an output: {names}" for names in missing if names]
        if faults or texts is None:
            found.problems += [Problem(file, row.line, fault) for fault in faults]
        elif merges:
            found.judgments.append(_merged(one, texts))
        else:
            other = [systems for systems, _ in one.groups if sharing(one.position, systems[0]) != set(systems)]
            found.judgments.append(one._replace(mismatch=frozenset(other)) if other else one)
    return found


def _matched(row: RecordedJudgment, naming: Naming) -> MatchedJudgment:
    groups = tuple((naming.read(group.systems), group.value) for group in row.groups)
    whole = tuple((system, value) for systems, value in groups for system in systems)
    return MatchedJudgment(row, row.about, groups, whole=whole)


def _without(one: MatchedJudgment, lacking: set[str]) -> MatchedJudgment:
    kept = [
        (group, tuple(system for system in systems if system not in lacking), value)
        for group, (systems, value) in zip(one.recorded.groups, one.groups, strict=True)
    ]
    row = one.recorded._replace(groups=tuple(group for group, systems, _ in kept if systems))
    return one._replace(recorded=row, groups=tuple((systems, value) for _, systems, value in kept if systems))


def _ranked_twice(one: MatchedJudgment) -> list[str]:
    named = Counter(system for systems, _ in one.groups for system in systems)
    twice = sorted(system for system, times in named.items() if times > 1)
    return [f"{' '.join(twice)} judged more than once"] if twice else []


def _merged(one: MatchedJudgment, texts: Mapping[str, Hashable]) -> MatchedJudgment:
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
        mismatch=frozenset(systems for (text, _), systems in groups.items() if times[text] > 1),
    )


def _refusal(file: str, reading: MatchedFile, sharing: Sharing) -> list[Problem]:
    """The problems of a reading with which nearly all judgments disagree."""
    mismatches = [
        Problem(
            file,
            one.recorded.line,
            f"sentence {one.recorded.about}: recorded as one output: {' '.join(systems)}; equal in the outputs: "
            f"{' '.join(sorted(sharing(one.position, systems[0])))}",
        )
        for one in reading.mismatches
        for systems, _ in one.groups
        if systems in one.mismatch
    ]
    what = (
        f"groups systems otherwise than the outputs in {len(reading.mismatches)} of {reading.judged_count} judgments, "
        "so these may be other outputs or other sentences; if they are the right ones, choose whether sentences are "
        "numbered from 0 or from 1, and the file is stored as it is"
    )
    return [*shorten(file, reading.problems + mismatches), Problem(file, None, what)]


def _mismatch_notes(file: str, reading: MatchedFile, sharing: Sharing, others: str) -> list[str]:
    """Return a note on how many judgments group systems otherwise, and which systems they show together or apart."""
    pairs: Counter[tuple[str, str, str]] = Counter()
    for one in reading.mismatches:
        found = set()
        for systems in one.mismatch:
            behind = {system: sharing(one.position, system) for system in systems}
            found |= {(a, b, "together") for a, b in combinations(systems, 2) if b not in behind[a]}
            found |= {(min(a, b), max(a, b), "apart") for a in systems for b in behind[a].difference(systems)}
        pairs.update(found)
    if not reading.mismatches:
        return []
    shown = [f"{one} and {other} {how} ({times})" for (one, other, how), times in pairs.most_common(MOST_PAIRS)]
    more = f" and {len(pairs) - MOST_PAIRS} more" if len(pairs) > MOST_PAIRS else ""
    count = f"{len(reading.mismatches)} of {reading.judged_count} judgments"
    what = f"{count} group systems otherwise than {others}, and are kept as they are"
    return [f"{file}: {what}: {', '.join(shown)}{more}"]


def _listed(found: Sequence[object]) -> str:
    more = f" and {len(found) - MOST_LISTED} more" if len(found) > MOST_LISTED else ""
    return ", ".join(map(str, found[:MOST_LISTED])) + more
