"""People and systems by the number of judges in the gold standard, and categories of edits.

F is that of Bryant and Ng 2015, Figures 1 and 3; people by category are their Figure 2.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from judgments.charts.numbers import number, quantity, span, text_list
from judgments.charts.panels import SlotCurve, slot_panels
from judgments.charts.rows import IntervalPoint, IntervalRow, interval_rows
from judgments.charts.svg import Chart, Drawing, draw_chart
from ranking.charts.lines import group_by, lines_of
from ranking.numbers.tables import Table
from ranking.stats.corrections.judges import EVERYBODY
from ranking.stats.corrections.people import PEOPLE, SYSTEM

FOOT = "judges as the gold standard"
MOST, MOST_ROWS, MOST_CURVES = 12, 60, 10


def combinations(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw F and ratios, if judges could be compared."""
    lines = lines_of(tables, "combinations", "gold", "f")
    if not lines:
        return []
    text, title = _combinations_sentence(lines), "People and systems against people"
    charts = [
        draw_chart("combinations", title, text, partial(_draw_curves, {"F": "f"}, lines), _too_many_curves(lines))
    ]
    ratios = [line for line in lines if line["ratio"] is not None]
    if ratios:
        most, text = max(line["gold"] for line in ratios), "The ratios of systems to people are not known."
        if best := _best_system(ratios, most, "ratio"):
            text = (
                f"Against {quantity(most, 'judge')} {best['who']} comes nearest to people, with "
                f"{number(best['ratio'])}{span(best['ratio_low'], best['ratio_high'])} of their F. At 1 a system "
                "agrees with people as well as they do with one another."
            )
        draw = partial(_draw_curves, {"Ratio": "ratio"}, ratios)
        title = "Systems as a share of people"
        charts.append(draw_chart("ratios_to_people", title, text, draw, _too_many_curves(ratios), ()))
    return charts


def document_subsets(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw all documents next to the first ones, if the report has this section."""
    lines = lines_of(tables, "document_subsets", "gold", "f")
    if not lines:
        return []
    most, documents = max(line["gold"] for line in lines), lines[0]["documents"]
    systems = [line for line in lines if line["kind"] == SYSTEM and line["gold"] == most and line["f_all"] is not None]
    from_all, from_first = (
        [str(line["who"]) for line in sorted(systems, key=lambda line: -line[column])] for column in ("f_all", "f")
    )
    text = f"Intervals are of other choices of {quantity(documents, 'document')}."
    if len(systems) >= 2:
        same = "are in the same order as" if from_all == from_first else "are in another order than"
        text = f"From the first documents alone the systems {same} from all of them. {text}"
    draw = partial(_draw_curves, {"All documents": "f_all", f"The first {documents}": "f"}, lines)
    return [draw_chart("document_subsets", "From fewer documents", text, draw, _too_many_curves(lines))]


def _combinations_sentence(lines: Sequence[dict]) -> str:
    people = [line for line in lines if line["kind"] == PEOPLE]
    if not people:
        return "Scores of people against one another are not known."
    first, last = people[0], people[-1]
    text = f"People reach F {number(first['f'])} against {quantity(first['gold'], 'other judge')}"
    if last is not first:
        text += f" and {number(last['f'])}{span(last['f_low'], last['f_high'])} against {last['gold']}"
    if best := _best_system(lines, last["gold"], "f"):
        text += f"; the best system there, {best['who']}, reaches {number(best['f'])}"
        text += span(best["f_low"], best["f_high"])
    return f"{text}."


def _best_system(lines: Sequence[dict], gold: int, column: str) -> dict | None:
    there = [line for line in lines if line["kind"] == SYSTEM and line["gold"] == gold and line[column] is not None]
    return max(there, key=lambda line: line[column], default=None)


def _too_many_curves(lines: Sequence[dict]) -> str | bool:
    many = len({(line["kind"], line["who"]) for line in lines})
    return many > MOST and f"With {quantity(many, 'curve')} there is no chart"


def _draw_curves(columns: Mapping[str, str], lines: Sequence[dict]) -> Drawing:
    """Draw a panel for each column, with a curve for people and for each system."""
    whose: dict[tuple[str, str], list[dict]] = {}
    for line in lines:
        whose.setdefault((str(line["kind"]), str(line["who"])), []).append(line)
    golds = _golds(lines)
    panels = {
        title: [SlotCurve(name, _points(own, column, golds)) for (_, name), own in whose.items()]
        for title, column in columns.items()
    }
    return slot_panels(panels, list(map(str, golds)), FOOT)


def _golds(lines: Iterable[dict]) -> list[int]:
    return sorted({line["gold"] for line in lines})


def _points(lines: Iterable[dict], column: str, golds: Sequence[int]) -> dict[int, IntervalPoint]:
    return {
        golds.index(line["gold"]): IntervalPoint(line[column], line.get(f"{column}_low"), line.get(f"{column}_high"))
        for line in lines
        if line[column] is not None
    }


def edits_by_category(tables: Mapping[str, Table]) -> list[Chart]:
    lines = lines_of(tables, "edits_by_category", "share")
    overall = [line for line in lines if line["judge"] == EVERYBODY]
    if not overall:
        return []
    most_frequent = text_list([f"{line['category'] or 'none'} ({number(line['share'])})" for line in overall[:3]])
    text = f"Most frequent, by share: {most_frequent}. A line goes from the smallest share of a judge to the largest."
    too_large = len(overall) > MOST_ROWS and f"With {len(overall)} categories there is no chart"
    of_judges = group_by("category", (line for line in lines if line["judge"] != EVERYBODY))
    rows = []
    for line in overall:
        shares = [one["share"] for one in of_judges.get(str(line["category"]), [])]
        point = IntervalPoint(line["share"], min(shares, default=None), max(shares, default=None))
        rows.append(IntervalRow(str(line["category"]) or "none", "", (point,)))
    draw = partial(interval_rows, ("share of all edits",), rows, max(line["share"] for line in overall))
    return [draw_chart("edits_by_category", "Edits by category", text, draw, too_large)]


def category_agreement(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw F of people by category, for the most frequent categories with enough edits."""
    lines = lines_of(tables, "category_agreement", "gold", "f")
    if not lines:
        return []
    by_category, most = group_by("category", lines), max(line["gold"] for line in lines)
    there = sorted((line for line in lines if line["gold"] == most), key=lambda line: -line["f"])
    best, worst = there[0], there[-1]
    text = f"Against {quantity(most, 'other judge')} people agree most in {best['category']} (F {number(best['f'])})"
    text += "." if worst is best else f" and least in {worst['category']} ({number(worst['f'])})."
    if len(by_category) > MOST_CURVES:
        text += f" The chart shows the {MOST_CURVES} most frequent of {len(by_category)} categories."
    golds = _golds(lines)
    curves = [SlotCurve(name, _points(own, "f", golds)) for name, own in list(by_category.items())[:MOST_CURVES]]
    draw = partial(slot_panels, {"F": curves}, list(map(str, golds)), FOOT)
    return [draw_chart("category_agreement", "People against people by category", text, draw)]
