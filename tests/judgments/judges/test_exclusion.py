"""Judges excluded and included, by hand and by the rule, at once or by a worker; what they judged stays."""

import csv
import json

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.urls import reverse
from rest_framework.test import APIClient

from judgments.assignment import claiming, planning
from judgments.campaigns import settings
from judgments.exchange.exporters import EXPORTS
from judgments.jobs.attempts import run_now
from judgments.jobs.control import cancel
from judgments.judges import exclusion
from judgments.models import Campaign, ExclusionJob, Job, JournalEntry, JudgeStatistics, Judgment, Membership
from judgments.rules.errors import Refused
from ranking.models import ReportInputs
from ranking.reports import building
from tests import factory
from tests.judgments.jobs.running import run_job
from tests.judgments.judges.test_statistics import controlled, judge_batch, judge_carefully


def anew(judge: Membership) -> Membership:
    return Membership.objects.select_related("campaign").get(pk=judge.pk)


@pytest.fixture
def strict(db) -> Campaign:
    """A campaign in which two of three controls have to be seen through."""
    return controlled("rating", control_pass_share=0.7)


def test_a_judge_is_excluded_and_included_for_a_reason(campaign, ada):
    factory.answer_all(ada)
    judgments = Judgment.objects.count()
    exclusion.exclude(ada, " wrote  to us ")
    ada = anew(ada)
    assert (ada.excluded_at is None, ada.exclusion_reason, ada.excluded_by_rule) == (False, "wrote to us", False)
    rows = csv.DictReader("".join(EXPORTS["judgments.csv"].parts(campaign)).splitlines())
    assert {row["excluded"] for row in rows} == {"yes"}
    assert Judgment.objects.count() == judgments
    exclusion.include(ada, "a misunderstanding")
    ada = anew(ada)
    assert (ada.excluded_at, ada.exclusion_reason, ada.kept_at is None) == (None, "", False)
    entries = list(JournalEntry.objects.values_list("what", flat=True)[:2])
    assert entries == ["included ada again: a misunderstanding", "excluded ada: wrote to us"]


def test_nobody_is_excluded_or_included_twice_or_without_a_proper_reason(ada):
    with pytest.raises(Refused, match="is not excluded"):
        exclusion.include(ada, "why not")
    for reason in ("", "  ", "x" * 201):
        with pytest.raises(Refused, match=r"reason|why"):
            exclusion.exclude(ada, reason)
    assert anew(ada).excluded_at is None
    exclusion.exclude(ada, "first")
    with pytest.raises(Refused, match="already excluded"):
        exclusion.exclude(ada, "second")
    assert anew(ada).exclusion_reason == "first"


def test_the_platform_applies_the_rule_at_the_end_of_a_batch_with_enough_controls(strict):
    ada, ben = factory.judge(strict, "ada"), factory.judge(strict, "ben")
    judge_batch(ada, careful=3)
    judge_batch(ben, careful=4)
    ada, ben = anew(ada), anew(ben)
    assert ada.exclusion_reason == "rule: 3 of 5 controls below the source, fewer than 70%"
    assert (ada.excluded_by_rule, ben.excluded_at) == (True, None)
    assert JournalEntry.objects.filter(actor="the platform", what__startswith="excluded ada: rule").exists()
    carl = factory.judge(controlled("rating", control_pass_share=0.7, least_controls=6), "carl")
    judge_batch(carl, careful=0)
    assert anew(carl).excluded_at is None


@pytest.mark.wide
def test_haste_is_looked_at_where_the_rule_says_so(db):
    campaign = factory.open_campaign(
        {name: lines * 4 for name, lines in {"source": factory.SOURCE, **factory.SYSTEMS}.items()}, least_seconds=5.0
    )
    ada, ben = factory.judge(campaign, "ada"), factory.judge(campaign, "ben")
    for judge, seconds in ((ada, 4.0), (ben, 6.0)):
        factory.judge_all(judge)
        Judgment.objects.filter(assignment__judge=judge).update(active_seconds=seconds)
    assert exclusion.apply_rule(campaign) == (0, 1)
    assert anew(ada).exclusion_reason == "rule: 4.0 seconds per screen in the median, less than 5"
    assert anew(ben).excluded_at is None


