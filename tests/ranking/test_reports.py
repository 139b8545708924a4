"""Reports: made once by whoever was first, the same whatever the road, failures told in a sentence."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from judgments import recording, scheduling
from judgments.heartbeat import beating
from judgments.models import Membership, Work
from judgments.models.work import MOST_ATTEMPTS, STALE_AFTER
from judgments.rules.uploads import Roles
from judgments.submission import shown_slots, submit
from ranking import reports, tasks
from ranking.extract import BY_NOBODY, ballots_of
from ranking.models import Report, Standing
from tests import factory
from tests.judgments.test_recording import XML


def made(campaign) -> Report:
    report = reports.request_report(campaign)
    reports.build(report.pk)
    report.refresh_from_db()
    return report


def standings(report: Report) -> list[tuple]:
    return list(report.standing_set.values_list("rank", "system", "score"))


def make_stale(report: Report, **changes) -> None:
    long_ago = timezone.now() - STALE_AFTER - timedelta(seconds=1)
    Report.objects.filter(pk=report.pk).update(queued_at=long_ago, heartbeat=long_ago, **changes)


def test_a_ranking_by_hand(db):
    """Heron beat Wren and the source once, and tied with them once; ties do not count."""
    campaign = factory.make_campaign({"source": factory.SOURCE, **factory.SYSTEMS})
    recording.record_judgments(campaign, "judgments.xml", XML.encode(), "appraise-xml")
    report = made(campaign)
    # Heron won all comparisons with 2 of 3 others; Wren and source won none; Magpie was never shown.
    assert standings(report) == [(1, "Heron", 2 / 3), (2, "Magpie", 0), (2, "Wren", 0), (2, "source", 0)]
    counts = {row.judge: row for row in report.comparisoncount_set.all()}
    ada = counts["ada"]
    assert (ada.rankings, ada.unexpanded, ada.unexpanded_ties, ada.expanded, ada.expanded_ties) == (2, 2, 1, 6, 4)
    assert (counts["ben"].rankings, counts["ben"].skipped) == (1, 1)


def test_a_report_says_what_it_stands_on(campaign, ada):
    factory.judge_all(ada)
    report = made(campaign)
    assert report.state == Work.State.DONE
    assert report.signature == "expected-wins|judgments:5|judges:1|systems:4|ties:dropped|code:1.0"


def test_the_same_judgments_give_the_same_report(campaign, ada, ben):
    factory.judge_all(ada)
    factory.judge_all(ben)
    assert standings(made(campaign)) == standings(made(campaign))


def test_higher_ratings_win(db):
    campaign = factory.open_campaign(protocol="rating")
    factory.judge_all(factory.judge(campaign, "ada"))
    found = ballots_of(campaign)
    assert all(group.rank <= 0 for ballot in found.ballots for group in ballot.groups)
    assert made(campaign).state == Work.State.DONE


def test_only_the_newest_revision_counts(campaign, ada):
    seat = scheduling.claim_next(ada)
    factory.answer(seat)
    factory.answer(seat)
    assert len(ballots_of(campaign).ballots) == 1


def test_an_excluded_judge_does_not_count(campaign, ada, ben):
    factory.judge_all(ada)
    factory.judge_all(ben)
    Membership.objects.filter(pk=ben.pk).update(excluded_at=timezone.now())
    assert ballots_of(campaign).judges == ["ada"]


def test_controls_and_references_stand_in_no_ballot(db):
    texts = {"source": factory.SOURCE, **factory.SYSTEMS, "worse": [f"the the {line}" for line in factory.SOURCE]}
    roles = Roles(source_takes_part=True, controls=frozenset({"worse"}))
    campaign = factory.open_campaign(texts, roles, control_share=1.0)
    factory.judge_all(factory.judge(campaign, "ada"))
    assert ballots_of(campaign).systems == ["Heron", "Magpie", "Wren", "source"]


def test_automatic_ties_are_nobodys_ballots(db):
    same = ["All agree ."]
    texts = {"source": [*factory.SOURCE, *same], **{name: [*lines, *same] for name, lines in factory.SYSTEMS.items()}}
    campaign = factory.open_campaign(texts, automatic_ties=True)
    factory.judge_all(factory.judge(campaign, "ada"))
    found = ballots_of(campaign)
    assert found.judges == ["ada", BY_NOBODY]
    assert [len(group.systems) for group in found.ballots[-1].groups] == [4]


def test_reading_ballots_asks_a_fixed_number_of_questions(campaign, ada, ben, django_assert_num_queries):
    factory.judge_all(ada)
    with django_assert_num_queries(5):
        ballots_of(campaign)
    factory.judge_all(ben)
    with django_assert_num_queries(5):
        ballots_of(campaign)


def test_without_judgments_a_report_fails_with_a_sentence(campaign):
    report = made(campaign)
    assert report.state == Work.State.FAILED
    assert report.error.startswith("There are no judgments yet.")


def test_when_every_ballot_is_a_tie_a_report_fails_with_a_sentence(campaign, ada):
    seat = scheduling.claim_next(ada)
    submit(seat, key=uuid4(), answers=[1] * len(shown_slots(seat)))
    assert "cannot be told apart" in made(campaign).error


def test_a_fault_in_the_program_is_told_without_details_and_raised_for_the_log(campaign, ada, monkeypatch):
    factory.judge_all(ada)
    report = reports.request_report(campaign)
    monkeypatch.setattr(reports, "win_matrix", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        reports.build(report.pk)
    report.refresh_from_db()
    assert (report.state, report.error) == (Work.State.FAILED, "Something went wrong in the program.")


def test_a_task_that_runs_twice_makes_one_report(campaign, ada):
    factory.judge_all(ada)
    report = made(campaign)
    finished = report.finished_at
    tasks.build_report(report.pk)
    report.refresh_from_db()
    assert (report.finished_at, report.attempt) == (finished, 1)
    assert report.standing_set.count() == 4


def test_the_slower_of_two_attempts_leaves_the_rows_alone(campaign, ada, monkeypatch):
    factory.judge_all(ada)
    report = reports.request_report(campaign)
    slow = reports.ballots_of

    def overtaken(of):
        make_stale(report)
        assert Report.objects.requeue(report.pk, Report.objects.get(pk=report.pk).heartbeat)
        monkeypatch.setattr(reports, "ballots_of", slow)
        reports.build(report.pk)
        return slow(of)

    monkeypatch.setattr(reports, "ballots_of", overtaken)
    reports.build(report.pk)
    report.refresh_from_db()
    assert (report.state, report.attempt) == (Work.State.DONE, 2)
    assert Standing.objects.filter(report=report).count() == 4


def test_the_sweeper_queues_again_what_a_killed_worker_left(campaign, ada, no_worker):
    factory.judge_all(ada)
    left, lost, fresh = (reports.request_report(campaign) for _ in range(3))
    Report.objects.begin(left.pk)
    make_stale(left)
    make_stale(lost)
    tasks.sweep_reports()
    assert sorted(no_worker) == sorted([left.pk, lost.pk])
    reports.build(left.pk)
    left.refresh_from_db()
    assert (left.state, left.attempt) == (Work.State.DONE, 2)
    assert Report.objects.get(pk=fresh.pk).state == Work.State.QUEUED


def test_what_shows_signs_of_life_is_left_alone(campaign, no_worker):
    report = reports.request_report(campaign)
    Report.objects.begin(report.pk)
    tasks.sweep_reports()
    assert no_worker == []


def test_two_sweepers_queue_a_report_once(campaign):
    report = reports.request_report(campaign)
    Report.objects.begin(report.pk)
    make_stale(report)
    seen = Report.objects.get(pk=report.pk).heartbeat
    assert [Report.objects.requeue(report.pk, seen) for _ in range(2)] == [True, False]


def test_a_report_that_kills_its_worker_again_and_again_is_given_up(campaign, no_worker):
    report = reports.request_report(campaign)
    make_stale(report, state=Work.State.RUNNING, attempt=MOST_ATTEMPTS)
    tasks.sweep_reports()
    report.refresh_from_db()
    assert report.state == Work.State.FAILED
    assert "may need more memory" in report.error
    assert no_worker == []


@pytest.mark.django_db(transaction=True)
def test_a_long_step_shows_signs_of_life():
    report = reports.request_report(factory.open_campaign())
    Report.objects.begin(report.pk)
    make_stale(report)
    before = Report.objects.get(pk=report.pk).heartbeat
    with beating(Report.objects.filter(pk=report.pk), seconds=0.01):
        for _ in range(500):
            if Report.objects.get(pk=report.pk).heartbeat > before:
                break
    assert Report.objects.get(pk=report.pk).heartbeat > before


@pytest.mark.django_db(transaction=True)
def test_a_report_is_queued_only_when_its_row_is_there_for_all(no_worker):
    campaign = factory.open_campaign()
    with transaction.atomic():
        report = reports.request_report(campaign)
        tasks.enqueue(report)
        assert no_worker == []
    assert no_worker == [report.pk]


def test_an_organiser_asks_waits_reads_and_takes_along(campaign, olga, ada, browser_of, no_worker, settings):
    factory.judge_all(ada)
    client = browser_of(olga)
    address = client.post(reverse("new_report", args=[campaign.slug])).url
    waiting = client.get(address).content.decode()
    assert "The report is waiting" in waiting
    report = Report.objects.get()
    reports.build(report.pk)
    state = client.get(reverse("report_state", args=[report.pk])).json()
    assert (state["state"], state["over"]) == ("done", True)
    page = client.get(address).content.decode()
    assert "Ranking by Expected Wins" in page
    table = client.get(reverse("report_file", args=[report.pk, "standings.csv"])).content.decode().splitlines()
    assert table[0] == "method,rank,system,score"
    assert len(table) == 5
    counts = client.get(reverse("report_file", args=[report.pk, "comparison_counts.csv"])).content.decode()
    assert counts.splitlines()[-1].startswith("total,5,0,")
    assert client.get(reverse("report_file", args=[report.pk, "secrets.csv"])).status_code == 404


def test_a_failed_report_tells_why_on_its_page(campaign, olga, browser_of, no_worker):
    report = made(campaign)
    page = browser_of(olga).get(reverse("report", args=[report.pk])).content.decode()
    assert "There are no judgments yet." in page
