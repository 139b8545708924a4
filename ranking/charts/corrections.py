"""People and systems by the number of judges in the gold standard: F (Figures 1 and 3 of Bryant and Ng 2015), and
ratios.

Also categories of edits: their share, and the agreement of people in each (Figure 2 of Bryant and Ng 2015).
"""

from collections.abc import Mapping, Sequence

from judgments.web.charts.chart import NO_PICTURE
from judgments.web.charts.chart import Plot as Chart
from judgments.web.charts.numbers import counted, listed, number, span
from ranking.charts.drawing import rows, slots
from ranking.charts.drawing.framed import framed
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
    """All documents beside the first ones, if the report has this section."""
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
    name: str, title: str, text: str, panels: tuple[Panel, ...], lines: Sequence[dict], shown: tuple[str, ...]
) -> Chart:
    many = len(panels[0].series)
    if many > MOST:
        text += f" With {counted(many, 'curve')} there is no chart; see the numbers below."
        return Chart(name, title, text, NO_PICTURE, shown)
    slots = tuple(str(gold) for gold in sorted({line["gold"] for line in lines}))
    drawing = SlotChart(panels, slots, COMBINATIONS_FOOT)
    return framed(name, title, text, drawing, shown)


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
    """F of people against one judge and against most judges, and the best system against most."""
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
    """How close the best system comes to people against most judges."""
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
    """Whether the order of the systems is the same."""
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
CATEGORIES_FOOT = "judges as the gold standard"
MOST_ROWS, MOST_CURVES = 60, 10


def edits_by_category(tables: Mapping[str, Table]) -> list[Chart]:
    """Shares of categories, if edits have any."""
    lines: list[dict] = tables[SHARES].dicts() if SHARES in tables else []
    lines = [line for line in lines if line["share"] is not None]
    overall = [line for line in lines if line["judge"] == EVERYBODY]
    if not overall:
        return []
    text = sentence_of_shares(overall)
    if len(overall) > MOST_ROWS:
        text += f" With {len(overall)} categories there is no chart; see the numbers below."
        return [Chart(SHARES, SHARES_TITLE, text, NO_PICTURE, (SHARES,))]
    drawn = []
    for line in overall:
        of_judges = [one["share"] for one in lines if one["category"] == line["category"] and one["judge"] != EVERYBODY]
        ends = (min(of_judges), max(of_judges)) if of_judges else (None, None)
        drawn.append(rows.Row(str(line["category"]) or "none", "", (rows.Point(line["share"], *ends),)))
    drawing = rows.RowChart(("share of all edits",), tuple(drawn), max(line["share"] for line in overall))
    return [framed(SHARES, SHARES_TITLE, text, drawing, (SHARES,))]


def category_agreement(tables: Mapping[str, Table]) -> list[Chart]:
    """F of people by category, for the most frequent categories with enough edits."""
    lines: list[dict] = tables[AGREED].dicts() if AGREED in tables else []
    lines = [line for line in lines if line["gold"] is not None and line["f"] is not None]
    if not lines:
        return []
    names = list(dict.fromkeys(str(line["category"]) for line in lines))
    text = sentence_of_agreement(lines)
    if len(names) > MOST_CURVES:
        text += f" The chart shows the {MOST_CURVES} most frequent of {len(names)} categories."
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
    return [framed(AGREED, AGREED_TITLE, text, drawing, (AGREED,))]


def sentence_of_shares(lines: Sequence[dict]) -> str:
    """The most frequent categories, and the meaning of the lines."""
    first = listed([f"{line['category'] or 'none'} ({number(line['share'])})" for line in lines[:3]])
    return f"Most frequent, by share: {first}. A line goes from the smallest share of a judge to the largest."


def sentence_of_agreement(lines: Sequence[dict]) -> str:
    """The categories in which people agree most and least, against most judges."""
    most = max(line["gold"] for line in lines)
    there = sorted((line for line in lines if line["gold"] == most), key=lambda line: -line["f"])
    best, worst = there[0], there[-1]
    text = f"Against {counted(most, 'other judge')} people agree most in {best['category']} (F {number(best['f'])})"
    if worst is best:
        return f"{text}."
    return f"{text} and least in {worst['category']} ({number(worst['f'])})."
