"""Rankings: scores and clusters, ranges of ranks in two ways, head to head, accuracy, and bars in a table."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from statistics import fmean
from typing import Any

from judgments.charts.axes import Axis
from judgments.charts.matrix import MatrixCell, square_matrix, step_around_half
from judgments.charts.numbers import UNKNOWN, chance, number, quantity, share, span, text_list
from judgments.charts.rows import FigureCell, RankedRow, figure_rows, rank_ranges, ranked_rows
from judgments.charts.svg import Chart, draw_chart
from ranking.charts.lines import group_by, lines_of, method_label, names_in_order, order_of
from ranking.charts.shown_tables import OF_A_PAIR
from ranking.numbers.tables import Table
from ranking.stats.rankings.methods import METHODS

ENDS = ("score", "score_low", "score_high")
MOST_RANGES, MOST_SYSTEMS = 100, 60
UNITS = {
    "pair": "single comparisons", "ranking": "whole rankings", "sentence": "whole sentences",
    "judge": "all that a judge did", "sentence-and-judge": "sentences and judges",
}  # fmt: skip
SEPARATED, LEVEL = "*", 0.05
PANELS_OF_ACCURACY = {"total": "Decisive, by order", "clustered": "All, by clusters"}


def forests(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw a chart for each method, all in the order of the first ranking, so that a row is the same system in each."""
    places = {system: place for place, system in enumerate(order_of(tables))}
    charts = []
    for method, lines in group_by("method", lines_of(tables, "standings")).items():
        lines.sort(key=lambda line: places[str(line["system"])])
        columns = (*ENDS, "rank_low", "rank_high", "cluster")
        rows = [RankedRow(str(line["system"]), *(line[column] for column in columns)) for line in lines]
        # The first cluster, and the highest score, with its uncertainty if only one system has it.
        clusters = {line["cluster"] for line in lines if line["cluster"] is not None}
        first = [str(line["system"]) for line in lines if clusters and line["cluster"] == min(clusters)]
        are_in = "is alone in" if len(first) == 1 else "share"
        text = f"{text_list(first)} {are_in} the first of {len(clusters)} clusters"
        if len(clusters) < 2:
            text = f"All {quantity(len(lines), 'system')} are in one cluster"
        highest = max((line["score"] for line in lines if line["score"] is not None), default=None)
        best = [line for line in lines if line["score"] is not None and line["score"] == highest]
        if best:
            score, names = f"the highest score, {number(highest, 3)}", [str(line["system"]) for line in best]
            if len(best) == 1:
                score += span(best[0]["score_low"], best[0]["score_high"], 3)
                if best[0]["p_best"] is not None:
                    score += f" and a probability of {chance(best[0]['p_best'])} of being the best"
            has = "has" if len(best) == 1 else "have"
            text += f", with {score}" if names == first else f"; {text_list(names)} {has} {score}"
        by = method_label(method)
        draw = partial(ranked_rows, f"Score by {by}", rows)
        charts.append(draw_chart(f"forest_{method}", f"Scores by {by}", f"{text}.", draw, tables=("standings",)))
    return charts


def standings_of(tables: Mapping[str, Table], method: str) -> tuple[list[dict], bool]:
    """The standings by a method, best first, and whether they have letters and ranks that hold for all systems.

    They do where the order does not break, so that one cluster would say nothing, and some pair is separated.
    """
    lines = [line for line in lines_of(tables, "standings") if line["method"] == method]
    together = {line["system"]: line for line in lines_of(tables, "simultaneous") if line["method"] == method}
    is_gradient = len({line["cluster"] for line in lines} - {None}) == 1
    if not is_gradient or len({line["letters"] for line in together.values()}) < 2:
        return lines, False
    of_all = ("rank_low", "rank_high", "letters")
    return [line | {name: together[line["system"]][name] for name in of_all} for line in lines], True


