"""Matrices of squares with a colour, a number and a tooltip: nine steps from orange through blank to blue.

The colours are distinct to the colour-blind, and pale (dark in dark mode), so that text in a square is always readable.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from django.utils.safestring import SafeString

from judgments.charts.svg import SMALL, TEXT, Drawing, box, link_to, short_name, tag, width_of, words

STEPS = 4
KAPPA_STEP = 0.2
# The largest p-value of each step; the other side has the same steps for 1 - p.
P_STEPS = ((0.001, 4), (0.01, 3), (0.05, 2), (0.1, 1))
GAP = 10
# With more names squares are too small for numbers.
MOST_WITH_NUMBERS = 16
# The width of slanted text as a share of its length.
SLANTED = 0.71
KEY = 22


def step_around_half(share: float) -> str:
    """Return the class of a share; one half is blank."""
    return _class(round((share - 0.5) * 2 * STEPS))


def step_of_kappa(kappa: float) -> str:
    """Return the class of a kappa: the usual five steps, and one for less than chance."""
    shown = round(kappa, 2)  # so that a kappa printed as .00 gets the class of .00
    return _class(min(STEPS, int(shown / KAPPA_STEP + 1e-9)) if shown >= 0 else -2)


def step_of_p_value(p_value: float) -> str:
    """Return the class of a one-sided p-value: blue if it is small, orange if 1 - p is."""
    step = next((step for bound, step in P_STEPS if min(p_value, 1 - p_value) <= bound), 0)
    return _class(step if p_value <= 0.5 else -step)


def _class(step: int) -> str:
    return f"cell {'more' if step > 0 else 'less'}{abs(step)}" if step else "cell even"


class MatrixCell(NamedTuple):
    """A square: its class and tooltip, a text, a second line, and where it leads."""

    class_: str = "cell void"
    tip: str = ""
    text: str = ""
    below: str = ""
    address: str = ""


def square_matrix(
    names: Sequence[str], head: str, key: tuple[str, str], cell_of: Callable[[str, str, bool], MatrixCell | None]
) -> Drawing:
    """Draw names against each other; `head` states the relation of row to column, `key` both ends of the colours.

    A cell is made for a row and a column, with its number if there is room; if not, a key explains the colours.
    """
    with_numbers = len(names) <= MOST_WITH_NUMBERS
    (width, height), size = ((50, 32), TEXT) if with_numbers else ((20, 20), SMALL)
    short = [short_name(name) for name in names]
    left = max(width_of(short), width_of([head], SMALL)) + GAP
    slanted = width_of(short) * SLANTED
    top = slanted + TEXT + GAP
    bottom = top + height * len(short)
    parts = [words(left - GAP, top - GAP, head, "end", "faded", SMALL)]
    for place, name in enumerate(short):
        parts.append(words(left - GAP, top + (place + 0.5) * height, name, "end", "name", size))
        parts.append(_column_name(name, left + (place + 0.5) * width, top - GAP / 2, size))
    for row, one in enumerate(names):
        for column, other in enumerate(names):
            if cell := cell_of(one, other, with_numbers):
                parts += _draw_cell(cell, left + column * width, top + row * height, width, height, size)
    if not with_numbers:
        y = bottom + GAP
        parts += [box(left + place * KEY, y, KEY - 2, 12, step_around_half(place / 8)) for place in range(9)]
        parts.append(words(left, y + 26, key[0], class_="faded", size=SMALL))
        parts.append(words(left + 9 * KEY - 2, y + 26, key[1], "end", "faded", SMALL))
    right = left + width * len(short) + max(slanted - width / 2, 0) + GAP
    return right, bottom + 2 + (0 if with_numbers else GAP + 44), parts


def oblong_matrix(rows: Sequence[str], columns: Sequence[str], cells: Mapping[tuple[str, str], MatrixCell]) -> Drawing:
    """Draw rows against columns, with an empty square where there is no cell."""
    width, height = 60, 40
    names = [short_name(name) for name in columns]
    left, slanted = width_of([short_name(name) for name in rows]) + GAP, width_of(names) * SLANTED
    top = slanted + TEXT + GAP
    parts = [_column_name(name, left + (place + 0.5) * width, top - GAP / 2) for place, name in enumerate(names)]
    for place, row in enumerate(rows):
        y = top + place * height
        parts.append(words(left - GAP, y + height / 2, short_name(row), "end", "name"))
        for number, column in enumerate(columns):
            parts += _draw_cell(cells.get((row, column), MatrixCell()), left + number * width, y, width, height)
    return left + width * len(columns) + max(slanted - width / 2, 0) + GAP, top + height * len(rows) + 2, parts


def triangle(
    names: Sequence[str], heads: tuple[str, str], width: float, height: float,
    cells: Mapping[tuple[str, str], MatrixCell],
) -> Drawing:  # fmt: skip
    """Draw each name against those before it and itself, and at the left, under a head of its own, against "".

    A cell may name two in either order; squares without one are empty. Names stand at the right, beside the diagonal.
    """
    top, left = 28, width + 20
    short = [short_name(name) for name in names]
    right = max(left + width * (place + 1) + GAP + width_of([name]) for place, name in enumerate(short))
    parts = [words(x, top / 2, head, class_="faded", size=SMALL) for x, head in zip((0, left), heads, strict=True)]
    for row, name in enumerate(names):
        y = top + row * height
        places = [(0.0, ""), *((left + column * width, other) for column, other in enumerate(names[: row + 1]))]
        for x, other in places:
            cell = cells.get((name, other)) or cells.get((other, name)) or MatrixCell()
            parts += _draw_cell(cell, x, y, width, height)
        parts.append(words(left + width * (row + 1) + GAP, y + height / 2, short[row], class_="name"))
    right = max(right, left + width_of([heads[1]], SMALL))  # the head may be wider than the squares
    return right + 4, top + height * len(names) + 2, parts


def _column_name(name: str, x: float, y: float, size: int = TEXT) -> SafeString:
    turned = f"rotate(-45 {x:.1f} {y:.1f})"
    return tag("text", name, x=x, y=y, font_size=size, class_="name column", transform=turned)


def _draw_cell(cell: MatrixCell, x: float, y: float, width: float, height: float, size: int = TEXT) -> list[SafeString]:
    parts, middle = [box(x + 1, y + 1, width - 2, height - 2, cell.class_, cell.tip)], x + width / 2
    if cell.text:
        parts.append(words(middle, y + height / 2 - (8 if cell.below else 0), cell.text, "middle", size=size))
    if cell.below:
        parts.append(words(middle, y + height / 2 + 10, cell.below, "middle", size=SMALL))
    return [link_to(cell.address, part) for part in parts] if cell.address else parts
