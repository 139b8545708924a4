"""The counts on organisers' pages: stored totals equal a count of every assignment."""

from datetime import timedelta
from io import BytesIO
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from judgments.archive import import_job
from judgments.assignment import claiming, planning
from judgments.campaigns import deleting, overview
from judgments.exchange.importers.rules.recorded import Options
from judgments.jobs.attempts import run_now
from judgments.jobs.control import cancel
from judgments.judges import exclusion, people, statistics
from judgments.judging import submission
from judgments.material import uploads
from judgments.material.rules.reading import Roles
from judgments.models import Assignment, Campaign, Judgment, Membership, Screen, System, Upload, counts, heartbeats
from judgments.protocols.base import PUBLISHED_SECONDS
from judgments.rules.files.text_files import UploadedFile
from ranking.models import Report
from ranking.power import prediction_job
from ranking.power.wanted import Wanted
from ranking.publishing.publication import publish
from ranking.publishing.release.choices import ReleaseChoices
from ranking.reports import building, rows
from ranking.reports.plans import fix_plan
from ranking.scores.stored import add_metrics
from ranking.stats.comparisons.parameters import PRESETS
from tests import factory
from tests.judgments.exchange.importing import bring_in
from tests.judgments.judging.opinions import judge_all
from tests.ranking.reports.test_reports import XML

pytestmark = pytest.mark.postgresql

# How many questions each page of an organiser asks, however much there is.
QUERIES = {
    "home": 15, "new_campaign": 3, "campaign": 5, "organise": 14, "material": 12, "screens": 14, "preview": 8,
    "judges": 10, "judge": 15, "consents": 5, "invitations_csv": 5, "programs": 9, "organisers": 6, "mail_links": 7,
    "journal": 6, "exports": 5, "settings": 7,
    "delete_campaign": 8, "board": 20, "metrics": 7, "scorings_state": 5,
    "report_list": 7, "judges_in_report": 5, "system": 6, "upload": 10, "job_state": 5,
    "submissions": 8,
    "analysis_plan": 13, "power": 9, "power_file": 5, "plan_file": 9, "datasheet": 12, "datasheet_file": 12,
    "import_judgments": 6, "judgments_upload": 11, "disputes": 11, "adjudicate": 9,
    "report": 12, "report_zip": 6, "report_bundle": 7, "release_data": 5, "report_file": 6, "compare_reports": 5,
    "report_pairs": 16, "report_judges": 19, "report_metrics": 17,
    "publication": 6,
    "report_changes": 10, "changes_file": 10, "new_import": 3, "import_job": 9,
    "assignment_job": 5, "metric_file": 4, "your_data": 4, "forget_judge": 5,
}  # fmt: skip


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


def test_what_is_kept_is_what_is_counted_at_every_step(db):
    campaign, other = factory.open_campaign(), factory.open_campaign()
    ada, ben = (factory.judge(campaign, name) for name in ("ada", "ben"))
    factory.judge_batch(factory.judge(other, "ada of the other"))
    agrees(campaign)
    for judge in (ada, ben, ada):
        assignment = claiming.claim_next(judge)
        factory.answer(assignment)
        agrees(campaign)
    submission.submit(assignment, key=uuid4(), answers=factory.answers_for(assignment))
    agrees(campaign)
    factory.judge_batch(ada)
    agrees(campaign)
    bring_in(campaign, "judgments.xml", XML.encode(), "appraise-xml")
    agrees(campaign)
    exclusion.apply_rule(campaign)
    agrees(campaign)
    exclusion.exclude(ada, "in a hurry")
    agrees(campaign)
    factory.judge_all(ben)
    agrees(campaign)
    agrees(other)


def test_an_answer_submitted_during_the_count_is_counted_once(campaign, ada, monkeypatch):
    factory.answer(claiming.claim_next(ada))
    slow = statistics.figures_of

    def meanwhile(*arguments):
        factory.answer(claiming.claim_next(ada))
        return slow(*arguments)

    monkeypatch.setattr(statistics, "figures_of", meanwhile)
    statistics.count_anew(ada)
    assert counts.judgments_by(counts.judges_in(campaign)) == 2


def test_a_judge_without_answers_is_counted_too(campaign, ada):
    assert statistics.count_anew(ada).screens == 0
    factory.answer(claiming.claim_next(ada))
    assert counts.judgments_by(counts.judges_in(campaign)) == 1


def test_a_campaigns_pace_is_that_of_its_newest_screens(campaign, ada, ben, monkeypatch):
    monkeypatch.setattr(planning, "FEWEST_JUDGMENTS", 3)
    assert planning.pace(campaign) == (PUBLISHED_SECONDS, 0)
    factory.judge_all(ada)
    Judgment.objects.update(active_seconds=10.0)
    assert planning.pace(campaign) == (10.0, 5)
    monkeypatch.setattr(planning, "NEWEST", 4)
    factory.judge_batch(ben)
    Judgment.objects.filter(assignment__judge=ben).update(active_seconds=30.0)
    assert planning.pace(campaign) == (25.0, 4)


