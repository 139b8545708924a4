"""People and systems by how many judges are gold: F (Figures 1 and 3 of Bryant and Ng 2015), and ratios.

Categories of edits: their share, and how near people come to one another (Figure 2 of Bryant and Ng 2015).
"""

from collections.abc import Mapping, Sequence

from judgments.web.charts.chart import NO_PICTURE
from judgments.web.charts.chart import Plot as Chart
from judgments.web.charts.drawing import frame
from judgments.web.charts.numbers import counted, listed, number, span
from ranking.charts.drawing import rows, slots
from ranking.charts.drawing.slots import Panel, Point, Series, SlotChart
from ranking.numbers.tables import Table
from ranking.stats.corrections.sections import EVERYBODY, PEOPLE, SYSTEM

NAME, RATIOS, FEWER = "combinations", "ratios_to_people", "document_subsets"
TITLE, RATIOS_TITLE = "People and systems against people", "Systems as a share of people"
FEWER_TITLE = "From fewer documents"
COMBINATIONS_FOOT = "judges as the gold standard"
MOST = 12


def combinations(tables: Mapping[str, Table]) -> list[Chart]:
    """F and ratios, if judges could be compared."""
    lines = _lines(tables, NAME)
    if not lines:
        return []
    panel = _panel("F", lines, "f", "f_low", "f_high")
    charts = [_chart(NAME, TITLE, sentence(lines), (panel,), lines, (NAME,))]
    ratios = [line for line in lines if line["ratio"] is not None]
    if ratios:
        panel = _panel("Ratio", ratios, "ratio", "ratio_low", "ratio_high")
        charts.append(_chart(RATIOS, RATIOS_TITLE, sentence_of_ratios(ratios), (panel,), ratios, ()))
    return charts


def document_subsets(tables: Mapping[str, Table]) -> list[Chart]:
    """All documents beside the first ones, if so many were asked for."""
    lines = _lines(tables, FEWER)
    if not lines:
        return []
    documents = lines[0]["documents"]
    panels = (
        _panel("All documents", lines, "f_all", "", ""),
        _panel(f"The first {documents}", lines, "f", "f_low", "f_high"),
    )
    return [_chart(FEWER, FEWER_TITLE, sentence_of_fewer(lines), panels, lines, (FEWER,))]


def _lines(tables: Mapping[str, Table], name: str) -> list[dict]:
    lines: list[dict] = tables[name].dicts() if name in tables else []
    return [line for line in lines if line["gold"] is not None and line["f"] is not None]


def _chart(
    name: str, title: str, told: str, panels: tuple[Panel, ...], lines: Sequence[dict], shown: tuple[str, ...]
) -> Chart:
    many = len(panels[0].series)
    if many > MOST:
        told += f" With {counted(many, 'curve')} there is no chart; the numbers have them all."
        return Chart(name, title, told, NO_PICTURE, shown)
    slots = tuple(str(gold) for gold in sorted({line["gold"] for line in lines}))
    drawing = SlotChart(panels, slots, COMBINATIONS_FOOT)
    return Chart(name, title, told, frame(name, title, told, *drawing.whole, drawing.parts()), shown)


def _panel(title: str, lines: Sequence[dict], column: str, low: str, high: str) -> Panel:
    places = {gold: place for place, gold in enumerate(sorted({line["gold"] for line in lines}))}
    who = dict.fromkeys((str(line["kind"]), str(line["who"])) for line in lines)
    return Panel(
        title,
        tuple(
            Series(
                name,
                tuple(
                    Point(places[line["gold"]], line[column], line.get(low), line.get(high))
                    for line in lines
                    if (line["kind"], line["who"]) == (kind, name) and line[column] is not None
                ),
            )
            for kind, name in who
        ),
    )


def sentence(lines: Sequence[dict]) -> str:
    """What people reach by one and by most judges, and the best system by most."""
    people = [line for line in lines if line["kind"] == PEOPLE]
    if not people:
        return "What people reach against one another is not known."
    first, last = people[0], people[-1]
    told = f"People reach F {number(first['f'])} against {counted(first['gold'], 'other judge')}"
    if last is not first:
        told += f" and {number(last['f'])}{span(last['f_low'], last['f_high'])} against {last['gold']}"
    best = _best(lines, last["gold"], "f")
    if best is None:
        return f"{told}."
    ends = span(best["f_low"], best["f_high"])
    return f"{told}; the best system there, {best['who']}, reaches {number(best['f'])}{ends}."


def sentence_of_ratios(lines: Sequence[dict]) -> str:
    """How near the best system comes to people by most judges."""
    most = max(line["gold"] for line in lines)
    best = _best(lines, most, "ratio")
    if best is None:
        return "How near systems come to people is not known."
    ends = span(best["ratio_low"], best["ratio_high"])
    return (
        f"Against {counted(most, 'judge')} {best['who']} comes nearest to people, with {number(best['ratio'])}{ends} of"
        " their F. At 1 a system agrees with people as well as they do with one another."
    )


