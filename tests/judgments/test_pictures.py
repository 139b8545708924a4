"""Plots of a campaign while it goes on: progress over time, and how much its material gives to compare."""

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from django.urls import reverse

from judgments import overview
from judgments.models import Campaign, Seat
from judgments.pictures.progress_curve import HOUR, Judged, progress_curve
from tests import factory

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.fixture
def client(olga, browser_of):
    return browser_of(olga)


def points(svg: str) -> list[tuple[float, float]]:
    given = re.search(r'<polyline points="([^"]+)"', svg)[1]
    return [tuple(map(float, point.split(","))) for point in given.split()]


def at(seat: Seat, moment: datetime) -> None:
    Seat.objects.filter(pk=seat.pk).update(submitted_at=moment)


def test_the_curve_climbs_hour_by_hour_and_says_so():
    plot = progress_curve([Judged(NOON, 3), Judged(NOON + 2 * HOUR, 1), Judged(NOON + 30 * HOUR, 1)], seats=8)
    assert plot.sentence == "5 of 8 seats are judged, from 2 March 2026 to 3 March 2026; most on 2 March 2026 (4)."
    (first, *_, last), heights = points(plot.svg), [y for _, y in points(plot.svg)]
    assert heights == sorted(heights, reverse=True)
    assert (first[1], last[1]) == (172, 172 - 140 * 5 / 8)


def test_a_standstill_is_seen_until_now():
    judged = [Judged(NOON, 2)]
    short = progress_curve(judged, seats=2)
    long = progress_curve(judged, seats=2, until=NOON + timedelta(days=9))
    assert short.sentence == long.sentence == "2 of 2 seats are judged, all on 2 March 2026."
    (_, _, climbed), (before, _, now) = points(short.svg)[-3:], points(long.svg)[-3:]
    assert climbed[0] == now[0] > before[0] + 200


@pytest.mark.parametrize("days", [0, 1, 5, 40, 400, 4000])
def test_marks_of_hours_days_and_years_keep_their_distance(days):
    plot = progress_curve([Judged(NOON, 1), Judged(NOON + timedelta(days=days, hours=7), 1)], seats=5)
    places = [float(x) for x in re.findall(r'<text x="([\d.]+)"[^>]* text-anchor="middle"', plot.svg)]
    assert places
    assert all(after - before > 40 for before, after in pairwise(places))


def test_a_year_of_hours_is_a_curve_of_few_points():
    judged = [Judged(NOON + number * HOUR, 1) for number in range(24 * 365)]
    assert len(points(progress_curve(judged, seats=10_000).svg)) < 400


def test_nothing_judged_is_no_curve():
    assert progress_curve([], seats=5) is None


def test_dealt_seats_are_counted_by_the_hour(campaign, ada):
    for judgment, minutes in zip(factory.judge_all(ada), (0, 59, 60, 300), strict=False):
        at(judgment.seat, NOON + timedelta(minutes=minutes))
    Seat.objects.filter(submitted_at__gt=NOON + timedelta(days=1)).update(submitted_at=NOON)
    assert overview.judged_by_hour(campaign) == [(NOON, 3), (NOON + HOUR, 1), (NOON + 5 * HOUR, 1)]


@pytest.mark.parametrize("name", ["organise", "board"])
def test_progress_over_time_is_shown_as_soon_as_there_is_any(campaign, ada, client, name):
    address = reverse(name, args=[campaign.slug])
    assert "<svg" not in client.get(address).content.decode()
    factory.judge_all(ada)
    page = client.get(address).content.decode()
    assert "5 of 10 seats are judged, all on" in page
    assert page.count("<svg") == 1


def test_the_material_shows_how_often_outputs_differ(campaign, client):
    """The source takes part, and Wren is as the source on two of five sentences."""
    page = client.get(reverse("material", args=[campaign.slug])).content.decode()
    assert "On 5 sentences the systems have" in page
    assert overview.distinct_outputs_plot(Campaign.objects.create(slug="empty", name="Empty")) is None


def test_what_is_recorded_elsewhere_is_no_progress(campaign, ada):
    factory.judge_all(ada)
    Seat.objects.filter(judge=ada).update(batch=None)
    assert overview.progress_plot(campaign, overview.progress(campaign)) is None
    assert overview.has_judgments(campaign)
