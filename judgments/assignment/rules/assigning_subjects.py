"""Planning assignments without comparisons: every screen is about one usage, or one sentence.

Usages are shuffled into batches, mixed with controls, whose right answer is known and which judges cannot tell from the
others. There are few controls, so they are repeated in other batches, each as rarely as possible. Sentences keep their
order, so that judges who correct a text read it from its beginning.
"""

import random
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from typing import NamedTuple

from judgments.assignment.rules.assigning import (
    SAMPLED,
    PlannedBatch,
    PlannedScreen,
    PlanSettings,
    fill_batches,
    planned_batch,
    runs_of,
)


class ScreenSubject(NamedTuple):
    """The subject of a screen: a segment, or a usage in it; the right answer of a control is known."""

    segment: int
    domain: str
    usage: int | None = None
    is_control: bool = False
    document: int = 0


def expected_assignments(subjects: Sequence[ScreenSubject], settings: PlanSettings) -> int:
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
    """Batches of all subjects, or of as many as requested, with a share of controls in each."""
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
