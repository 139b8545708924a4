"""When judgments came: a bar a day, and room for the days on which none came."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from judgments.web.charts.chart import NO_PICTURE, Plot
from judgments.web.charts.columns import Bar, Mark, columns, slot_width
from judgments.web.charts.numbers import counted
from ranking.stats.tables import Table

NAME, TITLE = "judgments_over_time", "Judgments by day"
MOST = 750
# How far apart labels like "25 Nov" and "Nov 2026" stand at least.
ROOM_OF_DAY, ROOM_OF_MONTH = 52, 72
STEPS_IN_DAYS, STEPS_IN_MONTHS = (1, 2, 7, 14), (1, 2, 3, 6, 12)
DAYS_OF_MONTH = 28


class Day(NamedTuple):
    """How much was judged on a day, and by how many if that is known."""

    day: date
    judgments: int
    judges: int | None


def judgments_over_time(tables: Mapping[str, Table]) -> list[Plot]:
    """The plot, if it is known when judgments came."""
    days = sorted(_days(tables[NAME])) if NAME in tables else []
    if not days:
        return []
    told = sentence(days)
    first, last = days[0].day, days[-1].day
    slots = (last - first).days + 1
    if slots > MOST:
        told += f" First and last day are {slots - 1:,} days apart, too many for a picture; the numbers have them all."
        return [Plot(NAME, TITLE, told, NO_PICTURE, (NAME,))]
    bars = [Bar((one.day - first).days, one.judgments, f"{_full(one.day)}: {_amount(one)}") for one in days]
    heads = ("Judgments", _full(first) if first == last else f"{_full(first)} to {_full(last)}")
    picture = columns((NAME, TITLE, told), heads, bars, slots, list(_marks(first, slots)))
    return [Plot(NAME, TITLE, told, picture, (NAME,))]


def _days(table: Table) -> Iterator[Day]:
    for day, judgments, judges in zip(*map(table.column, ("day", "judgments", "judges")), strict=True):
        if day is not None and judgments is not None:
            known = None if judges is None else int(judges)
            yield Day(date.fromisoformat(str(day)), int(judgments), known)


def _marks(first: date, slots: int) -> Iterator[Mark]:
    """Days, or the first days of months, as close as their labels allow."""
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


def sentence(days: Sequence[Day]) -> str:
    """How much came on how many days, and on which most."""
    total = sum(one.judgments for one in days)
    if len(days) == 1:
        return f"All of {_amount(days[0])} came on {_full(days[0].day)}."
    busiest = max(days, key=lambda one: one.judgments)
    within = (days[-1].day - days[0].day).days + 1
    on = f"{len(days):,} days" if within == len(days) else f"{len(days):,} of {within:,} days"
    return f"{counted(total, 'judgment')} came on {on}, most on {_full(busiest.day)}: {_amount(busiest)}."


def _amount(day: Day) -> str:
    told = counted(day.judgments, "judgment")
    return told if day.judges is None else f"{told} by {counted(day.judges, 'judge')}"


def _full(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"
