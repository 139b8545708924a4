"""What those who run the platform rely on, with real servers: stopping, replacing, outages, figures and logs."""

import json
import re
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.services.apart import fresh_services
from tests.services.composed import programs
from tests.services.house import SECRET, House, state_of
from tests.services.servers import PostgresServer, RedisServer, ServerUnavailable, provide_postgres
from tests.services.test_platform import celery, requested
from tests.services.visitor import Visitor
from tests.services.waiting import wait_until

pytestmark = pytest.mark.services

TOKEN = "a-token-for-tests-0123456789"
# A worker that is less patient than ours, so that nobody waits for it here.
IMPATIENT = (
    "-c",
    "import sys; from appraise_gec import workers; workers.SECONDS_TO_FINISH = 1;"
    "from celery.__main__ import main; sys.argv[0] = 'celery'; sys.exit(main())",
    "-A", "appraise_gec", "worker", "--without-gossip", "--without-mingle",
)  # fmt: skip


def gunicorn(house: House) -> tuple[str, ...]:
    return programs(house.port, Path(house.variables["DATA_DIR"]))["web"]


@pytest.fixture(scope="module")
def embedded(tmp_path_factory) -> tuple[House, str]:
    """The demo on SQLite with a token for figures; what load_demo printed."""
    house = House(tmp_path_factory.mktemp("operation"), METRICS_TOKEN=TOKEN)
    return house, house.prepare()


@pytest.fixture(scope="module", params=["embedded", "services"])
def installed(request, tmp_path_factory) -> Iterator[tuple[House, str]]:
    """The demo on SQLite and a folder, and on PostgreSQL and Redis, with the kind of worker that each has."""
    folder = tmp_path_factory.mktemp(request.param)
    with fresh_services() if request.param == "services" else nullcontext({}) as variables:
        house = House(folder, **variables)
        house.prepare()
        yield house, "prefork" if variables else "solo"


def fetch(house: House, path: str, **headers: str) -> tuple[int, str]:
    try:
        with urlopen(Request(f"{house.address}{path}", headers=headers), timeout=60) as answer:  # noqa: S310 (our own)
            return answer.status, answer.read().decode()
    except HTTPError as refused:
        return refused.code, refused.read().decode()


def report_of(house: House, pk: str) -> dict[str, object]:
    script = (
        f"import json; from ranking.models import Report; r = Report.objects.get(pk={pk});"
        "print(json.dumps({'state': r.state, 'attempt': r.attempt, 'step': r.step, 'error': r.error}))"
    )
    return json.loads(house.shell(script))


def test_a_request_that_has_begun_is_answered_when_the_server_is_told_to_stop(embedded):
    house, _ = embedded
    with house.running(*gunicorn(house)) as server:
        wait_until(Visitor(house.address).is_answered, "gunicorn")
        with socket.create_connection(("127.0.0.1", house.port), timeout=20) as begun:
            head = f"POST /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1:{house.port}\r\nContent-Length: 8\r\n"
            begun.sendall(f"{head}Content-Type: application/x-www-form-urlencoded\r\n\r\na=b&".encode())
            time.sleep(1)
            server.send_signal(signal.SIGTERM)
            time.sleep(1)
            begun.sendall(b"c=d&")
            assert begun.recv(100).startswith(b"HTTP/1.1 403 ")  # without the secret of its form, but answered
        assert server.wait(35) == 0


def test_no_request_fails_while_the_processes_are_replaced(embedded):
    house, _ = embedded
    with house.running(*gunicorn(house)) as server:
        wait_until(Visitor(house.address).is_answered, "gunicorn")
        before, over, failed, statuses = children(server.pid), threading.Event(), [], []

        def ask_on() -> None:
            while not over.is_set():
                try:
                    statuses.append(fetch(house, "/sign-in/")[0])
                except OSError as error:
                    failed.append(error)

        askers = [threading.Thread(target=ask_on) for _ in range(2)]
        for asker in askers:
            asker.start()
        try:
            server.send_signal(signal.SIGHUP)
            wait_until(lambda: children(server.pid) and not children(server.pid) & before, "new processes")
            before_the_new = len(statuses)
            wait_until(lambda: len(statuses) > before_the_new + 2, "answers of the new processes")
        finally:
            over.set()
            for asker in askers:
                asker.join()
        assert not failed
        assert set(statuses) == {200}


def children(pid: int) -> set[str]:
    return set(Path(f"/proc/{pid}/task/{pid}/children").read_text().split())


def test_figures_are_those_of_all_processes(embedded):
    house, _ = embedded
    with house.running(*gunicorn(house)):
        wait_until(Visitor(house.address).is_answered, "gunicorn")
        for _ in range(20):
            fetch(house, "/sign-in/")
        for _ in range(5):  # whichever process answers
            status, body = fetch(house, "/metrics", Authorization=f"Bearer {TOKEN}")
            assert status == 200
            row = r'appraise_request_seconds_count\{method="GET",route="sign_in",status="2xx"\} 20\.0'
            assert re.search(row, body), body
        assert fetch(house, "/metrics")[0] == 401


def test_a_worker_that_is_told_to_stop_gives_its_report_back_and_another_one_takes_it_up(installed, tmp_path):
    house, pool = installed
    pk = house.shell(requested(100_000))
    with house.running(*IMPATIENT, "--pool", pool, "--concurrency", "1", log=tmp_path / "log") as worker:
        wait_until(lambda: report_of(house, pk)["state"] == "running", "the worker")
        worker.send_signal(signal.SIGTERM)
        assert worker.wait(120) == 0, (tmp_path / "log").read_text()
    assert "goes back into the queue" in (tmp_path / "log").read_text()
    assert report_of(house, pk) | {"step": ""} == {"state": "queued", "attempt": 1, "step": "", "error": ""}
    assert house.shell("from judgments.models import Heartbeat; print(Heartbeat.objects.count())") == "0"
    with house.running(*IMPATIENT, "--pool", pool, "--concurrency", "1"):
        wait_until(lambda: report_of(house, pk)["attempt"] == 2, "the other worker")
        house.shell("from ranking.models import Report; Report.objects.update(state='cancelled')")


