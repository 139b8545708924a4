"""How judging goes: a curve that climbs from the first judgment towards the line of all seats."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from itertools import accumulate
from typing import NamedTuple

from django.utils.safestring import SafeString

from judgments.pictures.drawing import SMALL, curve, dot, frame, line, words
from judgments.pictures.numbers import counted
from judgments.pictures.plot import Plot
from judgments.pictures.scale import Scale

NAME, TITLE = "progress", "Progress over time"
# As wide as a phone, on which the newest is in view as well.
TOP, HEIGHT, AXIS, GAP, BOTTOM, AIR = 32, 140, 296, 12, 28, 12
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
STEPS = (HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 7 * DAY, 14 * DAY, 28 * DAY, 91 * DAY, 182 * DAY)
MOST_TICKS = 5.5
FROM_ON_WITH_YEARS = 28 * DAY


class Judged(NamedTuple):
    """So many seats were judged within the hour that began then."""

    hour: datetime
    seats: int


def progress_curve(judged: Sequence[Judged], seats: int, until: datetime | None = None) -> Plot | None:
    """The plot, if anything was judged; while a campaign goes on it reaches until now, so that a standstill is seen."""
    if not judged:
        return None
    start, last = judged[0].hour, judged[-1].hour + HOUR
    end = max(last, until) if until else last
    told = sentence(judged, seats)
    return Plot(NAME, TITLE, told, _picture(judged, seats, start, end, told))


def _picture(judged: Sequence[Judged], seats: int, start: datetime, end: datetime, told: str) -> SafeString:
    done = list(accumulate(one.seats for one in judged))
    across = Scale(0.0, (end - start).total_seconds(), AIR, AIR + AXIS)
    upright = Scale(0.0, float(max(seats, done[-1])), TOP + HEIGHT, TOP)
    # Of points that share a dot of the screen, the last; a year has many hours.
    thinned = {round(x): (x, y) for x, y in _steps(judged, done, start, across, upright)}
    top, height = upright.at(seats), upright.at(done[-1])
    parts = [words(AIR, TOP / 2, "Seats judged", class_="faded", size=SMALL)]
    parts.append(words(across.end, TOP / 2, f"all {seats:,}", "end", "faded", SMALL))
    for moment, mark in _marks(start, end):
        x = across.at((moment - start).total_seconds())
        parts += [line(x, TOP, x, upright.start, "grid"), words(x, upright.start + 16, mark, "middle", "faded", SMALL)]
    parts += [line(AIR, y, across.end, y, "zero") for y in (upright.start, top)]
    parts += [curve([*thinned.values(), (across.end, height)], "curve"), dot(across.end, height)]
    if height - top > 2 * GAP:  # else it would lie on the line of all
        parts.append(words(across.end, height - GAP, f"{done[-1]:,}", "end", "name"))
    return frame(NAME, TITLE, told, across.end + AIR, upright.start + BOTTOM, parts)


def _steps(
    judged: Sequence[Judged], done: Sequence[int], start: datetime, across: Scale, upright: Scale
) -> Iterator[tuple[float, float]]:
    """Where the curve goes: level between hours, up within them."""
    for one, number in zip(judged, done, strict=True):
        begins = (one.hour - start).total_seconds()
        yield across.at(begins), upright.at(number - one.seats)
        yield across.at(begins + HOUR.total_seconds()), upright.at(number)


def _marks(start: datetime, end: datetime) -> Iterator[tuple[datetime, str]]:
    """Hours or days, as close as their labels allow."""
    step = next((step for step in STEPS if (end - start) / step <= MOST_TICKS), (end - start) / MOST_TICKS)
    moment = start.replace(hour=0, minute=0, second=0, microsecond=0)
    while moment <= end:
        if moment >= start:
            yield moment, _mark(moment, step)
        moment += step


def _mark(moment: datetime, step: timedelta) -> str:
    if step < DAY and moment.hour:
        return f"{moment:%H:%M}"
    day = f"{moment.day} {moment:%b}"
    return f"{day} {moment.year}" if step >= FROM_ON_WITH_YEARS else day


def sentence(judged: Sequence[Judged], seats: int) -> str:
    """How many of all, from when to when, and on which day most."""
    by_day: dict[date, int] = {}
    for one in judged:
        by_day[one.hour.date()] = by_day.get(one.hour.date(), 0) + one.seats
    told = f"{sum(by_day.values()):,} of {counted(seats, 'seat')} {'is' if seats == 1 else 'are'} judged"
    first, last = min(by_day), max(by_day)
    if first == last:
        return f"{told}, all on {_full(first)}."
    busiest = max(by_day, key=lambda day: by_day[day])
    return f"{told}, from {_full(first)} to {_full(last)}; most on {_full(busiest)} ({by_day[busiest]:,})."


def _full(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"
