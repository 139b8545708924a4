"""Bar charts of counts, by number or by day."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.utils.safestring import SafeString

from judgments.web.charts.drawing import SMALL, box, frame, line, width_of, words
from judgments.web.charts.numbers import number
from judgments.web.charts.scale import Scale

TOP, HEIGHT, GAP, AXIS = 52, 180, 10, 640
WIDEST = 56
# The share of its slot that a bar fills, and the least width at which it is visible.
FULL, NARROWEST = 0.8, 1.0


class Bar(NamedTuple):
    """A bar of this height in a slot, counted from the left, with a tooltip."""

    slot: int
    number: int
    tip: str


class Mark(NamedTuple):
    """A label under a slot."""

    slot: int
    label: str


def slot_width(slots: int) -> float:
    return min(WIDEST, AXIS / slots)


def columns(
    plot: tuple[str, str, str], heads: tuple[str, str], bars: Sequence[Bar], slots: int, marks: Sequence[Mark]
) -> SafeString:
    """Draw the chart; the heads label the vertical and the horizontal axis."""
    slot, counts = slot_width(slots), [f"{bar.number:,}" for bar in bars]
    upright = Scale(0.0, max(1, *(bar.number for bar in bars)), TOP + HEIGHT, TOP)
    have_labels = width_of(counts, SMALL) <= slot
    half_mark = width_of([mark.label for mark in marks], SMALL) / 2
    left = max(half_mark - slot / 2, 0 if have_labels else width_of([f"{upright.high:,.0f}"], SMALL) + GAP)
    right = left + slot * slots
    parts = [words(0, SMALL, heads[0], class_="faded", size=SMALL)]
    for value, _ in () if have_labels else upright.ticks(4):
        if value == round(value) > 0:
            parts.append(line(left, upright.at(value), right, upright.at(value), "grid"))
            parts.append(words(left - GAP / 2, upright.at(value), number(value, 0), "end", "faded", SMALL))
    parts.append(line(left, upright.start, right, upright.start, "zero"))
    for bar, count in zip(bars, counts, strict=True):
        parts += _bar(bar, count if have_labels else "", left, slot, upright)
    for mark in marks:
        parts.append(words(left + slot * (mark.slot + 0.5), upright.start + 16, mark.label, "middle", "faded", SMALL))
    parts.append(words(left, upright.start + 40, heads[1], class_="faded", size=SMALL))
    width = max(right + max(0, half_mark - slot / 2), left + width_of([heads[1]], SMALL), width_of([heads[0]], SMALL))
    return frame(*plot, width + 4, upright.start + 52, parts)


def _bar(bar: Bar, label: str, left: float, slot: float, upright: Scale) -> Iterator[SafeString]:
    width, top = max(slot * FULL, NARROWEST), upright.at(bar.number)
    middle = left + slot * (bar.slot + 0.5)
    yield box(middle - width / 2, top, width, upright.start - top, "bar", bar.tip)
    if label:
        yield words(middle, top - GAP, label, "middle", size=SMALL)
