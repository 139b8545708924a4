"""The chart of judged assignments over time, with a line for all assignments."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.utils.safestring import SafeString

from judgments.campaigns.overview import Course, Progress, course
from judgments.models import Campaign
from judgments.web.charts.drawing import SMALL, Chart, curve, dot, frame, line, width_of, words
from judgments.web.charts.numbers import counted
from judgments.web.charts.scale import Scale

NAME, TITLE = "progress", "Progress over time"
# As wide as a phone's screen, so that the newest part is visible there.
TOP, HEIGHT, AXIS, GAP, BOTTOM, AIR = 32, 140, 296, 12, 28, 12
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
STEPS = (
    *(minutes * MINUTE for minutes in (1, 5, 15, 30)),
    *(hours * HOUR for hours in (1, 3, 6, 12)),
    *(days * DAY for days in (1, 2, 4, 7, 14, 28, 91, 182)),
)
# Marks from this step on include the year, and need more room.
WITH_YEARS = 28 * DAY
MOST_MARKS, MOST_WITH_YEARS = 5.5, 3.5


def progress_chart(campaign: Campaign, progress: Progress) -> Chart | None:
    """Draw the progress of judging so far, or return None without judgments."""
    found = course(campaign, progress)
    return progress_curve(found, progress.assignments) if found else None


def progress_curve(course: Course, assignments: int) -> Chart:
    description = sentence(course, assignments)
    return Chart(NAME, TITLE, description, _drawing(course, assignments, description))


def _drawing(course: Course, assignments: int, description: str) -> SafeString:
    done = course.judged[-1]
    across = Scale(0.0, (course.until - course.first).total_seconds(), AIR, AIR + AXIS)
    upright = Scale(0.0, float(max(assignments, done)), TOP + HEIGHT, TOP)
    step = AXIS / len(course.judged)
    points = [(AIR + step * place, upright.at(judged)) for place, judged in enumerate((0, *course.judged))]
    top, height = upright.at(assignments), upright.at(done)
    parts = [words(AIR, TOP / 2, "Assignments judged", class_="faded", size=SMALL)]
    parts.append(words(across.end, TOP / 2, f"all {assignments:,}", "end", "faded", SMALL))
    for moment, mark in _marks(course.first, course.until):
        x = across.at((moment - course.first).total_seconds())
        half = width_of([mark], SMALL) / 2
        inside = min(max(x, half), across.end + AIR - half)
        parts.append(line(x, TOP, x, upright.start, "grid"))
        parts.append(words(inside, upright.start + 16, mark, "middle", "faded", SMALL))
    parts += [line(AIR, y, across.end, y, "zero") for y in (upright.start, top)]
    parts += [curve(points, "curve"), dot(across.end, height)]
    if height - top > 2 * GAP:  # otherwise the label would cover the line of all assignments
        parts.append(words(across.end, height - GAP, f"{done:,}", "end", "name"))
    return frame(NAME, TITLE, description, across.end + AIR, upright.start + BOTTOM, parts)


def _marks(start: datetime, end: datetime) -> Iterator[tuple[datetime, str]]:
    """Yield marks at hours or days, as dense as their labels allow."""
    most = {step: MOST_MARKS if step < WITH_YEARS else MOST_WITH_YEARS for step in STEPS}
    step = next((step for step in STEPS if (end - start) / step <= most[step]), (end - start) / MOST_WITH_YEARS)
    moment = start.replace(hour=0, minute=0, second=0, microsecond=0)
    while moment <= end:
        if moment >= start:
            yield moment, _mark(moment, step)
        moment += step


def _mark(moment: datetime, step: timedelta) -> str:
    if step < DAY and (moment.hour or moment.minute):
        return f"{moment:%H:%M}"
    day = f"{moment.day} {moment:%b}"
    return f"{day} {moment.year}" if step >= WITH_YEARS else day


def sentence(course: Course, assignments: int) -> str:
    """Describe how many assignments were judged, and in which period."""
    are = "is" if assignments == 1 else "are"
    description = f"{course.judged[-1]:,} of {counted(assignments, 'assignment')} {are} judged"
    first, last = (f"{day.day} {day:%B} {day.year}" for day in (course.first, course.last))
    return f"{description}, all on {first}." if first == last else f"{description}, from {first} to {last}."
