"""Categories of edits: their share, and how near people come to one another (Figure 2 of Bryant and Ng 2015)."""

from collections.abc import Mapping, Sequence

from judgments.web.charts.chart import NO_PICTURE, Plot
from judgments.web.charts.drawing import frame
from judgments.web.charts.numbers import counted, listed, number
from ranking.plots import rows, slots
from ranking.stats.sections.corrections.whole import EVERYBODY
from ranking.stats.tables import Table

SHARES, AGREED = "edits_by_category", "category_agreement"
SHARES_TITLE, AGREED_TITLE = "Edits by category", "People against people by category"
FOOT = "judges as the gold standard"
MOST_ROWS, MOST_CURVES = 60, 10


def edits_by_category(tables: Mapping[str, Table]) -> list[Plot]:
    """Shares of categories, if edits have some."""
    lines: list[dict] = tables[SHARES].dicts() if SHARES in tables else []
    lines = [line for line in lines if line["share"] is not None]
    whole = [line for line in lines if line["judge"] == EVERYBODY]
    if not whole:
        return []
    told = sentence_of_shares(whole)
    if len(whole) > MOST_ROWS:
        told += f" With {len(whole)} categories there is no picture; the numbers have them all."
        return [Plot(SHARES, SHARES_TITLE, told, NO_PICTURE, (SHARES,))]
    drawn = []
    for line in whole:
        of_judges = [one["share"] for one in lines if one["category"] == line["category"] and one["judge"] != EVERYBODY]
        ends = (min(of_judges), max(of_judges)) if of_judges else (None, None)
        drawn.append(rows.Row(str(line["category"]) or "none", "", (rows.Point(line["share"], *ends),)))
    picture = rows.Picture(("share of all edits",), tuple(drawn), max(line["share"] for line in whole))
    return [
        Plot(SHARES, SHARES_TITLE, told, frame(SHARES, SHARES_TITLE, told, *picture.whole, picture.parts()), (SHARES,))
    ]


def category_agreement(tables: Mapping[str, Table]) -> list[Plot]:
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
    picture = slots.Picture((slots.Panel("F", series),), tuple(map(str, places)), FOOT)
    return [
        Plot(AGREED, AGREED_TITLE, told, frame(AGREED, AGREED_TITLE, told, *picture.whole, picture.parts()), (AGREED,))
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
