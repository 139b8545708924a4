"""The chart of judged assignments over time, with a line for all assignments."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial

from judgments.campaigns.overview import CampaignProgress, Course, course
from judgments.charts.axes import Axis
from judgments.charts.numbers import quantity
from judgments.charts.svg import SMALL, Chart, Drawing, curve, dot, draw_chart, line, width_of, words
from judgments.models import Campaign

# Wider than a phone's screen, on which the newest part is in view, and the rest is scrolled to.
TOP, HEIGHT, LENGTH, GAP, BOTTOM, AIR = 32, 160, 640, 12, 28, 12
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
STEPS = (
    *(minutes * MINUTE for minutes in (1, 5, 15, 30)),
    *(hours * HOUR for hours in (1, 3, 6, 12)),
    *(days * DAY for days in (1, 2, 4, 7, 14, 28, 91, 182)),
)
# Marks from this step on include the year, and need more room.
WITH_YEARS = 28 * DAY
MOST_MARKS, MOST_WITH_YEARS = 11, 6.5


def progress_chart(campaign: Campaign, progress: CampaignProgress) -> Chart | None:
    """Draw the progress of judging so far, or return None without judgments."""
    found = course(campaign, progress)
    return progress_curve(found, progress.assignments) if found else None


def progress_curve(course: Course, assignments: int) -> Chart:
    are = "is" if assignments == 1 else "are"
    text = f"{course.judged[-1]:,} of {quantity(assignments, 'assignment')} {are} judged"
    first, last = (f"{day.day} {day:%B} {day.year}" for day in (course.first, course.last))
    text += f", all on {first}." if first == last else f", from {first} to {last}."
    return draw_chart("progress", "Progress over time", text, partial(_drawing, course, assignments), tables=())


def _drawing(course: Course, assignments: int) -> Drawing:
    done = course.judged[-1]
    across = Axis(0.0, (course.until - course.first).total_seconds(), AIR, AIR + LENGTH)
    upright = Axis(0.0, float(max(assignments, done)), TOP + HEIGHT, TOP)
    step = LENGTH / len(course.judged)
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
    return across.end + AIR, upright.start + BOTTOM, parts


def _marks(start: datetime, end: datetime) -> Iterator[tuple[datetime, str]]:
    """Yield marks at hours or days, as dense as their labels allow."""
    most = {step: MOST_MARKS if step < WITH_YEARS else MOST_WITH_YEARS for step in STEPS}
    step = next((step for step in STEPS if (end - start) / step <= most[step]), (end - start) / MOST_WITH_YEARS)
    moment = start.replace(hour=0, minute=0, second=0, microsecond=0)
    while moment <= end:
        day = f"{moment.day} {moment:%b}"
        if moment < start:
            pass
        elif step < DAY and (moment.hour or moment.minute):
            yield moment, f"{moment:%H:%M}"
        else:
            yield moment, f"{day} {moment.year}" if step >= WITH_YEARS else day
        moment += step
