"""Edits by system: precision and edits a sentence; what an edit is worth; preferences predicted."""

from collections.abc import Mapping, Sequence
from functools import partial

from judgments.charts.numbers import number, span, text_list
from judgments.charts.rows import IntervalRow, interval_rows
from judgments.charts.svg import Chart, draw_chart
from ranking.charts.lines import lines_of, point_of, rows_of
from ranking.numbers.tables import Table
from ranking.stats.edits.systems import EVERYBODY
from ranking.stats.edits.worth import BOTH, EDITS, OTHERS, OWN, SYSTEMS

RATES = {"Right": "right_a_sentence", "Wrong": "wrong_a_sentence", "Missed": "missed_a_sentence"}
SHARE, MOST = "Share of right edits", 40


def edit_systems(tables: Mapping[str, Table]) -> list[Chart]:
    """Draw precision in one chart, and the edits of a sentence in another."""
    every, lines = lines_of(tables, "edit_systems"), lines_of(tables, "edit_systems", "precision")
    if not lines:
        return []
    best, most = lines[0], max(every, key=lambda line: line["right_a_sentence"])
    text = f"{best['system']} has the highest share of right edits, {_share(best, 'precision')}."
    also = (
        f"{most['system']} makes the most right edits per sentence, {number(most['right_a_sentence'])}"
        f"{span(most['right_a_sentence_low'], most['right_a_sentence_high'])}."
    )
    too_large = len(every) > MOST and f"{len(lines)} systems are too many for a chart"
    shares = partial(interval_rows, (SHARE,), rows_of(lines, "precision"))
    rates = partial(interval_rows, tuple(RATES), rows_of(every, *RATES.values()))
    return [
        draw_chart("edit_systems", "Edits that people accept", text, shares, too_large),
        draw_chart("edit_rates", "Edits per sentence", also, rates, too_large, ()),
    ]


def edit_categories(tables: Mapping[str, Table]) -> list[Chart]:
    lines = [line for line in lines_of(tables, "edit_categories", "precision") if line["system"] == EVERYBODY]
    if not lines:
        return []
    frequent = text_list([f"{line['category']} ({number(line['precision'])})" for line in lines[:3]])
    text = f"The most frequent categories, with the share of right edits of all systems: {frequent}."
    draw = partial(interval_rows, (SHARE,), rows_of(lines[:MOST], "precision", name="category"))
    return [draw_chart("edit_categories", "Edits by category", text, draw)]


def edit_worth(tables: Mapping[str, Table]) -> list[Chart]:
    lines = lines_of(tables, "edit_worth")
    if not lines:
        return []
    rows = [
        IntervalRow(f"{line['verdict']}, by {line['marked_by']}", str(line["model"]), (point_of(line, "log_odds"),))
        for line in sorted(lines, key=lambda line: (line["marked_by"] != OWN, line["verdict"]))
    ]
    text, draw = " ".join(map(worth_sentence, of_both(lines))), partial(interval_rows, ("Log-odds of winning",), rows)
    return [draw_chart("edit_worth", "What an edit is worth", text, draw)]


def of_both(lines: Sequence[dict]) -> list[dict]:
    """Beside the strengths of systems, by the judge who ranked."""
    return [line for line in lines if line["marked_by"] == OWN and line["model"] == BOTH]


def worth_sentence(line: dict) -> str:
    return (
        f"One more edit that is {line['verdict']} multiplies the odds of being preferred by {number(line['odds'])}"
        f"{span(line['odds_low'], line['odds_high'])}."
    )


def edit_prediction(tables: Mapping[str, Table]) -> list[Chart]:
    lines = lines_of(tables, "edit_prediction")
    if not lines:
        return []
    rows = [
        IntervalRow(f"marked by {line['marked_by']}", str(line["predicted_by"]), (point_of(line, "right"),))
        for line in lines
    ]
    draw = partial(interval_rows, ("Share predicted rightly",), rows)
    return [draw_chart("edit_prediction", "Preferences predicted", prediction_sentence(lines), draw)]


def prediction_sentence(lines: Sequence[dict]) -> str:
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
