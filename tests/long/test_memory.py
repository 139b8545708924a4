"""Memory of real processes: a job that needs too much fails with a message, and large uploads cost the web little."""

import os
from http.client import HTTPConnection
from threading import Thread

import pytest

from tests.services.apart import fresh_database
from tests.services.family import family, peak_bytes
from tests.services.house import SECRET, House
from tests.services.servers import ServerUnavailable, provide_postgres
from tests.services.visitor import Visitor
from tests.services.waiting import wait_until

# Faults of three million elements do not fit; a small file of texts does.
UPLOADED = """
from judgments.exchange.importers.rules.recorded import ImportOptions
from judgments.material import uploads
from judgments.material.rules.reading import Roles
from judgments.models import Upload
from judgments.rules.files.text_files import UploadedFile
from tests import factory
campaign = factory.open_campaign()
olga = factory.organiser(campaign, "olga")
bomb = UploadedFile("bomb.xml", b"<ranking-item>" + b"<translation/>" * 3_000_000)
uploads.upload_files(campaign, olga, [bomb], ImportOptions("appraise-xml"), Upload.Purpose.JUDGMENTS)
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
    house.shell(UPLOADED)
    with house.running("-m", "celery", "-A", "appraise_gec", "worker", "--queues", "short", *pool) as worker:
        wait_until(lambda: "1 done" in house.shell(STATES), "both jobs to end", seconds=120)
        assert worker.poll() is None
    first, second = house.shell(STATES).splitlines()
    assert first.startswith("1 failed It needs more than 700 MB of memory, the limit of a worker. Nothing was stored;")
    assert second.strip() == "1 done"


OLGA = """
from judgments.judges.programs import token_of
from tests import factory
campaign = factory.open_campaign()
factory.organiser(campaign, "olga")
print(campaign.slug, token_of("olga"))
"""
MEGABYTE = 2**20
BOUNDARY = "of-the-parts-of-this-request"
HEAD = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="Crane"\r\n\r\n'.encode()
END = f"\r\n--{BOUNDARY}--\r\n".encode()


def upload(port: int, slug: str, token: str, size: int) -> None:
    headers = {"Authorization": f"Token {token}", "Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
    connection = HTTPConnection("127.0.0.1", port, timeout=300)
    connection.request("POST", f"/api/campaigns/{slug}/uploads/", HEAD + os.urandom(size) + END, headers)
    assert connection.getresponse().status == 201
    connection.close()


@pytest.mark.services
def test_a_web_process_holds_no_whole_upload(tmp_path):
    """Not even in the buffers of its connection to PostgreSQL, which never shrink. Four at a time."""
    try:
        with provide_postgres() as server, fresh_database(server.url) as database:
            house = House(tmp_path, DATABASE_URL=database, SECRET_KEY=SECRET, WEB_WORKERS="1")
            house.manage("migrate", "--verbosity", "0")
            slug, token = house.shell(OLGA).split()
            command = ["--config", "python:appraise_gec.server.gunicorn", "appraise_gec.wsgi"]
            with house.running("-m", "gunicorn", *command, "--bind", f"127.0.0.1:{house.port}") as web:
                wait_until(Visitor(house.address).is_answered, "the web process", seconds=60)
                upload(house.port, slug, token, 1)
                before = peak_bytes(family(web.pid)[1])
                sending = [Thread(target=upload, args=(house.port, slug, token, 90 * MEGABYTE)) for _ in range(4)]
                for thread in sending:
                    thread.start()
                for thread in sending:
                    thread.join()
                assert peak_bytes(family(web.pid)[1]) - before < 90 * MEGABYTE
    except ServerUnavailable as reason:
        pytest.skip(str(reason))
