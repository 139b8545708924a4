"""A real worker with little memory: a job that needs more fails with a message, and the next one is done."""

import pytest

from tests.services.house import House
from tests.services.waiting import wait_until

# Faults of three million elements do not fit; a small file of texts does.
UPLOADED = """
from judgments.exchange.importers.rules.recorded import Options
from judgments.material import uploads
from judgments.material.rules.reading import Roles
from judgments.models import Upload
from judgments.rules.files.text_files import UploadedFile
from tests import factory
campaign = factory.open_campaign()
olga = factory.organiser(campaign, "olga")
bomb = UploadedFile("bomb.xml", b"<ranking-item>" + b"<translation/>" * 3_000_000)
uploads.upload_files(campaign, olga, [bomb], Options("appraise-xml"), Upload.Purpose.JUDGMENTS)
uploads.upload_files(campaign, olga, factory.upload({"Crane": factory.SOURCE}), Roles())
"""
STATES = """
from judgments.models import Upload
for upload in Upload.objects.order_by("pk"):
    print(upload.attempt, upload.state, upload.error)
"""


@pytest.mark.services
@pytest.mark.parametrize("pool", [("--pool", "solo"), ("--concurrency", "1")])
def test_a_job_that_needs_too_much_memory_fails_and_the_worker_goes_on(tmp_path, pool):
    house = House(tmp_path, WORKER_MEMORY="700")
    house.manage("migrate", "--verbosity", "0")
    house.manage("shell", "--no-imports", "-c", UPLOADED)
    with house.running("-m", "celery", "-A", "appraise_gec", "worker", "--queues", "short", *pool) as worker:
        wait_until(
            lambda: "1 done" in house.manage("shell", "--no-imports", "-c", STATES), "both jobs to end", seconds=120
        )
        assert worker.poll() is None
    first, second = house.manage("shell", "--no-imports", "-c", STATES).splitlines()
    assert first.startswith("1 failed It needs more than 700 MB of memory, the limit of a worker. Nothing was stored;")
    assert second.strip() == "1 done"