def test_a_report_is_stale_when_an_answer_was_changed(campaign, ada):
    judgment = factory.judge_all(ada)[0]
    report = building.request_report(campaign)
    run_now(report)
    report.refresh_from_db()
    assert not building.is_stale(report)
    submission.submit(judgment.assignment, key=uuid4(), answers=factory.answers_for(judgment.assignment))
    assert building.is_stale(report)


def test_a_report_is_stale_when_as_many_came_as_do_not_count_any_more(campaign, ada, ben):
    factory.judge_all(ada)
    report = building.request_report(campaign)
    run_now(report)
    report.refresh_from_db()
    exclusion.exclude(ada, "in a hurry")
    factory.judge_all(ben)
    assert rows.counted_now(campaign) == report.judgments
    assert building.is_stale(report)


@pytest.fixture(params=[1, 2], ids=["small", "larger"])
def full(request, db, no_worker, monkeypatch) -> Campaign:
    """A campaign with everything that pages show, in two sizes."""
    heartbeats.beat("a worker", "long, short")
    monkeypatch.setattr(heartbeats, "SILENT_AFTER", heartbeats.FORGOTTEN_AFTER)  # however long this takes
    campaign = factory.open_campaign(redundancy=request.param + 1)
    olga = factory.organiser(campaign, "olga")
    add_metrics(campaign, "bleu.csv", factory.SENTENCE_SCORES.encode())
    judge_all(factory.judge(campaign, "contrary"), is_contrary=True)
    for number in range(request.param):
        factory.judge_all(factory.judge(campaign, f"judge {number}"))
        uploads.upload_files(campaign, olga, factory.upload({f"more {number}": factory.SOURCE}), Roles())
        cancel(planning.request(campaign, olga, {}, 1, False))
        cancel(exclusion.request(campaign, olga))
        file = UploadedFile("judgments.xml", b"<r/>")
        uploads.upload_files(campaign, olga, [file], Options("appraise-xml"), Upload.Purpose.JUDGMENTS)
        run_now(prediction_job.request(campaign, olga, Wanted({}, campaigns=request.param)))
        fix_plan(campaign, olga, "recommended", PRESETS["recommended"], 9, "When all is judged.")
        import_job.request(olga, "bundle.zip", BytesIO(), f"copy-{number}")
        factory.submission(campaign, f"team-{number}")
        other = factory.open_campaign()
        factory.organiser(other, f"olga of {number}")
        factory.judge_all(factory.judge(other, f"judge of {number}"))
        Report.objects.filter(campaign=campaign).update(created_at=timezone.now() - timedelta(hours=1))
        for interim in (False, False, True):
            run_now(building.request_report(campaign, olga, is_interim=interim))
    return campaign


def test_every_page_asks_a_fixed_number_of_questions(full, browser_of, django_assert_num_queries):
    later, earlier = Report.objects.of(full)[:2]
    publish(later, ReleaseChoices(with_texts=True))
    job, plan = full.assignmentjob_set.first(), full.analysisplan_set.first()
    predicted = full.prediction_set.first()
    upload, judgments = (full.upload_set.filter(purpose=purpose).first() for purpose in Upload.Purpose)
    judge = full.membership_set.filter(role=Membership.Role.JUDGE)[0]
    bundle = User.objects.get(username="olga").importjob_set.first()
    arguments = {
        "home": [], "new_campaign": [], "your_data": [],
        **{name: [full.slug, judge.pk] for name in ("judge", "forget_judge")},
        "system": [full.slug, System.objects.filter(campaign=full)[0].pk],
        "new_import": [], "import_job": [bundle.pk], "assignment_job": [full.slug, job.pk],
        "adjudicate": [full.slug, full.screen_set.filter(automatic=False)[0].pk],
        "job_state": ["assignment", job.pk], "metric_file": [full.slug, "metric_scores.csv"],
        "upload": [full.slug, upload.pk], "judgments_upload": [full.slug, judgments.pk],
        "plan_file": [full.slug, plan.pk], "power_file": [full.slug, predicted.pk],
        "datasheet_file": [full.slug, "json"],
        "report": [later.pk], "report_zip": [later.pk], "report_bundle": [later.pk],
        "release_data": [later.pk],
        "report_file": [later.pk, "pairs.csv"],
        **{name: [later.pk] for name in ("report_pairs", "report_judges", "report_metrics")},
        "publication": [later.pk],
        "report_changes": [earlier.pk, later.pk], "changes_file": [earlier.pk, later.pk, "changes.csv"],
    }  # fmt: skip
    client = browser_of(User.objects.get(username="olga"))
    for name, queries in QUERIES.items():
        parameters = {"one": earlier.pk, "other": later.pk} if name == "compare_reports" else {}
        address = reverse(name, args=arguments.get(name, [full.slug]))
        with django_assert_num_queries(queries, info=name):
            assert client.get(address, parameters).status_code in (200, 302)
