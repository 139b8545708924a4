"""People and systems by how many judges are gold: F (Figures 1 and 3 of Bryant and Ng 2015), and ratios."""

from collections.abc import Mapping, Sequence

from judgments.web.charts.chart import NO_PICTURE, Plot
from judgments.web.charts.drawing import frame
from judgments.web.charts.numbers import counted, number, span
from ranking.plots.slots import Panel, Picture, Point, Series
from ranking.stats.sections.corrections.whole import PEOPLE, SYSTEM
from ranking.stats.tables import Table

NAME, RATIOS, FEWER = "combinations", "ratios_to_people", "document_subsets"
TITLE, RATIOS_TITLE = "People and systems against people", "Systems as a share of people"
FEWER_TITLE = "From fewer documents"
FOOT = "judges as the gold standard"
MOST = 12


def combinations(tables: Mapping[str, Table]) -> list[Plot]:
    """F and ratios, if judges could be compared."""
    lines = _lines(tables, NAME)
    if not lines:
        return []
    panel = _panel("F", lines, "f", "f_low", "f_high")
    plots = [_plot(NAME, TITLE, sentence(lines), (panel,), lines, (NAME,))]
    ratios = [line for line in lines if line["ratio"] is not None]
    if ratios:
        panel = _panel("Ratio", ratios, "ratio", "ratio_low", "ratio_high")
        plots.append(_plot(RATIOS, RATIOS_TITLE, sentence_of_ratios(ratios), (panel,), ratios, ()))
    return plots


def document_subsets(tables: Mapping[str, Table]) -> list[Plot]:
    """All documents beside the first ones, if so many were asked for."""
    lines = _lines(tables, FEWER)
    if not lines:
        return []
    documents = lines[0]["documents"]
    panels = (
        _panel("All documents", lines, "f_all", "", ""),
        _panel(f"The first {documents}", lines, "f", "f_low", "f_high"),
    )
    return [_plot(FEWER, FEWER_TITLE, sentence_of_fewer(lines), panels, lines, (FEWER,))]


def _lines(tables: Mapping[str, Table], name: str) -> list[dict]:
    lines: list[dict] = tables[name].dicts() if name in tables else []
    return [line for line in lines if line["gold"] is not None and line["f"] is not None]


def _plot(
    name: str, title: str, told: str, panels: tuple[Panel, ...], lines: Sequence[dict], shown: tuple[str, ...]
) -> Plot:
    many = len(panels[0].series)
    if many > MOST:
        told += f" With {counted(many, 'curve')} there is no picture; the numbers have them all."
        return Plot(name, title, told, NO_PICTURE, shown)
    slots = tuple(str(gold) for gold in sorted({line["gold"] for line in lines}))
    picture = Picture(panels, slots, FOOT)
    return Plot(name, title, told, frame(name, title, told, *picture.whole, picture.parts()), shown)


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
