"""Edits by system: precision and edits a sentence; what an edit is worth; preferences predicted."""

from collections.abc import Mapping, Sequence

from judgments.web.charts.drawing import Chart
from judgments.web.charts.numbers import listed, number, span
from ranking.charts.drawing.rows import Point, Row, RowChart
from ranking.charts.drawing.sheets import lines_of, plotted
from ranking.numbers.tables import Table
from ranking.stats.edits.systems import EVERYBODY
from ranking.stats.edits.worth import BOTH, EDITS, OTHERS, OWN, SYSTEMS

PRECISION, WORTH, PREDICTED, CATEGORIES = "edit_systems", "edit_worth", "edit_prediction", "edit_categories"
RATES = ("right_a_sentence", "wrong_a_sentence", "missed_a_sentence")
SHARE, MOST = "Share of right edits", 40


def edit_systems(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw precision in one chart, and the edits of a sentence in another."""
    lines = lines_of(tables, PRECISION, "precision")
    if not lines:
        return []
    shares = tuple(Row(str(line["system"]), "", (Point.of(line, "precision", "precision"),)) for line in lines)
    every = lines_of(tables, PRECISION)
    rates = tuple(Row(str(line["system"]), "", tuple(Point.of(line, name, name) for name in RATES)) for line in every)
    best = lines[0]
    text = f"{best['system']} has the highest share of right edits, {_share(best, 'precision')}."
    most = max(every, key=lambda line: line["right_a_sentence"])
    also = (
        f"{most['system']} makes the most right edits a sentence, {number(most['right_a_sentence'])}"
        f"{span(most['right_a_sentence_low'], most['right_a_sentence_high'])}."
    )
    too_large = f"{len(lines)} systems are too many for a chart" if len(every) > MOST else ""
    return [
        *plotted(PRECISION, "Edits that people accept", text, RowChart((SHARE,), shares).sheet, too_large),
        *plotted("edit_rates", "Edits a sentence", also, RowChart(("Right", "Wrong", "Missed"), rates).sheet,
                 too_large, ()),
    ]  # fmt: skip


def edit_categories(tables: Mapping[str, Table]) -> list[Chart]:
    lines = [line for line in lines_of(tables, CATEGORIES, "precision") if line["system"] == EVERYBODY]
    if not lines:
        return []
    rows = tuple(Row(str(line["category"]), "", (Point.of(line, "precision", "precision"),)) for line in lines[:MOST])
    frequent = listed([f"{line['category']} ({number(line['precision'])})" for line in lines[:3]])
    text = f"The most frequent categories, with the share of right edits of all systems: {frequent}."
    return plotted(CATEGORIES, "Edits by category", text, RowChart((SHARE,), rows).sheet)


def edit_worth(tables: Mapping[str, Table]) -> list[Chart]:
    lines = lines_of(tables, WORTH)
    if not lines:
        return []
    rows = tuple(
        Row(f"{line['verdict']}, by {line['marked_by']}", str(line["model"]), (Point.of(line, "log_odds", "log_odds"),))
        for line in sorted(lines, key=lambda line: (line["marked_by"] != OWN, line["verdict"]))
    )
    text = " ".join(map(sentence_of_worth, of_both(lines)))
    return plotted(WORTH, "What an edit is worth", text, RowChart(("Log-odds of winning",), rows).sheet)


def of_both(lines: Sequence[dict]) -> list[dict]:
    """Beside the strengths of systems, by the judge who ranked."""
    return [line for line in lines if line["marked_by"] == OWN and line["model"] == BOTH]


def sentence_of_worth(line: dict) -> str:
    return (
        f"One more edit that is {line['verdict']} multiplies the odds of being preferred by {number(line['odds'])}"
        f"{span(line['odds_low'], line['odds_high'])}."
    )


def edit_prediction(tables: Mapping[str, Table]) -> list[Chart]:
    lines = lines_of(tables, PREDICTED)
    if not lines:
        return []
    rows = tuple(
        Row(f"marked by {line['marked_by']}", str(line["predicted_by"]), (Point.of(line, "right", "right"),))
        for line in lines
    )
    drawing = RowChart(("Share predicted rightly",), rows)
    return plotted(PREDICTED, "Preferences predicted", sentence_of_prediction(lines), drawing.sheet)


def sentence_of_prediction(lines: Sequence[dict]) -> str:
    by = {line["predicted_by"]: line for line in lines if line["marked_by"] == OWN}
    others = [line for line in lines if line["marked_by"] == OTHERS and line["predicted_by"] == EDITS]
    fairer = f" Edits marked by other judges predict {_share(others[0], 'right')}." if others else ""
    return (
        f"On sentences not seen before, edits alone predict {_share(by[EDITS], 'right')} of the preferences, systems "
        f"alone {_share(by[SYSTEMS], 'right')}, and both {_share(by[BOTH], 'right')}; a coin, 50%.{fairer}"
    )


def _share(line: dict, name: str) -> str:
    return percent(line[name], line[f"{name}_low"], line[f"{name}_high"])


def percent(value: float, low: float | None, high: float | None) -> str:
    """Format a share as 83% (78 to 87%)."""
    ends = "" if low is None or high is None else f" ({number(100 * low, 0)} to {number(100 * high, 0)}%)"
    return f"{number(100 * value, 0)}%{ends}"
