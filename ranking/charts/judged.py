"""What was judged: judgments by day, distinct outputs by sentence, and comparisons by judge."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from django.utils.safestring import SafeString

from judgments.web.charts import distinct_outputs as outputs
from judgments.web.charts.columns import Bar, Mark, columns, slot_width
from judgments.web.charts.drawing import NO_CHART, SMALL, Chart, box, shortened, width_of, words
from judgments.web.charts.numbers import counted
from ranking.charts.drawing.sheets import Sheet, lines_of, plotted
from ranking.numbers.tables import Table
from ranking.stats.analysis import BY_DAY

DAYS_TITLE = "Judgments by day"
DAYS_MOST = 750
# The least distance between labels such as "25 Nov", and between those such as "Nov 2026".
ROOM_OF_DAY, ROOM_OF_MONTH = 52, 72
STEPS_IN_DAYS, STEPS_IN_MONTHS = (1, 2, 7, 14), (1, 2, 3, 6, 12)
DAYS_OF_MONTH = 28


class Day(NamedTuple):
    """Judgments on a day, and the number of judges if known."""

    day: date
    judgments: int
    judges: int | None


def judgments_over_time(tables: Mapping[str, Table]) -> list[Chart]:
    days = sorted(
        Day(date.fromisoformat(line["day"]), line["judgments"], line["judges"])
        for line in lines_of(tables, BY_DAY, "day", "judgments")
    )
    if not days:
        return []
    text = days_sentence(days)
    first, last = days[0].day, days[-1].day
    slots, svg = (last - first).days + 1, NO_CHART
    if slots > DAYS_MOST:
        text += f" First and last day are {slots - 1:,} days apart, too many for a chart; see the numbers below."
    else:
        bars = [Bar((one.day - first).days, one.judgments, f"{_full(one.day)}: {_amount(one)}") for one in days]
        heads = ("Judgments", _full(first) if first == last else f"{_full(first)} to {_full(last)}")
        svg = columns((BY_DAY, DAYS_TITLE, text), heads, bars, slots, list(_marks(first, slots)))
    return [Chart(BY_DAY, DAYS_TITLE, text, svg, (BY_DAY,))]


def _marks(first: date, slots: int) -> Iterator[Mark]:
    """Mark days, or the first days of months, as densely as labels allow."""
    slot = slot_width(slots)
    for step in STEPS_IN_DAYS:
        if step * slot >= ROOM_OF_DAY:
            days = (first + timedelta(place) for place in range(0, slots, step))
            yield from (Mark((day - first).days, f"{day.day} {day:%b}") for day in days)
            return
    step = next(step for step in STEPS_IN_MONTHS if step * DAYS_OF_MONTH * slot >= ROOM_OF_MONTH)
    for place in range(slots):
        day = first + timedelta(place)
        if day.day == 1 and (day.month - 1) % step == 0:
            yield Mark(place, f"{day:%b} {day.year}")


def days_sentence(days: Sequence[Day]) -> str:
    total = sum(one.judgments for one in days)
    if len(days) == 1:
        return f"All of {_amount(days[0])} came on {_full(days[0].day)}."
    busiest = max(days, key=lambda one: one.judgments)
    within = (days[-1].day - days[0].day).days + 1
    on = f"{len(days):,} days" if within == len(days) else f"{len(days):,} of {within:,} days"
    return f"{counted(total, 'judgment')} came on {on}, most on {_full(busiest.day)}: {_amount(busiest)}."


def _amount(day: Day) -> str:
    text = counted(day.judgments, "judgment")
    return text if day.judges is None else f"{text} by {counted(day.judges, 'judge')}"


def _full(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"


def distinct_outputs(tables: Mapping[str, Table]) -> list[Chart]:
    lines = lines_of(tables, outputs.NAME, "distinct", "sentences")
    chart = outputs.distinct_outputs({line["distinct"]: line["sentences"] for line in lines}, (outputs.NAME,))
    return [chart] if chart else []


COMPARISON_COUNTS, COUNTS_TITLE = "comparison_counts", "Comparisons by judge"
ROW, TOP, GAP, AXIS, COUNTS_MOST = 26, 28, 12, 260, 60


def comparison_counts(tables: Mapping[str, Table]) -> list[Chart]:
    *judges, total = lines_of(tables, COMPARISON_COUNTS) or [{}]
    if not judges:
        return []
    too_large = "They are too many for a chart" if len(judges) > COUNTS_MOST else ""
    text = counts_sentence(judges, total)
    return plotted(COMPARISON_COUNTS, COUNTS_TITLE, text, lambda: _sheet(judges), too_large)


def _sheet(judges: Sequence[dict]) -> Sheet:
    names = [shortened(str(line["judge"])) for line in judges]
    start = width_of(names) + GAP
    unit = AXIS / max(1, *(line["unexpanded"] or 0 for line in judges))
    labels = [f"{line['unexpanded'] or 0:,}, {line['unexpanded_ties'] or 0:,} tied" for line in judges]
    parts = [words(start, TOP / 2, "Decided, then tied", class_="faded", size=SMALL)]
    for place, (name, line, label) in enumerate(zip(names, judges, labels, strict=True)):
        parts += _row(name, line, label, start, unit, TOP + ROW * (place + 0.5))
    return start + AXIS + GAP + width_of(labels), TOP + ROW * len(judges) + 4, parts


def _row(name: str, line: dict, label: str, start: float, unit: float, y: float) -> Iterator[SafeString]:
    yield words(start - GAP, y, name, "end", "name")
    made, ties = line["unexpanded"] or 0, line["unexpanded_ties"] or 0
    yield box(start, y - 7, unit * (made - ties), 14, "bar")
    yield box(start + unit * (made - ties), y - 7, unit * ties, 14, "bar tied")
    yield words(start + unit * made + GAP / 2, y, label)


def counts_sentence(judges: Sequence[dict], total: dict) -> str:
    made, ties = total["unexpanded"] or 0, total["unexpanded_ties"] or 0
    text = f"{counted(len(judges), 'judge')} compared {counted(made, 'pair')} of outputs, {ties:,} of them as ties"
    if len(judges) < 2:
        return f"{text}."
    ordered = sorted(judges, key=lambda line: line["unexpanded"] or 0)
    least, most = ordered[0], ordered[-1]
    return (
        f"{text}: most by {most['judge']} ({most['unexpanded'] or 0:,}), "
        f"fewest by {least['judge']} ({least['unexpanded'] or 0:,})."
    )
