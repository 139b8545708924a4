"""People and systems by the number of judges in the gold standard: F (Bryant and Ng 2015, Figures 1 and 3) and ratios.

Also categories of edits: their share, and the agreement of people in each (Figure 2).
"""

from collections.abc import Iterable, Mapping, Sequence

from judgments.web.charts.drawing import Chart
from judgments.web.charts.numbers import counted, listed, number, span
from ranking.charts.drawing import rows
from ranking.charts.drawing.sheets import lines_of, plotted
from ranking.charts.drawing.slots import Panel, Point, Series, SlotChart
from ranking.numbers.tables import Table
from ranking.stats.corrections.judges import EVERYBODY
from ranking.stats.corrections.people import PEOPLE, SYSTEM

NAME, RATIOS, FEWER = "combinations", "ratios_to_people", "document_subsets"
TITLE, RATIOS_TITLE = "People and systems against people", "Systems as a share of people"
FEWER_TITLE = "From fewer documents"
FOOT = "judges as the gold standard"
MOST = 12


def combinations(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw F and ratios, if judges could be compared."""
    lines = lines_of(tables, NAME, "gold", "f")
    if not lines:
        return []
    charts = _chart(NAME, TITLE, sentence(lines), (_panel("F", lines, "f"),), lines, (NAME,))
    ratios = [line for line in lines if line["ratio"] is not None]
    if ratios:
        panels = (_panel("Ratio", ratios, "ratio"),)
        charts += _chart(RATIOS, RATIOS_TITLE, sentence_of_ratios(ratios), panels, ratios, ())
    return charts


def document_subsets(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw all documents next to the first ones, if the report has this section."""
    lines = lines_of(tables, FEWER, "gold", "f")
    if not lines:
        return []
    panels = (_panel("All documents", lines, "f_all"), _panel(f"The first {lines[0]['documents']}", lines, "f"))
    return _chart(FEWER, FEWER_TITLE, sentence_of_fewer(lines), panels, lines, (FEWER,))


def _chart(
    name: str, title: str, text: str, panels: tuple[Panel, ...], lines: Sequence[dict], shown: tuple[str, ...]
) -> list[Chart]:
    many = len(panels[0].series)
    too_large = f"With {counted(many, 'curve')} there is no chart" if many > MOST else ""
    return plotted(name, title, text, SlotChart(panels, tuple(map(str, _places(lines))), FOOT).sheet, too_large, shown)


def _panel(title: str, lines: Sequence[dict], column: str) -> Panel:
    names = dict.fromkeys((str(line["kind"]), str(line["who"])) for line in lines)
    places = _places(lines)
    return Panel(title, tuple(
        Series(name, _points((line for line in lines if (line["kind"], line["who"]) == (kind, name)), column, places))
        for kind, name in names
    ))  # fmt: skip


def _places(lines: Sequence[dict]) -> dict[int, int]:
    """Return the slot of each number of judges."""
    return {gold: place for place, gold in enumerate(sorted({line["gold"] for line in lines}))}


def _points(lines: Iterable[dict], column: str, places: Mapping[int, int]) -> tuple[Point, ...]:
    return tuple(
        Point(places[line["gold"]], line[column], line.get(f"{column}_low"), line.get(f"{column}_high"))
        for line in lines
        if line[column] is not None
    )


def sentence(lines: Sequence[dict]) -> str:
    people = [line for line in lines if line["kind"] == PEOPLE]
    if not people:
        return "Scores of people against one another are not known."
    first, last = people[0], people[-1]
    text = f"People reach F {number(first['f'])} against {counted(first['gold'], 'other judge')}"
    if last is not first:
        text += f" and {number(last['f'])}{span(last['f_low'], last['f_high'])} against {last['gold']}"
    best = _best(lines, last["gold"], "f")
    if best is None:
        return f"{text}."
    ends = span(best["f_low"], best["f_high"])
    return f"{text}; the best system there, {best['who']}, reaches {number(best['f'])}{ends}."


def sentence_of_ratios(lines: Sequence[dict]) -> str:
    most = max(line["gold"] for line in lines)
    best = _best(lines, most, "ratio")
    if best is None:
        return "The ratios of systems to people are not known."
    ends = span(best["ratio_low"], best["ratio_high"])
    return (
        f"Against {counted(most, 'judge')} {best['who']} comes nearest to people, with {number(best['ratio'])}{ends} of"
        " their F. At 1 a system agrees with people as well as they do with one another."
    )


def sentence_of_fewer(lines: Sequence[dict]) -> str:
    most = max(line["gold"] for line in lines)
    systems = [line for line in lines if line["kind"] == SYSTEM and line["gold"] == most and line["f_all"] is not None]
    from_all, from_first = (
        [str(line["who"]) for line in sorted(systems, key=lambda line: -line[column])] for column in ("f_all", "f")
    )
    text = f"Intervals are of other choices of {counted(lines[0]['documents'], 'document')}."
    if len(systems) < 2:
        return text
    same = "are in the same order as" if from_all == from_first else "are in another order than"
    return f"From the first documents alone the systems {same} from all of them. {text}"


def _best(lines: Sequence[dict], gold: int, column: str) -> dict | None:
    there = [line for line in lines if line["kind"] == SYSTEM and line["gold"] == gold and line[column] is not None]
    return max(there, key=lambda line: line[column], default=None)


SHARES, AGREED = "edits_by_category", "category_agreement"
SHARES_TITLE, AGREED_TITLE = "Edits by category", "People against people by category"
MOST_ROWS, MOST_CURVES = 60, 10


def edits_by_category(tables: Mapping[str, Table]) -> list[Chart]:
    lines = lines_of(tables, SHARES, "share")
    overall = [line for line in lines if line["judge"] == EVERYBODY]
    if not overall:
        return []
    most_frequent = listed([f"{line['category'] or 'none'} ({number(line['share'])})" for line in overall[:3]])
    text = f"Most frequent, by share: {most_frequent}. A line goes from the smallest share of a judge to the largest."
    too_large = f"With {len(overall)} categories there is no chart" if len(overall) > MOST_ROWS else ""
    of_judges: dict[str, list[float]] = {}
    for line in lines:
        if line["judge"] != EVERYBODY:
            of_judges.setdefault(line["category"], []).append(line["share"])
    drawn = []
    for line in overall:
        known = of_judges.get(line["category"])
        point = rows.Point(line["share"], min(known), max(known)) if known else rows.Point(line["share"])
        drawn.append(rows.Row(str(line["category"]) or "none", "", (point,)))
    drawing = rows.RowChart(("share of all edits",), tuple(drawn), max(line["share"] for line in overall))
    return plotted(SHARES, SHARES_TITLE, text, drawing.sheet, too_large)


def category_agreement(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw F of people by category, for the most frequent categories with enough edits."""
    lines = lines_of(tables, AGREED, "gold", "f")
    if not lines:
        return []
    by_category: dict[str, list[dict]] = {}
    for line in lines:
        by_category.setdefault(str(line["category"]), []).append(line)
    text, places = sentence_of_agreement(lines), _places(lines)
    if len(by_category) > MOST_CURVES:
        text += f" The chart shows the {MOST_CURVES} most frequent of {len(by_category)} categories."
    most_frequent = list(by_category.items())[:MOST_CURVES]
    panel = Panel("F", tuple(Series(name, _points(own, "f", places)) for name, own in most_frequent))
    return plotted(AGREED, AGREED_TITLE, text, SlotChart((panel,), tuple(map(str, places)), FOOT).sheet)


def sentence_of_agreement(lines: Sequence[dict]) -> str:
    most = max(line["gold"] for line in lines)
    there = sorted((line for line in lines if line["gold"] == most), key=lambda line: -line["f"])
    best, worst = there[0], there[-1]
    text = f"Against {counted(most, 'other judge')} people agree most in {best['category']} (F {number(best['f'])})"
    if worst is best:
        return f"{text}."
    return f"{text} and least in {worst['category']} ({number(worst['f'])})."
