"""Columns of counts: by number or by day, and sentences by their number of distinct outputs."""

from collections.abc import Mapping, Sequence
from functools import partial

from judgments.charts.axes import Axis, SlotAxis
from judgments.charts.numbers import number, quantity
from judgments.charts.svg import NO_CHART, SMALL, Chart, Drawing, box, draw_chart, line, width_of, words

TOP, HEIGHT, GAP, LENGTH = 52, 180, 10, 640
WIDEST = 56
# The share of its slot that a column fills, and the least width at which it is visible.
FULL, NARROWEST = 0.8, 1.0


def slot_width(slots: int) -> float:
    return min(WIDEST, LENGTH / slots)


def columns(
    heads: tuple[str, str], counts: Sequence[tuple[int, int, str]], slots: int, marks: Sequence[tuple[int, str]]
) -> Drawing:
    """Draw a column for each count, given as its slot, the count and a tooltip, and marks below slots.

    The heads label the vertical and the horizontal axis, which has ticks if columns have no room for their counts.
    """
    slot, labels = slot_width(slots), [f"{count:,}" for _, count, _ in counts]
    upright = Axis(0.0, max(1, *(count for _, count, _ in counts)), TOP + HEIGHT, TOP)
    have_labels = width_of(labels, SMALL) <= slot
    half_mark = width_of([mark for _, mark in marks], SMALL) / 2
    left = max(half_mark - slot / 2, 0 if have_labels else width_of([f"{upright.high:,.0f}"], SMALL) + GAP)
    across = SlotAxis(left, slot, slots)
    parts = [words(0, SMALL, heads[0], class_="faded", size=SMALL)]
    for value, _ in () if have_labels else upright.ticks(4):
        if value == round(value) > 0:
            parts.append(line(left, upright.at(value), across.end, upright.at(value), "grid"))
            parts.append(words(left - GAP / 2, upright.at(value), number(value, 0), "end", "faded", SMALL))
    parts.append(line(left, upright.start, across.end, upright.start, "zero"))
    width = max(slot * FULL, NARROWEST)
    for (place, count, tip), label in zip(counts, labels, strict=True):
        top = upright.at(count)
        parts.append(box(across.at(place) - width / 2, top, width, upright.start - top, "bar", tip))
        if have_labels:
            parts.append(words(across.at(place), top - GAP, label, "middle", size=SMALL))
    for place, mark in marks:
        parts.append(words(across.at(place), upright.start + 16, mark, "middle", "faded", SMALL))
    parts.append(words(left, upright.start + 40, heads[1], class_="faded", size=SMALL))
    ends = across.end + max(0, half_mark - slot / 2), left + width_of([heads[1]], SMALL), width_of([heads[0]], SMALL)
    return max(ends) + 4, upright.start + 52, parts


DISTINCT_OUTPUTS = "distinct_outputs"
MOST = 200
# The least distance between marks.
ROOM = 26


def distinct_outputs(
    sentences: Mapping[int, int], tables: tuple[str, ...] = (), unit: str = "sentence"
) -> Chart | None:
    """Plot sentences by number of distinct outputs (Figure 1 of Grundkiewicz et al. 2015), if there are any.

    The number limits what judges can distinguish; its mean, its mode, and how many sentences leave nothing to judge
    are in the sentence.
    """
    sentences = {distinct: count for distinct, count in sentences.items() if distinct}
    total = sum(sentences.values())
    if not total:
        return None
    mean = sum(distinct * count for distinct, count in sentences.items()) / total
    often, agreed = max(sentences, key=lambda distinct: sentences[distinct]), sentences.get(1, 0)
    agreement = f"on {agreed:,} ({number(100 * agreed / total, 1)}%) all of them agree"
    text = (
        f"On {quantity(total, unit)} the systems have {number(mean, 1)} distinct outputs on average, most often "
        f"{often} ({quantity(sentences[often], unit)}); {agreement if agreed else 'on none do all of them agree'}."
    )
    title, most = "Distinct outputs", max(sentences)
    if most > MOST:
        text += f" Up to {most} distinct outputs are too many for a picture; the numbers have them all."
        return Chart(DISTINCT_OUTPUTS, title, text, NO_CHART, tables)
    counts = [
        (distinct - 1, count, f"{quantity(distinct, 'distinct output')}: {quantity(count, unit)}")
        for distinct, count in sorted(sentences.items())
    ]
    step = next(step for step in (1, 5, 10, 20, 50) if step * slot_width(most) >= ROOM)
    marks = [(place - 1, str(place)) for place in range(1, most + 1) if place % step == 0]
    draw = partial(columns, (f"{unit.capitalize()}s", f"Distinct outputs of a {unit}"), counts, most, marks)
    return draw_chart(DISTINCT_OUTPUTS, title, text, draw, tables=tables)