def sentence_of_fewer(lines: Sequence[dict]) -> str:
    """Whether the systems stand in the same order."""
    most = max(line["gold"] for line in lines)
    systems = [line for line in lines if line["kind"] == SYSTEM and line["gold"] == most and line["f_all"] is not None]
    whole, part = (
        [str(line["who"]) for line in sorted(systems, key=lambda line: -line[column])] for column in ("f_all", "f")
    )
    told = f"Intervals are of other choices of {counted(lines[0]['documents'], 'document')}."
    if len(systems) < 2:
        return told
    same = "are in the same order as" if whole == part else "are in another order than"
    return f"From the first documents alone the systems {same} from all of them. {told}"


def _best(lines: Sequence[dict], gold: int, column: str) -> dict | None:
    there = [line for line in lines if line["kind"] == SYSTEM and line["gold"] == gold and line[column] is not None]
    return max(there, key=lambda line: line[column], default=None)


SHARES, AGREED = "edits_by_category", "category_agreement"
SHARES_TITLE, AGREED_TITLE = "Edits by category", "People against people by category"
CATEGORIES_FOOT = "judges as the gold standard"
MOST_ROWS, MOST_CURVES = 60, 10


def edits_by_category(tables: Mapping[str, Table]) -> list[Chart]:
    """Shares of categories, if edits have some."""
    lines: list[dict] = tables[SHARES].dicts() if SHARES in tables else []
    lines = [line for line in lines if line["share"] is not None]
    whole = [line for line in lines if line["judge"] == EVERYBODY]
    if not whole:
        return []
    told = sentence_of_shares(whole)
    if len(whole) > MOST_ROWS:
        told += f" With {len(whole)} categories there is no chart; the numbers have them all."
        return [Chart(SHARES, SHARES_TITLE, told, NO_PICTURE, (SHARES,))]
    drawn = []
    for line in whole:
        of_judges = [one["share"] for one in lines if one["category"] == line["category"] and one["judge"] != EVERYBODY]
        ends = (min(of_judges), max(of_judges)) if of_judges else (None, None)
        drawn.append(rows.Row(str(line["category"]) or "none", "", (rows.Point(line["share"], *ends),)))
    drawing = rows.RowChart(("share of all edits",), tuple(drawn), max(line["share"] for line in whole))
    return [
        Chart(SHARES, SHARES_TITLE, told, frame(SHARES, SHARES_TITLE, told, *drawing.whole, drawing.parts()), (SHARES,))
    ]


def category_agreement(tables: Mapping[str, Table]) -> list[Chart]:
    """F of people by category, if there are categories with enough edits; the most frequent are drawn."""
    lines: list[dict] = tables[AGREED].dicts() if AGREED in tables else []
    lines = [line for line in lines if line["gold"] is not None and line["f"] is not None]
    if not lines:
        return []
    names = list(dict.fromkeys(str(line["category"]) for line in lines))
    told = sentence_of_agreement(lines)
    if len(names) > MOST_CURVES:
        told += f" Drawn are the {MOST_CURVES} most frequent of {len(names)} categories."
    places = {gold: place for place, gold in enumerate(sorted({line["gold"] for line in lines}))}
    series = tuple(
        slots.Series(
            name,
            tuple(
                slots.Point(places[line["gold"]], line["f"], line["f_low"], line["f_high"])
                for line in lines
                if line["category"] == name
            ),
        )
        for name in names[:MOST_CURVES]
    )
    drawing = slots.SlotChart((slots.Panel("F", series),), tuple(map(str, places)), CATEGORIES_FOOT)
    return [
        Chart(AGREED, AGREED_TITLE, told, frame(AGREED, AGREED_TITLE, told, *drawing.whole, drawing.parts()), (AGREED,))
    ]


def sentence_of_shares(whole: Sequence[dict]) -> str:
    """The most frequent categories, and what the lines are."""
    first = listed([f"{line['category'] or 'none'} ({number(line['share'])})" for line in whole[:3]])
    return f"Most frequent, by share: {first}. A line goes from the smallest share of a judge to the largest."


def sentence_of_agreement(lines: Sequence[dict]) -> str:
    """Where people agree most and least by most judges."""
    most = max(line["gold"] for line in lines)
    there = sorted((line for line in lines if line["gold"] == most), key=lambda line: -line["f"])
    best, worst = there[0], there[-1]
    told = f"Against {counted(most, 'other judge')} people agree most in {best['category']} (F {number(best['f'])})"
    if worst is best:
        return f"{told}."
    return f"{told} and least in {worst['category']} ({number(worst['f'])})."