def test_the_rule_takes_back_what_it_does_not_ask_for_any_more_and_the_command_says_what_it_is(strict):
    ada = factory.judge(strict, "ada")
    judge_batch(ada, careful=0)
    assert anew(ada).excluded_by_rule
    for assignment in ada.assignment_set.filter(submitted_at__isnull=False):
        judge_carefully(assignment, careful=True)
    assert exclusion.apply_rule(strict) == (0, 1)
    assert (anew(ada).excluded_at, anew(ada).kept_at) == (None, None)
    assert (
        call_command("act", strict.slug, "apply-rule")
        == "The exclusion rule was applied: 0 excluded, 0 included again."
    )


def test_the_rule_never_touches_what_was_decided_by_hand(strict):
    ada, ben = factory.judge(strict, "ada"), factory.judge(strict, "ben")
    judge_batch(ada, careful=0)
    judge_batch(ben, careful=5)
    exclusion.include(anew(ada), "the controls were unclear")
    exclusion.exclude(anew(ben), "wrote to us")
    assert exclusion.apply_rule(strict) == (0, 0)
    assert (anew(ada).excluded_at, anew(ben).exclusion_reason) == (None, "wrote to us")


@pytest.mark.parametrize(
    ("name", "value"),
    [("control_pass_share", 0.5), ("least_controls", 9), ("least_seconds", 2.0), ("judge_again", True)],
)
def test_every_part_of_the_rule_is_fixed_before_opening(db, name, value):
    settings.configure(factory.make_campaign(), **{name: value})
    campaign = factory.open_campaign()
    with pytest.raises(Refused, match=f"has been opened, so {name} cannot"):
        settings.configure(campaign, **{name: value})


def test_the_settings_state_the_rule_and_lock_it(strict, browser_of):
    client = browser_of(factory.organiser(strict, "olga"))
    page = client.get(reverse("settings", args=[strict.slug]))
    assert exclusion.rule_of(strict) in page.content.decode()
    names = ("least_controls", "control_pass_share", "batches_per_judge")
    assert [page.context["form"].fields[name].disabled for name in names] == [True, True, False]


@pytest.mark.wide
def test_every_report_states_the_rule_and_who_did_not_count(strict, browser_of):
    ada, ben, dan = (factory.judge(strict, name) for name in ("ada", "ben", "dan"))
    judge_batch(ada, careful=0)
    judge_batch(ben, careful=5)
    exclusion.exclude(dan, "wrote to us")
    report = building.request_report(strict)
    run_now(report)
    report.refresh_from_db()
    counted = {"excluded": 2, "by_rule": 1, "by_hand": 1, "included_by_hand": 0}
    stated = {"rule": exclusion.rule_of(strict), **counted, "about": planning.scope_of(strict, {})}
    assert report.exclusion == report.metadata()["exclusion"] == stated
    assert ReportInputs.objects.filter(report=report).exists()
    client = browser_of(factory.organiser(strict, "olga"))
    page = client.get(reverse("report", args=[report.pk])).content.decode()
    assert exclusion.rule_of(strict) in page
    assert "2 judges excluded: 1 by the rule, 1 by hand; 0 included again by hand." in page
    content = client.get(reverse("report_file", args=[report.pk, "report.json"])).content
    assert json.loads(content)["exclusion"] == stated
    exclusion.include(anew(ada), "the controls were unclear")
    report.refresh_from_db()
    assert report.metadata()["exclusion"] == stated


