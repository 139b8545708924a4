"""Accuracy of rankings on judgments they have not seen, with baselines."""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.safestring import SafeString

from judgments.web.charts.drawing import SMALL, Chart, dot, line, width_of, words
from judgments.web.charts.numbers import number
from judgments.web.charts.scale import Scale
from ranking.charts.drawing.sheets import BOTTOM, ROW, Sheet, axis, lines_of, plotted
from ranking.numbers.tables import Table
from ranking.stats.rankings.methods import METHODS

NAME, TITLE = "accuracy", "Accuracy on unseen judgments"
TOP, GAP, AXIS, FIGURES = 28, 12, 150, 52
PANELS = {"total": "Decisive, by order", "clustered": "All, by clusters"}


def accuracy(tables: Mapping[str, Table]) -> list[Chart]:
    lines = lines_of(tables, NAME)
    return plotted(NAME, TITLE, sentence(lines), lambda: _sheet(lines)) if lines else []


def _sheet(lines: Sequence[dict]) -> Sheet:
    labels = [_label(one) for one in lines]
    start = width_of(labels) + GAP
    bottom = TOP + ROW * len(lines)
    parts = [words(start - GAP, TOP + ROW * (place + 0.5), label, "end", "name") for place, label in enumerate(labels)]
    for place, (column, head) in enumerate(PANELS.items()):
        left = start + place * (AXIS + FIGURES + GAP)
        scale = Scale(0.0, 1.0, left, left + AXIS)
        parts.append(words(left, TOP / 2, head, class_="faded", size=SMALL))
        parts += axis(scale, 2, TOP, bottom)
        for row, one in enumerate(lines):
            parts += _mark(one, column, scale, TOP + ROW * (row + 0.5))
    return start + 2 * (AXIS + FIGURES) + GAP, bottom + BOTTOM, parts


def _mark(one: dict, column: str, scale: Scale, y: float) -> Iterator[SafeString]:
    if one[column] is None:
        return
    yield line(scale.start, y, scale.at(one[column]), y, "lead")
    yield dot(scale.at(one[column]), y, "point" if one["method"] in METHODS else "point hollow")
    yield words(scale.end + GAP, y, number(one[column], 3))


def _label(one: dict) -> str:
    return METHODS[one["method"]].label if one["method"] in METHODS else str(one["method"])


def sentence(lines: Sequence[dict]) -> str:
    sentences = [
        _compared(lines, "total", "Of decisive comparisons"),
        _compared(lines, "clustered", "Of all comparisons, ties among them,"),
    ]
    return " ".join(filter(None, sentences)) or "No accuracy is known."


def _compared(lines: Sequence[dict], column: str, of_what: str) -> str:
    known = [one for one in lines if one[column] is not None]
    methods = [one for one in known if one["method"] in METHODS]
    if not methods:
        return ""
    best = max(methods, key=lambda one: one[column])
    others = ", ".join(f"{_label(one)} {number(one[column], 3)}" for one in known if one["method"] not in METHODS)
    text = f"{of_what} {_label(best)} predicts {number(best[column], 3)}"
    return f"{text} ({others})." if others else f"{text}."
