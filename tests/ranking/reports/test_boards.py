"""The live board: how it goes, an interim ranking at most every minute, and for organisers alone."""

from datetime import date, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from judgments.campaigns import overview, states
from judgments.jobs.attempts import run_now
from judgments.judges import invitations
from judgments.models import Assignment, Campaign, Job
from ranking.models import Report, ReportInputs
from ranking.reports import boards, building, downloads, plans
from ranking.stats.comparisons.study import PRESETS
from ranking.stats.rankings.stopping import Goal
from tests import factory
from tests.judgments.jobs.running import run_job


@pytest.fixture
def client(olga, browser_of):
    return browser_of(olga)


def done(campaign) -> Report:
    report = boards.refresh(campaign)
    run_now(report)
    report.refresh_from_db()
    return report


def make_old(report: Report) -> None:
    Report.objects.filter(pk=report.pk).update(created_at=timezone.now() - timedelta(minutes=2))


@pytest.mark.wide
def test_an_interim_ranking_is_made_of_what_the_board_shows_alone(campaign, ada, ben, client):
    factory.answer_all(ada)
    factory.answer_all(ben)
    report = done(campaign)
    assert (report.state, report.is_interim, report.parameters["replicates"]) == (Job.State.DONE, True, 200)
    page = client.get(reverse("board", args=[campaign.slug])).content.decode()
    assert "Interim, from 10 judgments" in page
    assert "of 6 pairs separated" in page
    assert "Heron" in page
    tables = downloads.tables_of(report)
    assert tables.keys() == {"judgments_over_time", "standings", "pairs", "simultaneous"}
    assert "fewer than 50 combinations" in report.gaps["agreement"]
    assert not ReportInputs.objects.filter(report=report).exists()
    whole = building.request_report(campaign, parameters=boards.GLANCE)
    run_now(whole)
    assert boards.glance(tables) == boards.glance(downloads.tables_of(whole))


def test_it_is_made_at_most_every_minute_and_only_if_something_changed(campaign, ada, ben):
    factory.answer_all(ada)
    first = done(campaign)
    assert boards.refresh(campaign) is None, "it was just made"
    make_old(first)
    assert boards.refresh(campaign) is None, "nothing changed"
    factory.answer(factory.claiming.claim_next(ben))
    second = boards.refresh(campaign)
    assert second.pk > first.pk
    assert boards.refresh(campaign) is None, "one is under way"
    assert boards.interim(campaign)[0] == first
    run_now(second)
    assert boards.interim(campaign)[0] == second
    # After one that took long comes a longer pause.
    factory.answer(factory.claiming.claim_next(ben))
    make_old(second)
    begun = timezone.now()
    Report.objects.filter(pk=second.pk).update(started_at=begun, finished_at=begun + timedelta(seconds=30))
    assert boards.refresh(campaign) is None, "a fifth of the time is enough"
    Report.objects.filter(pk=second.pk).update(finished_at=begun + timedelta(seconds=20))
    assert boards.refresh(campaign) is not None


def test_it_is_made_by_one_worker_even_where_reports_are_split_and_stands_in_no_list(campaign, ada, settings, client):
    settings.REPORT_WORKERS = 2
    factory.answer_all(ada)
    report = boards.refresh(campaign)
    run_job("report", report.pk)
    report.refresh_from_db()
    assert report.state == Job.State.DONE
    page = client.get(reverse("report_list", args=[campaign.slug])).content.decode()
    assert reverse("report", args=[report.pk]) not in page
    assert client.get(reverse("api_reports", args=[campaign.slug])).json()["results"] == []


@pytest.mark.wide
@pytest.mark.postgresql
def test_older_ones_go(campaign, ada, ben):
    factory.answer_all(ada)
    for _ in range(3):
        make_old(done(campaign))
        factory.answer(factory.claiming.claim_next(ben))
    assert Report.objects.interim(campaign).count() <= 2


def test_after_a_failure_the_next_minute_tries_again(campaign, ada):
    failed = boards.refresh(campaign)
    run_now(failed)
    failed.refresh_from_db()
    assert failed.state == Job.State.FAILED
    make_old(failed)
    factory.answer_all(ada)
    assert done(campaign).state == Job.State.DONE
    assert not Report.objects.filter(pk=failed.pk).exists()


def test_the_board_counts_who_was_invited_and_has_not_joined(campaign, client):
    invitations.invite(campaign, ["dan", "eve"])
    page = client.get(reverse("board", args=[campaign.slug])).content.decode()
    assert "None of the 2 invited judges has joined yet." in page