def test_the_figures_of_a_judge_are_kept_at_the_end_of_a_batch(strict):
    ada = factory.judge(strict, "ada")
    while assignment := claiming.claim_next(ada):
        judge_carefully(assignment, careful=True)
        assert not JudgeStatistics.objects.exists()
        Judgment.objects.update(active_seconds=8.0)
    claiming.finish_batch(ada)
    done = JudgeStatistics.objects.get(judge=ada)
    assert (done.screens, done.total_seconds, done.median_seconds, done.pace) == (5, 40.0, 8.0, 450.0)
    assert (done.controls, done.controls_passed, done.extreme_share) == (5, 5, 0)
    assert 0 < done.tie_share < 1
    assert done.control_interval.low > 0.5


@pytest.fixture
def careless(strict, monkeypatch, no_worker) -> Campaign:
    """Ada judged five screens, which are many, and passed no control, but counts still."""
    monkeypatch.setattr(exclusion, "MOST_JUDGMENTS_AT_ONCE", 4)
    judge_batch(factory.judge(strict, "ada"), careful=0)
    Membership.objects.filter(pseudonym="ada").update(excluded_at=None, excluded_by_rule=False)
    return strict


@pytest.fixture
def olga(careless) -> User:
    return factory.organiser(careless, "olga")


@pytest.fixture
def client(olga, browser_of):
    return browser_of(olga)


def page(client, campaign) -> str:
    return client.get(reverse("judges", args=[campaign.slug])).content.decode()


@pytest.mark.postgresql
def test_a_worker_applies_it_and_the_page_shows_how_far(
    client, careless, no_worker, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("apply_rule", args=[careless.slug]))
    job = ExclusionJob.objects.get()
    assert no_worker == ["short"]
    assert "The exclusion rule is being applied" in page(client, careless)
    run_job("exclusion", job.pk)
    run_job("exclusion", job.pk)
    job.refresh_from_db()
    assert (job.state, job.outcome) == (Job.State.DONE, {"excluded": 1, "included": 0})
    assert "1 excluded, 0 included again" in page(client, careless)
    assert client.get(reverse("job_state", args=["exclusion", job.pk])).json()["over"]
    assert JournalEntry.objects.filter(what__startswith="applied the exclusion rule").count() == 1


def test_few_judgments_are_looked_at_at_once(client, careless, monkeypatch):
    monkeypatch.setattr(exclusion, "MOST_JUDGMENTS_AT_ONCE", 5)
    assert exclusion.rule_of(careless) in page(client, careless)
    content = client.post(reverse("apply_rule", args=[careless.slug]), follow=True).content.decode()
    assert "The exclusion rule was applied: 1 excluded, 0 included again." in content
    assert "rule: 0 of 5 controls below the source" in content
    assert not ExclusionJob.objects.exists()


@pytest.mark.postgresql
def test_it_is_applied_by_one_at_a_time_and_cancelled_it_leaves_judges_as_they_are(client, careless, olga):
    job = exclusion.request(careless, olga)
    with pytest.raises(Refused, match="already being applied"):
        exclusion.request(careless, olga)
    client.post(reverse("cancel_job", args=["exclusion", job.pk]))
    run_job("exclusion", job.pk)
    assert not Membership.objects.filter(excluded_by_rule=True).exists()


def test_decisions_made_before_cancelling_are_kept(careless, olga, monkeypatch):
    job = exclusion.request(careless, olga)
    decide = exclusion.decide

    def decide_and_cancel(judge, done):
        found = decide(judge, done)
        cancel(job)
        return found

    monkeypatch.setattr(exclusion, "decide", decide_and_cancel)
    run_now(job)
    job.refresh_from_db()
    assert job.state == Job.State.CANCELLED
    assert Membership.objects.get(pseudonym="ada").excluded_by_rule


@pytest.mark.postgresql
def test_a_program_follows_it(careless, olga, no_worker):
    client = APIClient()
    client.force_authenticate(olga)
    answer = client.post(reverse("api_apply_rule", args=[careless.slug]))
    assert (answer.status_code, answer.json()["state"]) == (202, "queued")
    run_job("exclusion", answer.json()["id"])
    assert client.get(answer["Location"]).json()["excluded"] == 1
