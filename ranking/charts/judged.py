"""What was judged: judgments by day, and distinct outputs by sentence."""

from collections.abc import Mapping
from datetime import date, timedelta

from judgments.charts import columns
from judgments.charts.numbers import quantity
from judgments.charts.svg import Chart, Drawing, draw_chart
from ranking.charts.lines import lines_of
from ranking.numbers.tables import Table
from ranking.stats.analysis import BY_DAY

MOST_DAYS = 750
# The least distance between labels such as "25 Nov", and between those such as "Nov 2026".
ROOM_OF_DAY, ROOM_OF_MONTH = 52, 72
STEPS_IN_DAYS, STEPS_IN_MONTHS = (1, 2, 7, 14), (1, 2, 3, 6, 12)
DAYS_OF_MONTH = 28


def judgments_over_time(tables: Mapping[str, Table]) -> list[Chart]:
    lines = sorted(lines_of(tables, BY_DAY, "day", "judgments"), key=lambda line: line["day"])
    if not lines:
        return []
    days = [date.fromisoformat(line["day"]) for line in lines]
    full, amounts = [f"{day.day} {day:%B} {day.year}" for day in days], []
    for line in lines:
        by = "" if line["judges"] is None else f" by {quantity(line['judges'], 'judge')}"
        amounts.append(f"{quantity(line['judgments'], 'judgment')}{by}")
    slots = (days[-1] - days[0]).days + 1
    text = f"All of {amounts[0]} came on {full[0]}."
    if len(lines) > 1:
        judgments = [line["judgments"] for line in lines]
        busiest = judgments.index(max(judgments))
        on = f"{len(days):,} days" if slots == len(days) else f"{len(days):,} of {slots:,} days"
        text = f"{quantity(sum(judgments), 'judgment')} came on {on}, most on {full[busiest]}: {amounts[busiest]}."
    too_large = f"First and last day are {slots - 1:,} days apart, too many for a chart"
    counts = [((day - days[0]).days, line["judgments"], f"{name}: {amount}")
              for day, line, name, amount in zip(days, lines, full, amounts, strict=True)]  # fmt: skip
    heads = "Judgments", full[0] if len(lines) == 1 else f"{full[0]} to {full[-1]}"

    def draw() -> Drawing:
        return columns.columns(heads, counts, slots, _day_marks(days[0], slots))

    return [draw_chart(BY_DAY, "Judgments by day", text, draw, slots > MOST_DAYS and too_large)]


def _day_marks(first: date, slots: int) -> list[tuple[int, str]]:
    """Name days, or the first days of months, as densely as labels allow."""
    slot, days = columns.slot_width(slots), [first + timedelta(place) for place in range(slots)]
    if step := next((step for step in STEPS_IN_DAYS if step * slot >= ROOM_OF_DAY), 0):
        return [(place, f"{days[place].day} {days[place]:%b}") for place in range(0, slots, step)]
    step = next(step for step in STEPS_IN_MONTHS if step * DAYS_OF_MONTH * slot >= ROOM_OF_MONTH)
    firsts = [(place, day) for place, day in enumerate(days) if day.day == 1 and (day.month - 1) % step == 0]
    return [(place, f"{day:%b} {day.year}") for place, day in firsts]


def distinct_outputs(tables: Mapping[str, Table]) -> list[Chart]:
    lines = lines_of(tables, columns.DISTINCT_OUTPUTS, "distinct", "sentences")
    sentences = {line["distinct"]: line["sentences"] for line in lines}
    chart = columns.distinct_outputs(sentences, (columns.DISTINCT_OUTPUTS,))
    return [chart] if chart else []
