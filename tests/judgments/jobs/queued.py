"""A queued job of every kind."""

from collections.abc import Callable
from datetime import timedelta
from io import BytesIO

from django.contrib.auth.models import User
from django.utils import timezone

from judgments.archive import importing
from judgments.assignment import planning
from judgments.judges import exclusion
from judgments.material import uploads
from judgments.material.rules.reading import Roles
from judgments.models import Campaign, FilePiece, Job
from judgments.models.jobs import STALE_AFTER, MailJob
from judgments.programs import runs
from judgments.programs.endpoints import EDIT_DISTANCE
from judgments.programs.running import RunChoices
from ranking.models import ScoringJob
from ranking.power import predicting
from ranking.power.predicting import Wanted
from ranking.reports import building
from tests import factory

REQUESTS: dict[str, Callable[[Campaign, User], Job]] = {
    "assignment": lambda campaign, olga: planning.request(campaign, olga, {}, 1, False),
    "exclusion": exclusion.request,
    "import": lambda campaign, olga: importing.request_import(olga, "bundle.zip", BytesIO(), ""),
    "mail": lambda campaign, olga: MailJob.objects.create(
        campaign=campaign, requested_by=olga, payload={"subject": "x", "text": "x"}, outcome={"sent": 0}
    ),
    "prediction": lambda campaign, olga: predicting.request_prediction(campaign, olga, Wanted({}, campaigns=1)),
    "program": lambda campaign, olga: runs.request(campaign, olga, "robin", EDIT_DISTANCE, RunChoices(EDIT_DISTANCE)),
    "report": building.request_report,
    "scoring": lambda campaign, olga: ScoringJob.objects.create(campaign=campaign, requested_by=olga, about="gleu"),
    "upload": lambda campaign, olga: uploads.upload_files(
        campaign, olga, factory.upload({"Plover": factory.SOURCE}), Roles()
    ),
}


def make_stale(job: Job, **columns: object) -> None:
    long_ago = timezone.now() - STALE_AFTER - timedelta(seconds=1)
    Job.objects.filter(pk=job.pk).update(queued_at=long_ago, heartbeat=long_ago, **columns)


def lose_files() -> None:
    FilePiece.objects.all().delete()
