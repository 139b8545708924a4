"""Matching recorded rankings and ratings with the lines and systems of a campaign.

Published files number sentences from 0 or from 1. Neither is assumed: the systems that a file records as one output
have equal texts under the right number, or nearly always. Judgments that group systems otherwise, because their file
collapsed outputs in another way, are kept as they are and counted in a note.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from uuid import UUID

from judgments.exchange.importers.rules.matching.grouping import Matched, Outputs, Together, listed, note, otherwise
from judgments.exchange.importers.rules.matching.naming import Naming, likely_naming, possible_namings
from judgments.exchange.importers.rules.matching.reading import Reading, ranked_twice, read, read_from
from judgments.exchange.importers.rules.recorded import WHAT_FITS, Recorded, keys_of
from judgments.rules.files.names import fault_of_name
from judgments.rules.files.problems import Problem, Problems, refuse, shorten

BASES = (0, 1)
AMBIGUOUS = "sentences could be numbered from 0 or from 1"
# If more of a file with collapsed systems disagrees with the outputs, it belongs to others. Of the published rankings
# of Grundkiewicz et al. (2015), 98 % disagree when moved by a line, and 20 % with outputs that were collapsed
# regardless of case, punctuation and spaces.
MOST_OTHERWISE = 0.75


@dataclass(frozen=True)
class Reconciled:
    """The matched judgments of a file, and notes on how it was read."""

    judgments: list[Matched]
    notes: list[str] = field(default_factory=list)


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
    numbered = partial(read_from, file, recorded, naming, outputs)
    readings = sorted((numbered(base, fewest) for base in bases), key=lambda one: one.doubts)
    best = readings[0]
    is_settled = numbered_from is not None or not best.ranked
    if not is_settled and naming.separator != "none" and len(best.regrouped) > MOST_OTHERWISE * best.ranked:
        raise Problems(_refusal(file, best))
    refuse([*shorten(file, best.problems), *_offer(file, best, numbered(best.base, 1) if best.problems else best)])
    if not is_settled and readings[1].is_as_likely_as(best):
        raise Problems([Problem(file, None, f"{AMBIGUOUS}, because the outputs agree with both; choose one")])
    notes = [f"{file}: sentences are numbered from {best.base}"]
    if left_out := best.left_out():
        notes.append(f"{file}: {len(best.judgments)} of {len(recorded)} judgments fit; left out: {left_out}")
    return Reconciled(best.judgments, [*notes, *note(file, best.regrouped, best.ranked, "their outputs")])


def _offer(file: str, best: Reading, fitting: Reading) -> Iterable[Problem]:
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
    matched = [read(row, naming, numbered_from or 0) for row in recorded]
    refuse(shorten(file, [Problem(file, one.recorded.line, fault) for one in matched for fault in ranked_twice(one)]))
    together = {
        (position, system): frozenset(other for other, same in texts.items() if same == text)
        for position, texts in known.items()
        for system, text in texts.items()
    }
    judgments, regrouped = [], []
    for one in matched:
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
    return Reconciled(judgments, notes + note(file, regrouped, ranked, "the first judgment of the sentence"))


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
    shared, lacking = known.intersection(best.systems()), listed([one for one in best.systems() if one not in known])
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


def _looking_up(together: Mapping[tuple[int, str], frozenset[str]], position: int) -> Together:
    return lambda system: together.get((position, system), frozenset({system}))


def _refusal(file: str, reading: Reading) -> list[Problem]:
    """The problems of a reading with which nearly all judgments disagree."""
    regrouped = [
        Problem(file, one.recorded.line, f"sentence {one.recorded.segment}: {otherwise(systems, together)}")
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
