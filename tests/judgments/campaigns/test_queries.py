"""Every page of an organiser asks a fixed number of questions, however much there is."""

from datetime import timedelta
from io import BytesIO

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from judgments.archive import importing
from judgments.assignment import planning
from judgments.exchange.importers.rules.recorded import ImportOptions
from judgments.jobs.attempts import run_now
from judgments.jobs.control import cancel
from judgments.judges import exclusion, invitations
from judgments.material import uploads
from judgments.material.rules.reading import Roles
from judgments.models import Alarm, AssignmentJob, Campaign, ImportJob, System, Upload, heartbeats
from judgments.rules.files.text_files import UploadedFile
from ranking.models import Prediction, Report
from ranking.power import predicting
from ranking.power.predicting import Wanted
from ranking.publishing.facts import ReleaseChoices
from ranking.publishing.public_page import publish
from ranking.reports import building
from ranking.reports.plans import fix_plan
from ranking.scores.stored import add_metrics
from ranking.stats.comparisons.study import PRESETS
from tests import factory
from tests.judgments.judging.opinions import judge_all

# How many questions each page of an organiser asks, however much there is.
QUERIES = {
    "home": 18, "new_campaign": 3, "campaign": 5, "organise": 17, "material": 12, "screens": 16, "preview": 8,
    "judges": 10, "judge": 14, "consents": 5, "invitations_csv": 5, "programs": 9, "organisers": 6, "mail_links": 7,
    "journal": 6, "exports": 5, "settings": 7,
    "delete_campaign": 8, "board": 20, "metrics": 7, "scorings_state": 5,
    "report_list": 8, "judges_in_report": 5, "system": 6, "upload": 7, "job_state": 5,
    "submissions": 8,
    "analysis_plan": 13, "power": 9, "resolution": 6, "power_file": 5, "plan_file": 9, "datasheet": 14,
    "datasheet_file": 14,
    "import_judgments": 6, "judgments_upload": 8, "disputes": 11, "adjudicate": 9,
    "report": 15, "report_zip": 6, "report_bundle": 7, "release_data": 5, "report_file": 6, "compare_reports": 5,
    "report_pairs": 16, "report_judges": 19, "report_metrics": 17,
    "publication": 6,
    "report_changes": 10, "changes_file": 10, "new_import": 3, "import_job": 5,
    "assignment_job": 5, "metric_file": 4, "your_data": 4, "forget_judge": 5,
}  # fmt: skip


HASTE = {"screens": 1, "speed": 40, "usual": 4, "bound": 32}


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
        judge = factory.judge(campaign, f"judge {number}")
        factory.answer_all(judge)
        Alarm.objects.create(judge=judge, kind="haste", first=1, last=2, figures=HASTE)
        invitations.invite(campaign, [f"dan {number}"])
        uploads.upload_files(campaign, olga, factory.upload({f"more {number}": factory.SOURCE}), Roles())
        cancel(planning.request(campaign, olga, {}, 1, False))
        cancel(exclusion.request(campaign, olga))
        file = UploadedFile("judgments.xml", b"<r/>")
        uploads.upload_files(campaign, olga, [file], ImportOptions("appraise-xml"), Upload.Purpose.JUDGMENTS)
        run_now(predicting.request_prediction(campaign, olga, Wanted({}, campaigns=request.param)))
        fix_plan(campaign, olga, "recommended", PRESETS["recommended"], 999, "When all is judged.")
        importing.request_import(olga, "bundle.zip", BytesIO(), f"copy-{number}")
        factory.submission(campaign, f"team-{number}")
        other = factory.open_campaign()
        factory.organiser(other, f"olga of {number}")
        factory.answer_all(factory.judge(other, f"judge of {number}"))
        Report.objects.filter(campaign=campaign).update(created_at=timezone.now() - timedelta(hours=1))
        for interim in (False, False, True):
            run_now(building.request_report(campaign, olga, is_interim=interim))
    return campaign


@pytest.mark.wide
def test_every_page_asks_a_fixed_number_of_questions(full, browser_of, django_assert_num_queries):
    later, earlier = Report.objects.of(full)[:2]
    publish(later, ReleaseChoices(with_texts=True))
    job, plan = AssignmentJob.objects.filter(campaign=full).first(), full.analysisplan_set.first()
    predicted = Prediction.objects.filter(campaign=full).first()
    upload, judgments = (Upload.objects.filter(campaign=full, about=purpose).first() for purpose in Upload.Purpose)
    judge = full.membership_set.get(pseudonym="judge 0")
    bundle = ImportJob.objects.filter(requested_by__username="olga").first()
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
