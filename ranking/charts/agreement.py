"""Judges: agreement with each other and with themselves, their own rankings, and how much they compared."""

from collections.abc import Mapping
from functools import partial

from judgments.charts.matrix import MatrixCell, oblong_matrix, step_around_half, step_of_kappa, triangle
from judgments.charts.numbers import number, quantity, ranks, share, span, text_list
from judgments.charts.rows import divided_bars
from judgments.charts.svg import NO_CHART, Chart, draw_chart
from ranking.charts.lines import kappas_of, lines_of, method_label, order_of
from ranking.numbers.tables import Table
from ranking.stats.agreement.kappa import ENOUGH

AGREEMENT = "agreement"
# With more judges squares are too small for intervals; with many more, too small for kappas.
MOST_WITH_INTERVALS, MOST = 12, 25
FEW = "*"
# The number of judges in a line of each kind; "everybody" and "the rest" are not judges.
NAMED = {"inter": 2, "intra": 1, "rest": 1}
WITH_WHOM = {"overall inter": "with each other", "overall intra": "with their own repeats"}
MOST_SYSTEMS, MOST_COUNTED = 60, 60


def agreement(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw kappa of pairs below the diagonal, of own repeats on it, and with all others at the left."""
    kappas = {(str(line["kind"]), str(line["judge"]), str(line["other"])): line for line in kappas_of(tables)}
    if not kappas:
        return []
    by_kind = {kind: kappa for (kind, *_), kappa in kappas.items() if kind in WITH_WHOM}
    parts = [
        f"{whom} at a kappa of {number(kappa['kappa'])}{span(kappa['low'], kappa['high'])}"
        for kind, whom in WITH_WHOM.items()
        if (kappa := by_kind.get(kind)) and kappa["kappa"] is not None
    ]
    text = f"Judges agree {text_list(parts)}." if parts else "There are too few comparisons for an overall agreement."
    sure = [
        line for (kind, *_), line in kappas.items() if kind == "inter" and line["enough"] and line["kappa"] is not None
    ]
    if len(sure) >= 2:
        least, *_, most = sorted(sure, key=lambda line: line["kappa"])
        text += (
            f" Agreement is highest between {most['judge']} and {most['other']} ({number(most['kappa'])}) "
            f"and lowest between {least['judge']} and {least['other']} ({number(least['kappa'])})."
        )
    if few := sum(not kappa["enough"] for (kind, *_), kappa in kappas.items() if kind in NAMED):
        text += (
            f" A star marks {quantity(few, 'kappa')} from fewer than {ENOUGH} comparisons; "
            "they are left out of the overall values."
        )
    judges = list(dict.fromkeys(name for kind, *two in kappas for name in two[: NAMED.get(kind, 0)]))
    title = "Agreement of the judges"
    if not judges:  # an interim report has only the overall agreement
        return [Chart(AGREEMENT, title, text, NO_CHART, (AGREEMENT,))]
    with_intervals = len(judges) <= MOST_WITH_INTERVALS
    cells = {
        (judge, "" if kind == "rest" else other): _kappa_cell(line, with_intervals)
        for (kind, judge, other), line in kappas.items()
        if kind in NAMED
    }
    heads, size = ("All others", "Two judges; on the diagonal, own repeats"), (76, 42) if with_intervals else (44, 28)
    too_large = len(judges) > MOST and f"With {quantity(len(judges), 'judge')} a matrix would be unreadable"
    return [draw_chart(AGREEMENT, title, text, partial(triangle, judges, heads, *size, cells), too_large)]


def _kappa_cell(line: dict, with_interval: bool) -> MatrixCell:
    kappa, low, high = line["kappa"], line["low"], line["high"]
    about = "" if line["kind"] == "intra" else f" and {line['other']}"
    tip = f"{line['judge']}{about}: kappa {number(kappa, 3)}{span(low, high, 3)}, "
    below = f"{share(low)} to {share(high)}" if with_interval and low is not None and high is not None else ""
    class_ = "cell void" if kappa is None else step_of_kappa(kappa)
    text = share(kappa) + ("" if line["enough"] else FEW)
    return MatrixCell(class_, tip + quantity(line["compared"], "comparison"), text, below)


def standings_by_judge(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw the rank of each system by each judge alone, and its range, by the first method; the table has all."""
    every = lines_of(tables, "standings_by_judge")
    if not every:
        return []
    method = every[0]["method"]
    lines = {(str(line["system"]), str(line["judge"])): line for line in every if line["method"] == method}
    judges = list(dict.fromkeys(judge for _, judge in lines))
    systems = [system for system in order_of(tables) if any((system, judge) in lines for judge in judges)]
    cells = {}
    for place, line in lines.items():
        if (rank := line["rank"]) is not None:
            width = ranks(line["rank_low"], line["rank_high"])
            tip = f"{line['judge']} alone: {line['system']} has rank {rank}, range {width}"
            class_ = step_around_half(1 - (rank - 1) / max(len(systems) - 1, 1))
            cells[place] = MatrixCell(class_, tip, str(rank), width)
    firsts = {system: sum(lines.get((system, judge), {}).get("rank") == 1 for judge in judges) for system in systems}
    leading = [
        f"{system} with {quantity(count, 'judge')}"
        for system, count in sorted(firsts.items(), key=lambda one: -one[1])
        if count
    ]
    count = quantity(len(judges), "judge")
    others = f", and {quantity(len(leading) - 4, 'other system')}" if len(leading) > 4 else ""
    text = (
        f"Of {count}, each ranking alone by {method_label(str(method))}, the first place goes to "
        f"{', '.join(leading[:4])}{others}. Each square has the rank, and below it its range at 90%."
    )
    too_large = (len(judges) > MOST or len(systems) > MOST_SYSTEMS) and (
        f"With {count} and {quantity(len(systems), 'system')} a chart would be too large"
    )
    draw = partial(oblong_matrix, systems, judges, cells)
    return [draw_chart("standings_by_judge", "Rankings by single judges", text, draw, too_large)]


def comparison_counts(tables: Mapping[str, Table]) -> list[Chart]:
    counts = [
        (str(line["judge"]), line["unexpanded"] or 0, line["unexpanded_ties"] or 0)
        for line in lines_of(tables, "comparison_counts")
    ]
    if len(counts) < 2:
        return []
    *judges, (_, total, ties) = counts
    text = f"{quantity(len(judges), 'judge')} compared {quantity(total, 'pair')} of outputs, {ties:,} of them as ties"
    if len(judges) > 1:
        (last, fewest, _), *_, (first, most, _) = sorted(judges, key=lambda one: one[1])
        text += f": most by {first} ({most:,}), fewest by {last} ({fewest:,})"
    rows = [(judge, made - tied, tied, f"{made:,}, {tied:,} tied") for judge, made, tied in judges]
    too_large = len(judges) > MOST_COUNTED and "They are too many for a chart"
    draw = partial(divided_bars, "Decided, then tied", rows)
    return [draw_chart("comparison_counts", "Comparisons by judge", f"{text}.", draw, too_large)]