def standing_bars(lines: Sequence[dict]) -> dict[str, list[tuple]]:
    """Standings by one method, best first, as rows of a table with a plot in a column, and the ticks of its axis.

    The column is as wide as the page allows, so places are shares of it. A row has the line, the places of its score
    and of the ends of its interval, its chance to be best, whether it is in every other cluster, which is shaded,
    whether it is the first of a cluster, and its cluster or its letters.
    """
    axis = Axis.around([line[end] for line in lines for end in ENDS if line[end] is not None], 0, 100)
    clusters = list(dict.fromkeys(line["cluster"] for line in lines if line["cluster"] is not None))
    rows, begun = [], set[Any]()
    for line in lines:
        cluster = line["cluster"]
        places = ("" if line[end] is None else f"{axis.at(line[end]):.2f}%" for end in ENDS)
        is_other = cluster in clusters and clusters.index(cluster) % 2 == 1
        begins = cluster in clusters and cluster not in begun
        begun.add(cluster)
        group = line.get("letters", UNKNOWN if cluster is None else str(cluster))
        rows.append((line, *places, chance(line["p_best"]), is_other, begins, group))
    return {"rows": rows, "ticks": [(f"{axis.at(value):.2f}%", label) for value, label in axis.ticks()]}


def uncertainty(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw ranges of ranks and clusters as published beside those recommended, in the order of the first ranking."""
    places = {system: place for place, system in enumerate(order_of(tables))}
    lines = lines_of(tables, "uncertainty")
    ways: dict[str, dict[str, dict]] = {str(line["way"]): {} for line in lines}
    for line in sorted(lines, key=lambda line: places.get(str(line["system"]), len(places))):
        ways[str(line["way"])][str(line["system"])] = line
    if len(ways) < 2:
        return []
    systems = list(dict.fromkeys(system for by_system in ways.values() for system in by_system))
    panels = {}
    for way, by_system in ways.items():
        shown = [by_system.get(system, {}) for system in systems]
        panels[f"{way.capitalize()}: {_unit(shown)}"] = [
            RankedRow(system, None, None, None, line.get("rank_low"), line.get("rank_high"), line.get("cluster"))
            for system, line in zip(systems, shown, strict=True)
        ]
    published, recommended, *_ = (list(by_system.values()) for by_system in ways.values())
    both = published, recommended
    few, many = (len({line["cluster"] for line in lines} - {None}) for lines in both)
    by = method_label(str(published[0]["method"]))
    text = f"The number of clusters by {by} is not known in both ways."
    if few and many:
        text = f"By {by}, drawing {_unit(published)} as published makes {quantity(few, 'cluster')}; "
        text += f"drawing {_unit(recommended)} makes {many}."
    widths = [
        [line["rank_high"] - line["rank_low"] for line in lines if None not in (line["rank_low"], line["rank_high"])]
        for lines in both
    ]
    if all(widths):
        narrow, wide = map(fmean, widths)
        text += (
            f" From its best to its worst rank a system moves by {number(narrow, 1)} places on average the published "
            f"way, and by {number(wide, 1)} the recommended way."
        )
        if narrow < wide and str(published[0]["unit"]) == "pair":
            text += f" The published way treats {_unit(published)} as independent; but those on one sentence "
            text += "belong together, so it looks more certain than it is."
    too_large = len(systems) > MOST_RANGES and f"With {quantity(len(systems), 'system')} a chart would be too long"
    return [draw_chart("uncertainty", "Ranges of ranks, two ways", text, partial(rank_ranges, panels), too_large)]


def _unit(lines: Sequence[dict]) -> str:
    unit = next((str(line["unit"]) for line in lines if line.get("unit")), "")
    return UNITS.get(unit, unit)


def head_to_head(tables: Mapping[str, Table]) -> list[Chart]:
    meetings = {(str(line["system"]), str(line["opponent"])): line for line in lines_of(tables, "head_to_head")}
    if not meetings:
        return []
    pairs = lines_of(tables, "pairs")
    one_way = [(str(line["system"]), str(line["opponent"])) for line in pairs
               if line["resolved"] and line["method"] == pairs[0]["method"]]  # fmt: skip
    separated = {*one_way, *((other, one) for one, other in one_way)}

    def cell_of(system: str, opponent: str, with_numbers: bool) -> MatrixCell | None:
        address, meeting = OF_A_PAIR.to(system, opponent), meetings.get((system, opponent))
        if meeting is None:
            return None if system == opponent else MatrixCell(address=address)
        won, mark = meeting["share"], SEPARATED if (system, opponent) in separated else ""
        p_value = "" if meeting["p_value"] is None else f", p = {meeting['p_value']:.2g}"
        counts = f"{meeting['wins']:,} won, {meeting['losses']:,} lost, {meeting['ties']:,} tied"
        text = share(won) + mark if with_numbers else mark or (UNKNOWN if won is None else "")
        class_ = "cell void" if won is None else step_around_half(won)
        return MatrixCell(class_, f"{system} against {opponent}: {counts}{p_value}", text, address=address)

    systems = names_in_order(order_of(tables), meetings)
    couples = list(combinations(systems, 2))
    p_values = {pair: meetings[pair]["p_value"] for pair in couples if pair in meetings}
    differ = [pair for pair, p in p_values.items() if p is not None and p <= LEVEL]
    marked = sum(pair in separated for pair in couples)
    against = [f"{other} beats {one}" for one, other in differ if (meetings[one, other]["share"] or 0) < 0.5]
    text = (
        f"Each square is the row's share of decisive comparisons with the column. {SEPARATED} marks "
        f"{marked:,} of {quantity(len(couples), 'pair')}, which the ranking to cite separates"
        f"{'; it also learns from comparisons with others' * (len(systems) > 2)}. By their own comparisons, "
        f"for these judges, {quantity(len(differ), 'pair')} {'differs' if len(differ) == 1 else 'differ'} "
        f"(p at most {LEVEL})" + (f"; against the order of the ranking, {text_list(against, 4)}." if against else ".")
    )
    draw = partial(square_matrix, systems, "Row beats column", ("loses all", "wins all"), cell_of)
    too_large = len(systems) > MOST_SYSTEMS and f"With {len(systems)} systems a chart would be too large to read"
    return [draw_chart("head_to_head", "Head to head", text, draw, too_large)]


def accuracy(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw how well rankings predict judgments that they have not seen, with baselines as hollow points."""
    lines = lines_of(tables, "accuracy")
    if not lines:
        return []
    labels, panels, sentences = [method_label(str(line["method"])) for line in lines], [], []
    whats = ("Of decisive comparisons", "Of all comparisons, ties among them,")
    for (column, title), what in zip(PANELS_OF_ACCURACY.items(), whats, strict=True):
        cells: list[FigureCell | None] = []
        for line in lines:
            value, class_ = line[column], "point" if line["method"] in METHODS else "point hollow"
            cell = value is not None and FigureCell([("lead", 0.0, value)], [(class_, value, 4.5)], number(value, 3))
            cells.append(cell or None)
        panels.append((title, Axis(0.0, 1.0, 0.0, 1.0), cells))
        known = [(line[column], label, line["method"] in METHODS) for line, label in zip(lines, labels, strict=True)
                 if line[column] is not None]  # fmt: skip
        if methods := [one for one in known if one[2]]:
            best, label, _ = max(methods, key=lambda one: one[0])
            others = ", ".join(f"{other} {number(value, 3)}" for value, other, is_method in known if not is_method)
            sentences.append(f"{what} {label} predicts {number(best, 3)}{f' ({others})' if others else ''}.")
    text, draw = " ".join(sentences) or "No accuracy is known.", partial(figure_rows, labels, panels, 150, 40, 12, 2)
    return [draw_chart("accuracy", "Accuracy on unseen judgments", text, draw)]
