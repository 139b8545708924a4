"""The counts on organisers' pages: stored totals equal a count of every assignment."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from judgments.archive import deleting
from judgments.assignment import claiming, planning
from judgments.campaigns import overview, steps
from judgments.campaigns import settings as campaign_settings
from judgments.jobs.attempts import run_now
from judgments.judges import exclusion, people, statistics
from judgments.material import storing
from judgments.material.rules.reading import Roles, read_material
from judgments.models import Assignment, Campaign, Judgment, Screen
from judgments.models.assignments import judges_in, judgments_by
from judgments.protocols.base import PUBLISHED_SECONDS
from ranking.reports import building, rows
from tests import factory
from tests.judgments.exchange.importing import bring_in
from tests.ranking.reports.test_reports import XML


def counted(campaign: Campaign) -> tuple[int, int, int, int, int]:
    """The campaign in five numbers, by reading every row."""
    assignments = list(Assignment.objects.filter(campaign=campaign))
    assigned = [assignment for assignment in assignments if assignment.batch_id]
    return (
        campaign.segment_set.count(),
        sum(screen.batch_id is not None for screen in Screen.objects.filter(campaign=campaign)),
        len(assigned),
        sum(assignment.submitted_at is not None for assignment in assigned),
        len(assignments) - len(assigned),
    )


def agrees(campaign: Campaign) -> None:
    """The sums of the stored totals equal a fresh count."""
    operator, _ = User.objects.get_or_create(username="operator", is_superuser=True)
    found = overview.progress(campaign)
    assert (found.segments, found.screens, found.assignments, found.done, found.recorded) == counted(campaign)
    done = Assignment.objects.filter(campaign=campaign).done()
    assert deleting.contents(campaign).judgments == done.count()
    assert rows.counted_now(campaign) == done.filter(judge__excluded_at=None).count()
    of_each = {judge.pk: judge.done for judge in people.judges(campaign)}
    assert of_each == {pk: done.filter(judge=pk).count() for pk in of_each}
    (run,) = (run for run in overview.runs_of(operator) if run.campaign == campaign)
    assert (run.assignments, run.done) == (found.assignments, found.done)
    judged_here = [one for one in done.select_related("judge") if one.batch_id or one.judge.role == "program"]
    assert run.last == max((one.submitted_at for one in judged_here), default=None)
    now = timezone.now()
    lately = [one for one in done.planned() if one.submitted_at > now - overview.DAY]
    assert run.last_day == len(lately)
    assert run.at_work == len({one.judge_id for one in lately if one.submitted_at > now - overview.AT_WORK})


def test_campaigns_of_one_name_are_told_apart_in_the_list_by_their_short_names(campaign, olga, browser_of):
    page = browser_of(olga).get(reverse("home")).content.decode()
    assert f", {campaign.slug}" not in page
    campaign_settings.make_organiser(factory.make_campaign(), olga.username)
    page = browser_of(olga).get(reverse("home")).content.decode()
    assert all(f", {slug}" in page for slug in Campaign.objects.values_list("slug", flat=True))


@pytest.mark.wide
@pytest.mark.postgresql
def test_what_is_kept_is_what_is_counted_at_every_step(db):
    campaign, other = factory.open_campaign(), factory.open_campaign()
    ada, ben = (factory.judge(campaign, name) for name in ("ada", "ben"))
    factory.judge_batch(factory.judge(other, "ada of the other"))
    agrees(campaign)
    for act in (
        *(lambda judge=judge: factory.answer(claiming.claim_next(judge)) for judge in (ada, ben, ada)),
        lambda: factory.answer(ada.assignment_set.exclude(submitted_at=None)[0]),
        lambda: factory.judge_batch(ada),
        lambda: bring_in(campaign, "judgments.xml", XML.encode(), "appraise-xml"),
        lambda: exclusion.apply_rule(campaign),
        lambda: exclusion.exclude(ada, "in a hurry"),
        lambda: factory.answer_all(ben),
    ):
        act()
        agrees(campaign)
    agrees(other)


def test_an_answer_submitted_during_the_count_is_counted_once(campaign, ada, monkeypatch):
    assert statistics.count_anew(ada).screens == 0
    factory.answer(claiming.claim_next(ada))
    assert judgments_by(judges_in(campaign)) == 1
    slow = statistics.figures_of

    def meanwhile(*arguments):
        factory.answer(claiming.claim_next(ada))
        return slow(*arguments)

    monkeypatch.setattr(statistics, "figures_of", meanwhile)
    statistics.count_anew(ada)
    assert judgments_by(judges_in(campaign)) == 2


@pytest.mark.postgresql
def test_a_campaigns_pace_is_that_of_its_newest_screens(campaign, ada, ben, monkeypatch):
    monkeypatch.setattr(planning, "FEWEST_JUDGMENTS", 3)
    assert planning.pace(campaign) == (PUBLISHED_SECONDS, 0)
    factory.answer_all(ada)
    Judgment.objects.update(active_seconds=10.0)
    assert planning.pace(campaign) == (10.0, 5)
    with monkeypatch.context() as patch:
        patch.setattr(planning, "FEWEST_JUDGMENTS", 6)
        assert planning.pace(campaign) == (PUBLISHED_SECONDS, 0)
    monkeypatch.setattr(planning, "NEWEST", 4)
    factory.judge_batch(ben)
    Judgment.objects.filter(assignment__judge=ben).update(active_seconds=30.0)
    assert planning.pace(campaign) == (25.0, 4)


@pytest.mark.wide
def test_a_report_is_stale_when_as_many_came_as_do_not_count_any_more(campaign, ada, ben):
    factory.answer_all(ada)
    report = building.request_report(campaign)
    run_now(report)
    report.refresh_from_db()
    exclusion.exclude(ada, "in a hurry")
    assert building.is_stale(report)
    exclusion.include(ada, "not so")
    assert not building.is_stale(report)
    exclusion.exclude(ada, "in a hurry")
    factory.answer_all(ben)
    assert rows.counted_now(campaign) == report.judgments
    assert building.is_stale(report)


def test_what_a_preset_brought_is_ready_made_until_it_is_changed(db):
    def states_of(campaign: Campaign) -> dict[str, str]:
        found = steps.steps_of(campaign, overview.progress(campaign))
        return {step.title: step.state.value for step in found if step.page == "settings"}

    chosen = campaign_settings.with_guidance(campaign_settings.preset("recommended", "ranking"))
    campaign = campaign_settings.configure(campaign_settings.find_or_prepare("mytask"), **chosen)
    texts, rule = "Look at what judges read", "Agree on the exclusion rule"
    assert states_of(campaign) == {texts: "ready-made", rule: "ready-made"}
    campaign_settings.configure(campaign, instructions="Rank them.")
    assert states_of(campaign) == {texts: "done", rule: "ready-made"}
    campaign_settings.configure(campaign, least_seconds=4.0)
    assert states_of(campaign) == {texts: "done", rule: "done"}
    campaign_settings.configure(campaign, instructions="", control_pass_share=None, least_seconds=None)
    assert states_of(campaign) == {texts: "needs attention", rule: "needs attention"}
    campaign_settings.configure(campaign, **chosen)
    Campaign.objects.update(opened_at=timezone.now())
    assert states_of(Campaign.objects.get()) == {texts: "ready-made", rule: "ready-made"}, "though nobody looked"


def test_a_system_that_came_after_the_screens_were_assigned_is_named(campaign):
    screens = overview.progress(campaign).screens
    assert steps.left_out(campaign, screens) == ""

    def bring_system(name: str, lines: list[str]) -> None:
        files = factory.upload({"source": factory.SOURCE, name: lines})
        storing.store_material(campaign, read_material(files, Roles()))

    bring_system("marian", factory.SYSTEMS["Heron"])
    assert steps.left_out(campaign, screens) == "", "the same outputs are on screens"
    bring_system("late", [f"{line} !" for line in factory.SOURCE])
    for design, advice in (("sampled", "assign more"), ("complete", "withdraw these, and assign them again")):
        campaign.design = design
        assert steps.left_out(campaign, screens) == f"late is on none of the 5 screens: {advice}."


def test_a_rule_that_will_exclude_nobody_is_mended_in_settings_only_until_the_campaign_opens(campaign):
    Campaign.objects.update(control_pass_share=0.7, least_controls=3, opened_at=None)
    says = "The rule about controls will exclude nobody: a judge sees at most 0 controls, and the rule needs 3."
    advice = "Lower that number now in Settings; it is fixed when the campaign opens."
    assert steps.idle_rule(Campaign.objects.get()) == f"{says} {advice}"
    Campaign.objects.update(opened_at=timezone.now())
    opened = Campaign.objects.get()
    assert steps.idle_rule(opened) == says
    (step,) = [one for one in steps.steps_of(opened, overview.progress(opened)) if one.note == says]
    assert step.state.value == "done"
