"""Planning assignments: from candidates to screens, batches and assignments, determined by a seed.

A screen is one segment with the candidates shown together. A batch of screens is judged in as many rounds as each
screen needs judgments; a round of a batch is meant for one judge in one sitting.
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, cycle, islice
from typing import NamedTuple

from judgments.assignment.rules.sampling import (
    ADAPTIVE,
    CHANCE,
    DIVERSE,
    PUBLISHED,
    Favour,
    chances_by,
    draw_favoured,
    draws,
    rounds,
    weights,
)

# How a campaign chooses what is shown, as its settings store it.
SAMPLED, COMPLETE = "sampled", "complete"


class Choice(NamedTuple):
    """The distinct candidates of a segment, and how many systems are behind each.

    `diversity` says how much they differ, and `shown` on how many screens they are; known where they decide.
    """

    segment: int
    domain: str
    candidates: tuple[int, ...]
    multiplicities: tuple[int, ...]
    source: int | None = None
    control: int | None = None
    document: int = 0
    diversity: float = 0.0
    shown: int = 0

    @property
    def has_control(self) -> bool:
        """Whether a control can be shown against its source and differs from it."""
        return None not in (self.source, self.control) and self.source != self.control


@dataclass(frozen=True)
class PlanSettings:
    """The settings of a campaign on which a plan depends; `control_share` is a share of the screens, `repeat_share` of
    a batch.

    `sentences_offered` have been considered before, in rounds by the seed, where screens depend on judgments. What
    follows depends on the plan and on the protocol.
    """

    design: str
    screen_size: int
    redundancy: int
    batch_size: int
    repeat_share: float = 0.0
    control_share: float = 0.0
    one_domain_a_day: bool = False
    document_mode: bool = False
    automatic_ties: bool = False
    sampling: str = PUBLISHED
    seed: int = 0
    sentences_offered: int = 0
    screens: int | None = None
    allows_single: bool = False
    in_order: bool = False

    @property
    def is_adaptive(self) -> bool:
        return self.design == SAMPLED and self.sampling in ADAPTIVE

    def fresh_per_batch(self) -> int:
        """The number of a batch's places that are not repeats: at least one, and at least half."""
        repeats = min(round(self.batch_size * self.repeat_share), self.batch_size // 2)
        return self.batch_size - repeats


class PlannedScreen(NamedTuple):
    """A segment with the candidates shown together, or a usage in it; an automatic one is a tie that nobody sees.

    `weight` is how much its judgments count: the probability of this segment with these candidates if all segments, and
    all sets of so many candidates, were drawn alike, over the probability with which it was drawn; None if unknown.
    """

    segment: int
    domain: str
    candidates: tuple[int, ...]
    has_control: bool = False
    automatic: bool = False
    usage: int | None = None
    document: int = 0
    weight: float | None = None


class PlannedAssignment(NamedTuple):
    """One screen for one judge: its round, its position, the order of candidates, and the position it repeats."""

    screen: int
    round: int
    position: int
    order: tuple[int, ...]
    repeats: int | None = None


@dataclass(frozen=True)
class PlannedBatch:
    """A run of screens meant for one sitting, and their assignments, round by round."""

    domain: str
    screens: list[PlannedScreen]
    assignments: list[PlannedAssignment]


def expected_assignments(choices: Sequence[Choice], settings: PlanSettings) -> int:
    """The approximate number of assignments of a plan, before it is drawn.

    Toy: 100 screens for two judges, and 2 of 20 places shown again: 100 x 2 x 20 / 18 = 222 assignments.
    """
    if settings.design == SAMPLED:
        screens = _screens_to_sample(choices, settings)
    else:
        screens = sum(-(-len(choice.candidates) // settings.screen_size) for choice in choices)
    return screens * settings.redundancy * settings.batch_size // settings.fresh_per_batch()


def choose_screens(choices: Sequence[Choice], settings: PlanSettings, rng: random.Random) -> list[PlannedScreen]:
    """The screens of a plan, including automatic ties, in the order drawn."""
    if settings.is_adaptive:
        return choose_next(choices, settings, None, rng)[0]
    return (_sample if settings.design == SAMPLED else _cover)(choices, settings, rng)


def choose_next(
    choices: Sequence[Choice], settings: PlanSettings, favour: Favour | None, rng: random.Random
) -> tuple[list[PlannedScreen], int]:
    """The next screens of a plan that depends on judgments, and how many sentences were considered for them.

    They go on in the rounds through all sentences with different outputs; without anything to favour, all alike.
    """
    able = [place for place, choice in enumerate(choices) if len(choice.candidates) > 1]
    wanted, screens, offered = _screens_to_sample(choices, settings), [], 0
    if able and wanted:
        order = islice(rounds(able, random.Random(f"{settings.seed}:rounds")), settings.sentences_offered, None)
        candidates = [choice.candidates for choice in choices]
        for drawn in draw_favoured(order, candidates, settings.screen_size, favour, rng):
            offered += 1
            if drawn:
                place, shown, weight = drawn
                screens.append(PlannedScreen(choices[place].segment, choices[place].domain, shown, weight=weight))
            if len(screens) == wanted:
                break
    return _with_controls(screens, choices, settings, rng), offered


def _screens_to_sample(choices: Sequence[Choice], settings: PlanSettings) -> int:
    """By default one for each sentence with different outputs."""
    return sum(len(choice.candidates) > 1 for choice in choices) if settings.screens is None else settings.screens


def plan_batches(
    screens: Sequence[PlannedScreen], settings: PlanSettings, rng: random.Random
) -> Iterator[PlannedBatch]:
    """Shuffle the screens that judges see into batches, with one domain each if requested, and plan every round."""
    shown = [screen for screen in screens if not screen.automatic]
    runs = runs_of([screen.document for screen in shown], settings)
    rng.shuffle(runs)
    piles: dict[str, list[list[int]]] = defaultdict(list)
    for run in runs:
        piles[shown[run[0]].domain if settings.one_domain_a_day else ""].append(run)
    size = settings.fresh_per_batch()
    batches = [(domain, batch) for domain, pile in piles.items() for batch in fill_batches(pile, size)]
    rng.shuffle(batches)
    for domain, batch in batches:
        yield planned_batch(domain, [shown[place] for place in batch], settings, rng)


def runs_of(documents: Sequence[int], settings: PlanSettings) -> list[list[int]]:
    """The places of screens that stay together, given the document of each: a document's in order, or each alone."""
    runs: dict[int, list[int]] = defaultdict(list)
    for place, document in enumerate(documents):
        runs[document if settings.document_mode else place].append(place)
    return list(runs.values())


def fill_batches(runs: Sequence[list[int]], size: int) -> Iterator[list[int]]:
    """Join whole runs into batches of at most `size` places; a longer run gets a batch of its own."""
    batch: list[int] = []
    for run in runs:
        if batch and len(batch) + len(run) > size:
            yield batch
            batch = []
        batch += run
    if batch:
        yield batch


def planned_batch(
    domain: str, screens: list[PlannedScreen], settings: PlanSettings, rng: random.Random
) -> PlannedBatch:
    rounds = (_assignment_round(screens, number, settings, rng) for number in range(settings.redundancy))
    return PlannedBatch(domain, screens, list(chain.from_iterable(rounds)))


def _sample(choices: Sequence[Choice], settings: PlanSettings, rng: random.Random) -> list[PlannedScreen]:
    """Choose sentences until there are enough screens to show."""
    if not any(len(choice.candidates) > 1 for choice in choices):
        return []
    screens: list[PlannedScreen] = []
    wanted = _screens_to_sample(choices, settings)
    places, weight_of = _places(choices, settings, rng)
    for place in places:
        if wanted <= 0:
            break
        choice, weight = choices[place], weight_of[place]
        if len(choice.candidates) > 1:
            wanted -= 1
            shown = rng.sample(choice.candidates, min(settings.screen_size, len(choice.candidates)))
            screens.append(PlannedScreen(choice.segment, choice.domain, tuple(shown), weight=weight))
        else:
            screens.append(_automatic(choice, weight))
    return _with_controls(screens, choices, settings, rng)


def _places(
    choices: Sequence[Choice], settings: PlanSettings, rng: random.Random
) -> tuple[Iterator[int], Sequence[float | None]]:
    """Sentences as they are chosen, endlessly, and the weights of all.

    Sentences with one distinct output stay in the distribution if they count as ties, as published; otherwise they are
    left out of it.
    """
    differing = [place for place, choice in enumerate(choices) if len(choice.candidates) > 1]
    if settings.sampling == DIVERSE:
        best_first = sorted(differing, key=lambda place: (choices[place].shown, -choices[place].diversity))
        return cycle(best_first), [None] * len(choices)
    unscaled = chances_by(settings.sampling, [choice.multiplicities for choice in choices], settings.screen_size)
    if not settings.automatic_ties:
        kept = set(differing)
        unscaled = [chance if place in kept else 0.0 for place, chance in enumerate(unscaled)]
    if settings.sampling == CHANCE:
        return rounds([place for place, chance in enumerate(unscaled) if chance], rng), weights(unscaled)
    return draws(unscaled, rng), weights(unscaled)


def _with_controls(
    screens: list[PlannedScreen], choices: Sequence[Choice], settings: PlanSettings, rng: random.Random
) -> list[PlannedScreen]:
    """Show the control and its source in two of the places on a share of the screens.

    The number of candidates stays: with few systems a judge would recognise controls by more versions than there are
    systems. A screen of two shows only the pair.
    """
    by_segment = {choice.segment: choice for choice in choices}
    able = [n for n, screen in enumerate(screens) if not screen.automatic and by_segment[screen.segment].has_control]
    for number in rng.sample(able, _share(settings.control_share, len(screens), len(able))):
        choice = by_segment[screens[number].segment]
        pair = _pair(choice)
        drawn = screens[number].candidates
        others = [candidate for candidate in drawn if candidate not in pair]
        shown = (*pair, *others[: max(0, len(drawn) - len(pair))])
        screens[number] = screens[number]._replace(candidates=shown, has_control=True)
    return screens


def _cover(choices: Sequence[Choice], settings: PlanSettings, rng: random.Random) -> list[PlannedScreen]:
    """Put every candidate of every sentence on one screen; add control and source on a share of the screens."""
    judged = [
        choice for choice in choices if choice.candidates and (settings.allows_single or len(choice.candidates) > 1)
    ]
    able = [choice.segment for choice in judged if choice.has_control]
    controlled = set(rng.sample(able, _share(settings.control_share, len(judged), len(able))))
    screens = []
    for choice in judged:
        pair = _pair(choice) if choice.segment in controlled else ()
        for number, group in enumerate(_split(choice, pair, settings, rng)):
            has_control = bool(pair) and number == 0
            screens.append(PlannedScreen(choice.segment, choice.domain, group, has_control, document=choice.document))
    if settings.automatic_ties and not settings.allows_single:
        screens += [_automatic(choice) for choice in choices if len(choice.candidates) == 1]
    return screens


def _split(
    choice: Choice, pair: tuple[int, ...], settings: PlanSettings, rng: random.Random
) -> Iterator[tuple[int, ...]]:
    """Groups of at most a screen's size, as equal as possible; the pair stays together in the first.

    If a candidate is left alone and cannot be judged alone, another one is shown again with it.
    """
    others = [candidate for candidate in choice.candidates if candidate not in pair]
    rng.shuffle(others)
    if len(pair) > settings.screen_size:
        yield pair
        pair = ()
    everyone = [*pair, *others]
    if not everyone:
        return
    groups = -(-len(everyone) // settings.screen_size)
    small, larger = divmod(len(everyone), groups)
    rest = iter(everyone)
    for number in range(groups):
        group = tuple(islice(rest, small + (number < larger)))
        if len(group) == 1 and not settings.allows_single:
            group += (rng.choice([candidate for candidate in everyone if candidate not in group]),)
        yield group


def _assignment_round(
    batch: list[PlannedScreen], number: int, settings: PlanSettings, rng: random.Random
) -> Iterator[PlannedAssignment]:
    """One round of a batch: its screens in a new order, some of them repeated at least half a round later.

    If documents stay together, only their order is new, and the repeats come last.
    """
    runs = runs_of([screen.document for screen in batch], settings)
    fresh = list(chain.from_iterable(runs if settings.in_order else rng.sample(runs, len(runs))))
    # The positions that repeat earlier ones, with the positions that they repeat.
    repeats: dict[int, int] = {}
    wanted = min(settings.batch_size - settings.fresh_per_batch(), len(fresh) // 2)
    length = len(fresh) + wanted
    gap = length // 2
    chosen = set(range(len(fresh), length) if settings.document_mode else rng.sample(range(gap, length), wanted))
    for position in sorted(chosen):
        free = [place for place in range(position - gap + 1) if place not in chosen and place not in repeats.values()]
        repeats[position] = rng.choice(free)
    assigned: list[int] = []
    for position in range(length):
        original = repeats.get(position)
        screen = fresh.pop(0) if original is None else assigned[original]
        assigned.append(screen)
        candidates = len(batch[screen].candidates)
        yield PlannedAssignment(screen, number, position, tuple(rng.sample(range(candidates), candidates)), original)


def _pair(choice: Choice) -> tuple[int, ...]:
    return tuple(candidate for candidate in (choice.control, choice.source) if candidate is not None)


def _automatic(choice: Choice, weight: float | None = None) -> PlannedScreen:
    return PlannedScreen(choice.segment, choice.domain, choice.candidates, automatic=True, weight=weight)


def _share(share: float, of: int, most: int) -> int:
    return min(round(share * of), most)


class ScreenSubject(NamedTuple):
    """The subject of a screen: a segment, or a usage in it; the right answer of a control is known."""

    segment: int
    domain: str
    usage: int | None = None
    is_control: bool = False
    document: int = 0


def expected_assignments_without_comparisons(subjects: Sequence[ScreenSubject], settings: PlanSettings) -> int:
    """The number of assignments of a plan, except for rounding in the last batch.

    Toy: 90 usages and 2 controls for 20 judges, batches of 20 of which a tenth are controls: 100 x 20 = 2000
    assignments.
    """
    plain, controls = _split_controls(subjects)
    screens = len(plain) if settings.screens is None else min(settings.screens, len(plain))
    of_batch = _plain_per_batch(settings, len(controls))
    return screens * settings.redundancy * settings.batch_size // of_batch


def plan_subjects(
    subjects: Sequence[ScreenSubject], settings: PlanSettings, rng: random.Random
) -> Iterator[PlannedBatch]:
    """Batches of all subjects, or of as many as requested, with a share of controls in each; nothing is compared.

    Usages are shuffled into batches, mixed with controls, whose right answer is known and which judges cannot tell from
    the others. There are few controls, so they are repeated in other batches, each as rarely as possible. Sentences
    keep their order, so that judges who correct a text read it from its beginning.
    """
    plain, controls = _split_controls(subjects)
    if settings.design == SAMPLED and settings.screens is not None and settings.screens < len(plain):
        plain = [plain[place] for place in sorted(rng.sample(range(len(plain)), settings.screens))]
    if not settings.in_order:
        rng.shuffle(plain)
    size = _plain_per_batch(settings, len(controls))
    again = cycle(rng.sample(controls, len(controls)))
    for places in fill_batches(runs_of([subject.document for subject in plain], settings), size):
        mixed_in = list(islice(again, min(settings.fresh_per_batch() - size, len(controls))))
        batch = [
            PlannedScreen(segment, domain, (), has_control=is_control, usage=usage, document=document)
            for segment, domain, usage, is_control, document in [*(plain[place] for place in places), *mixed_in]
        ]
        if not settings.in_order:  # the numbers of screens must not reveal controls
            rng.shuffle(batch)
        yield planned_batch("", batch, settings, rng)


def _split_controls(subjects: Sequence[ScreenSubject]) -> tuple[list[ScreenSubject], list[ScreenSubject]]:
    """The subjects to judge, and the controls."""
    return [one for one in subjects if not one.is_control], [one for one in subjects if one.is_control]


def _plain_per_batch(settings: PlanSettings, controls: int) -> int:
    """The number of a batch's places that are neither repeats nor controls; at least one."""
    fresh = settings.fresh_per_batch()
    return max(1, fresh - min(round(settings.batch_size * settings.control_share), controls))
