"""Plots of a campaign while it goes on: progress over time, and how much its material gives to compare."""

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from django.urls import reverse

from judgments.campaigns import overview, states
from judgments.charts.columns import distinct_outputs
from judgments.charts.svg import SMALL, width_of
from judgments.models import Assignment, Campaign
from judgments.web.charts import Course, progress_chart, progress_curve
from tests import factory

NOON = datetime(2024, 3, 2, 12, tzinfo=UTC)


def points(svg: str) -> list[tuple[float, float]]:
    points = re.search(r'<polyline points="([^"]+)"', svg)[1]
    return [tuple(map(float, point.split(","))) for point in points.split()]


def at(assignment: Assignment, moment: datetime) -> None:
    Assignment.objects.filter(pk=assignment.pk).update(submitted_at=moment)


def course(*judged: int, days: float = 1.0, last: float = 0.0) -> Course:
    return Course(NOON, NOON + timedelta(days=last), NOON + timedelta(days=days), judged)


def test_the_curve_climbs_towards_all_assignments_and_says_so():
    plot = progress_curve(course(3, 4, 4, 5, last=1), assignments=8)
    assert plot.sentence == "5 of 8 assignments are judged, from 2 March 2024 to 3 March 2024."
    assert points(plot.svg) == [(12 + 160 * place, 192 - 160 * done / 8) for place, done in enumerate((0, 3, 4, 4, 5))]


@pytest.mark.parametrize("days", [0.1, 1, 2.5, 5, 18, 40, 100, 400, 1000, 4000])
def test_marks_of_hours_days_and_years_keep_their_distance(days):
    plot = progress_curve(course(1, days=days), assignments=1)
    assert plot.sentence == "1 of 1 assignment is judged, all on 2 March 2024."
    marks = re.findall(r'<text x="([\d.]+)"[^>]* text-anchor="middle"[^>]*>([^<]+)<', plot.svg)
    ends = [(float(x) - width_of([label], SMALL) / 2, float(x) + width_of([label], SMALL) / 2) for x, label in marks]
    assert ends
    assert all(after[0] >= before[1] - 6 for before, after in pairwise(ends)), "signs are reckoned too wide"
    assert ends[0][0] >= -0.1
    assert ends[-1][1] <= 664.1


@pytest.mark.wide
def test_assigned_assignments_are_counted_as_they_came(campaign, ada, ben):
    states.close_campaign(campaign)
    assert overview.course(campaign, overview.progress(campaign)) is None
    states.open_campaign(campaign)
    for judgment, minutes in zip(factory.answer_all(ada), (0, 9, 10, 300, 599), strict=True):
        at(judgment.assignment, NOON + timedelta(minutes=minutes))
    states.close_campaign(campaign)
    campaign.refresh_from_db()
    found = overview.course(campaign, overview.progress(campaign))
    assert (found.first, found.last) == (NOON, NOON + timedelta(minutes=599))
    assert found.until == found.last
    assert (len(found.judged), found.judged[0], found.judged[1], found.judged[30:32]) == (60, 2, 3, (4, 4))
    assert found.judged[-1] == 5


def test_a_standstill_is_seen_until_now(campaign, ada, django_assert_num_queries):
    for judgment in factory.answer_all(ada):
        at(judgment.assignment, NOON)
    progress = overview.progress(campaign)
    found = overview.course(campaign, progress)
    assert found.until > found.last == NOON
    assert set(found.judged) == {5}
    with django_assert_num_queries(3):
        progress_chart(campaign, progress)
    # Judgments recorded elsewhere are no progress.
    Assignment.objects.filter(judge=ada).update(batch=None)
    assert progress_chart(campaign, overview.progress(campaign)) is None
    assert overview.has_judgments(campaign)


def test_plots_are_shown_as_soon_as_there_is_anything_in_them(campaign, ada, olga, browser_of):
    """The source takes part, and Wren is as the source on two of five sentences."""
    client = browser_of(olga)
    material, board = (reverse(name, args=[campaign.slug]) for name in ("material", "board"))
    assert "On 5 sentences the systems have" in client.get(material).content.decode()
    assert distinct_outputs(overview.distinct_outputs(Campaign.objects.create(slug="empty", name="Empty"))) is None
    assert "<svg" not in client.get(board).content.decode()
    factory.answer_all(ada)
    page = client.get(board).content.decode()
    assert ("5 of 10 assignments are judged, all on" in page, page.count("<svg")) == (True, 1)