@pytest.mark.postgresql
def test_speed_and_forecast_by_hand(campaign, client, ada, monkeypatch):
    assert overview.speed(campaign, overview.progress(campaign)).finish is None
    page = client.get(reverse("board", args=[campaign.slug])).content.decode()
    assert "It appears with the first judgments." in page
    assert factory.answer_all(ada)
    few = overview.speed(campaign, overview.progress(campaign))
    assert (few.last_day, few.finish) == (5, None), "five judgments do not foretell an end"
    assert "too few judgments in the last day" in client.get(reverse("board", args=[campaign.slug])).content.decode()
    monkeypatch.setattr(overview, "FEWEST_FOR_PACE", 5)
    # Of 10 assignments 5 were judged in the last day, so the other 5 take another day, or as long as it is open.
    now = timezone.now()
    Campaign.objects.update(opened_at=now - timedelta(days=3))
    campaign.refresh_from_db()
    first = Assignment.objects.done().order_by("pk").first()
    Assignment.objects.filter(pk=first.pk).update(submitted_at=now - timedelta(hours=3))
    speed = overview.speed(campaign, overview.progress(campaign))
    assert (speed.last_hour, speed.last_day) == (4, 5)
    assert abs(speed.finish - now - timedelta(days=1)) < timedelta(minutes=1)
    campaign.opened_at = now - timedelta(hours=4)
    speed = overview.speed(campaign, overview.progress(campaign))
    assert abs(speed.finish - now - timedelta(hours=4)) < timedelta(minutes=1)
    states.close_campaign(campaign)
    page = client.get(reverse("board", args=[campaign.slug])).content.decode()
    assert "Judging goes on when the campaign is opened." in page
    assert "present pace" not in page


@pytest.mark.parametrize(
    ("left", "last_hour", "last_day", "pace"),
    [(120, 60, 60, 60 * 24), (241, 60, 60, 60), (120, 9, 60, 60), (20, 10, 480, 480), (1, 9, 9, 0)],
    ids=["soon", "for days", "too few in the hour", "slower than the day", "too few"],
)
def test_the_pace_is_that_of_the_last_hour_if_it_soon_finishes_what_is_left(left, last_hour, last_day, pace):
    long_open = Campaign(opened_at=timezone.now() - timedelta(days=3))
    assert overview.per_day(long_open, left, last_hour, last_day) == pace


def test_no_probability_of_being_the_best_is_shown_as_0_or_1(campaign, ada, client, monkeypatch):
    factory.answer_all(ada)
    done(campaign)
    best = [("Heron", 0.999), ("Wren", 0.001)]
    monkeypatch.setattr(boards, "glance", lambda _: {"pairs": 6, "resolved": 0, "best": best, "kappa": None})
    page = client.get(reverse("board", args=[campaign.slug])).content.decode()
    assert "Probability of being the best: Heron &gt;0.99, Wren &lt;0.01." in page


def test_a_script_requests_a_board_and_learns_its_state(
    campaign, ada, client, no_worker, django_capture_on_commit_callbacks
):
    factory.answer_all(ada)
    address = reverse("refresh_board", args=[campaign.slug])
    with django_capture_on_commit_callbacks(execute=True):
        reply = client.post(address, headers={"Accept": "application/json"}).json()
    report = Report.objects.get()
    assert reply == {"report": None, "going": True}
    assert no_worker == ["long"]
    run_now(report)
    reply = client.post(address, headers={"Accept": "application/json"}).json()
    assert reply == {"report": report.pk, "going": False}
    assert client.post(address).url == reverse("board", args=[campaign.slug])


@pytest.mark.wide
def test_the_board_asks_a_fixed_number_of_questions(campaign, ada, ben, client, django_assert_num_queries):
    factory.answer_all(ada)
    done(campaign)
    page = reverse("board", args=[campaign.slug])
    with django_assert_num_queries(19):
        client.get(page)
    factory.answer_all(ben)
    with django_assert_num_queries(19):
        client.get(page)


@pytest.mark.wide
def test_the_rules_of_a_plan_say_where_they_stand(campaign, ada, ben, olga, client):
    page = reverse("board", args=[campaign.slug])
    assert "No stopping rule is fixed" in client.get(page).content.decode()
    parameters = PRESETS["recommended"].with_changes(delta=0.9)
    plans.fix_plan(campaign, olga, "recommended", parameters, 10, until=date(2099, 5, 17), goal=Goal.PAIRS)
    factory.answer_all(ada)
    shown = client.get(page).content.decode()
    for text in ("5 judged", "about 5 judgments", "On 17 May 2099", "equivalent within 0.9", "no interim ranking yet"):
        assert text in shown
    assert "A stopping rule is met" not in shown
    report = done(campaign)
    assert report.parameters["delta"] == 0.9
    assert "0 of 6 pairs" in client.get(page).content.decode()
    assert "Stopping now would forgo about" in client.get(page).content.decode()
    factory.answer_all(ben)
    assert "A stopping rule is met" in client.get(page).content.decode()
    stopping = client.get(reverse("api_board", args=[campaign.slug])).json()["stopping"]
    assert [rule["is_met"] for rule in stopping["rules"]] == [True, False, False]


@pytest.mark.wide
def test_a_report_says_what_ends_judging_and_how_often_somebody_looked(campaign, ada, ben, olga, client):
    factory.answer_all(ada)
    make_old(done(campaign))
    factory.answer_all(ben)
    done(campaign)
    plans.fix_plan(campaign, olga, "recommended", PRESETS["recommended"], 10, goal=Goal.BEST)
    report = building.request_report(campaign)
    run_now(report)
    report.refresh_from_db()
    _, ending, looks = report.course
    assert "judging ends after 10 judgments; or when the best system is known" in ending
    assert "a ranking was computed 2 times, after 5 judgments" in looks
    assert "those of a single look" in looks
    assert looks in client.get(report.get_absolute_url()).content.decode()