def test_the_loss_and_return_of_a_service_are_reported(tmp_path):
    """With servers of our own, whichever others there are: these are stopped."""
    with ExitStack() as stack:
        try:
            postgres, redis = stack.enter_context(PostgresServer()), stack.enter_context(RedisServer())
        except ServerUnavailable as reason:
            pytest.skip(str(reason))
        variables = {"SECRET_KEY": SECRET, "DATABASE_URL": postgres.url, "CELERY_BROKER_URL": redis.url}
        house = House(tmp_path, **variables)
        house.manage("collectstatic", "--no-input", "--verbosity", "0")
        stack.enter_context(house.running(*gunicorn(house)))
        wait_until(Visitor(house.address).is_answered, "gunicorn")
        status, body = fetch(house, "/readyz")
        assert status == 503
        assert "Run: python manage.py migrate" in json.loads(body)["parts"]["migrations"]
        house.manage("migrate", "--verbosity", "0")
        assert fetch(house, "/readyz")[0] == 200

        redis.stop()
        body = json.loads(fetch(house, "/readyz")[1])["parts"]
        assert body.pop("queue").startswith("The queue of background work cannot be reached.")
        assert set(body.values()) == {"ok"}
        redis.start()
        wait_until(lambda: fetch(house, "/readyz")[0] == 200, "Redis again")

        cookie = "sessionid=0123456789abcdef0123456789abcdef"
        assert fetch(house, "/", Cookie=cookie)[0] == 200  # the sign-in
        postgres.stop()
        status, body = fetch(house, "/readyz")
        assert status == 503
        assert "SECRET" not in body
        assert json.loads(body)["parts"]["database"].startswith("The database cannot be reached.")
        assert fetch(house, "/healthz") == (200, "ok")
        status, page = fetch(house, "/", Cookie=cookie, **{"X-Request-ID": "quoted-by-ada"})
        assert status == 503
        assert "The database is unavailable" in page
        assert "quoted-by-ada" in page
        status, problem = fetch(house, "/api/campaigns/", Authorization="Token 0123456789")
        assert (status, json.loads(problem)["title"]) == (503, "Service Unavailable")
        postgres.start()
        wait_until(lambda: fetch(house, "/readyz")[0] == 200, "PostgreSQL again")
        assert fetch(house, "/", Cookie=cookie)[0] == 200


def test_the_log_of_a_worker_names_the_original_request(embedded, tmp_path):
    house, printed = embedded
    variables = dict(house.variables)
    house.variables |= {"LOG_FORMAT": "json"}
    try:
        with (
            house.running(*gunicorn(house), log=tmp_path / "web"),
            house.running(*celery("worker", "--pool", "solo"), log=tmp_path / "worker"),
        ):
            wait_until(Visitor(house.address).is_answered, "gunicorn")
            olga = Visitor(house.address)
            olga.sign_in("olga", re.search(r"password (\S+)", printed)[1])
            olga.open("/campaigns/demo/reports/")
            olga.send("new/")
            state = state_of(olga.url)
            wait_until(lambda: '"over": true' in olga.open(state), "the report")
            wait_until(lambda: lines(tmp_path / "worker", "judgments.run_next"), "the line of the worker")
    finally:
        house.variables = variables
    (made,) = lines(tmp_path / "worker", "judgments.run_next")
    (request,) = [line for line in entries_of(tmp_path / "web") if line.get("path") == "/campaigns/demo/reports/new/"]
    assert made["request"] == request["request"]
    assert made["state"] == "SUCCESS"
    assert request["method"] == "POST"
    assert re.search(r"password (\S+)", printed)[1] not in (tmp_path / "web").read_text()


def entries_of(log: Path) -> list[dict[str, object]]:
    """Every line is an object, except what Python prints before logging starts."""
    return [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]


def lines(log: Path, task: str) -> list[dict[str, object]]:
    return [line for line in entries_of(log) if line.get("task_name") == task and "job" in line and "state" in line]


def test_statements_of_pages_end_and_those_of_workers_do_not(tmp_path):
    try:
        with provide_postgres() as postgres:
            variables = {"SECRET_KEY": SECRET, "DATABASE_URL": postgres.url, "WEB_STATEMENT_TIMEOUT": "7",
                         "CELERY_BROKER_URL": "redis://127.0.0.1:1/0"}  # fmt: skip
            house = House(tmp_path, **variables)
            ask = (
                "from django.db import connection; cursor = connection.cursor();"
                "cursor.execute('SHOW statement_timeout'); print(cursor.fetchone()[0])"
            )
            assert house.shell(ask) == "0"
            assert house.shell(f"import appraise_gec.wsgi; {ask}") == "7s"
    except ServerUnavailable as reason:
        pytest.skip(str(reason))


def test_the_folder_of_the_figures_goes_with_the_server(embedded, monkeypatch, tmp_path):
    house, _ = embedded
    monkeypatch.setitem(house.variables, "TMPDIR", str(tmp_path))
    with house.running(*gunicorn(house)) as server:
        wait_until(Visitor(house.address).is_answered, "gunicorn")
        assert list(tmp_path.glob("appraise-metrics-*"))
        server.terminate()
        server.wait(35)
    assert not list(tmp_path.glob("appraise-metrics-*"))
