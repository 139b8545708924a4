"""The real processes: what docker-compose.yml starts, by hand, and what `make demo` starts, as one command."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from appraise_gec.management.processes import SECONDS_TO_SETTLE
from tests.services.apart import fresh_services
from tests.services.composed import programs
from tests.services.echoing import listens
from tests.services.house import ROOT, House
from tests.services.visitor import Visitor
from tests.services.waiting import wait_until

pytestmark = [pytest.mark.services, pytest.mark.long]


@pytest.fixture(scope="module")
def production(tmp_path_factory) -> Iterator[tuple[House, str]]:
    """The demo for all tests, each of which starts processes; what load_demo printed."""
    with fresh_services() as variables:
        house = House(tmp_path_factory.mktemp("production"), **variables)
        yield house, house.prepare()


@pytest.fixture(scope="module")
def embedded(tmp_path_factory) -> tuple[House, str]:
    """The demo on SQLite, without any service; what load_demo printed."""
    house = House(tmp_path_factory.mktemp("embedded"))
    return house, house.prepare()


def requested(replicates: int) -> str:
    """Ask for a new report of the demo, and print its number."""
    return (
        "from judgments.models import Campaign; from ranking.reports import building;"
        "from ranking.stats.comparisons.study import PRESETS;"
        f"chosen = PRESETS['recommended'].with_changes(replicates={replicates}, seed=11);"
        "print(building.request_report(Campaign.objects.get(slug='demo'), parameters=chosen).pk)"
    )


def celery(*words: str) -> tuple[str, ...]:
    return ("-m", "celery", "-A", "appraise_gec", *words)


def is_done(house: House, pk: str) -> bool:
    return house.shell(f"from ranking.models import Report; print(Report.objects.get(pk={pk}).state)") == "done"


def test_the_processes_of_production_walk_from_an_invitation_to_a_report(production):
    house, printed = production
    with ExitStack() as processes:
        commands = programs(house.port, Path(house.variables["DATA_DIR"]))
        begun = {name: processes.enter_context(house.running(*command)) for name, command in commands.items()}
        wait_until(Visitor(house.address).is_answered, "gunicorn")
        house.walk(printed)
        gives_way = {name: os.getpriority(os.PRIO_PROCESS, process.pid) for name, process in begun.items()}
        assert gives_way["web"] == gives_way["beat"] < gives_way["worker"] < gives_way["reports"]


def test_two_hosts_share_the_database_and_the_queue_alone_and_one_may_die(production, tmp_path):
    """What one has taken the other reads, and it finishes what the dead one began."""
    house, printed = production
    shared = ("SECRET_KEY", "DATABASE_URL", "CELERY_BROKER_URL")
    other = House(tmp_path, **{name: house.variables[name] for name in shared})
    other.manage("collectstatic", "--no-input", "--verbosity", "0")
    token = house.shell(
        "from judgments.campaigns import settings; from judgments.judges.programs import token_of;"
        "settings.create('olga', 'recommended', slug='hosts', name='Hosts'); print(token_of('olga'))"
    )
    with ExitStack() as lasting, ExitStack() as dying:
        parts = {
            (each, name): stack.enter_context(each.running(*programs(each.port, tmp_path)[name]))
            for each, stack, names in ((house, lasting, ("web", "worker", "beat")), (other, dying, ("web", "reports")))
            for name in names
        }
        for each in (house, other):
            wait_until(Visitor(each.address).is_answered, "gunicorn")
        other.judge(printed).rank_everything_first()
        file = 'Content-Disposition: form-data; name="files"; filename="source.txt"\r\n\r\nA cat .\n'
        body = f"--x\r\n{file}\r\n--x--\r\n".encode()
        headers = {"Authorization": f"Token {token}", "Content-Type": "multipart/form-data; boundary=x"}
        uploads = "/api/campaigns/hosts/uploads/"
        with urlopen(Request(other.address + uploads, body, headers)) as answer:  # noqa: S310 (our own server)
            uploads += f"{json.load(answer)['id']}/"
        pk = house.shell(requested(20_000))
        state = f"from ranking.models import Report; print(Report.objects.get(pk={pk}).state)"
        wait_until(lambda: house.shell(state) == "running", "the dead host's worker")
        for (each, _), process in parts.items():
            if each is other:
                os.killpg(process.pid, signal.SIGKILL)
        lasting.enter_context(house.running(*programs(house.port, tmp_path)["reports"]))
        wait_until(lambda: is_done(house, pk), "the report", seconds=300)
        with urlopen(Request(house.address + uploads, headers=headers)) as answer:  # noqa: S310
            assert "source.txt" in answer.read().decode()
        assert house.manage("export", "demo").count("guest") > 0


def test_a_report_that_lost_its_message_is_made_when_a_worker_comes_up(production):
    """The row outlives the queue: a report asked for while the broker forgets is found by the sweeper."""
    house, _ = production
    made = (
        "from datetime import timedelta; from django.utils import timezone; from judgments.models import Campaign;"
        "from ranking.reports.building import create_report; from ranking.models import Report;"
        "r = create_report(Campaign.objects.get(slug='demo'));"
        "Report.objects.filter(pk=r.pk).update(queued_at=timezone.now() - timedelta(hours=1)); print(r.pk)"
    )
    pk = house.shell(made)
    with house.running(*celery("worker", "--pool", "solo")):
        wait_until(lambda: is_done(house, pk), "the sweeper")


def test_a_report_split_over_workers_has_the_numbers_of_one_made_by_one(production, tmp_path, monkeypatch):
    house, _ = production
    monkeypatch.setitem(house.variables, "REPORT_WORKERS", "3")
    house.manage("build_report", "demo", "--replicates", "200", "--seed", "11", "--out", str(tmp_path / "whole"))
    with house.running(*celery("worker", "--concurrency", "2")):
        pk = house.shell(requested(200))
        wait_until(lambda: is_done(house, pk), "the report")
    read = (
        "from ranking.reports import downloads; from ranking.models import Report;"
        f"print(downloads.report_file(Report.objects.get(pk={pk}), 'report.json'), end='')"
    )
    whole = (tmp_path / "whole" / "report.json").read_text()
    assert house.manage("shell", "--no-imports", "-c", read) == whole
    assert house.shell("from ranking.models import ReportPart; print(ReportPart.objects.count())") == "0"


def test_the_embedded_platform_starts_stops_and_keeps_the_work(embedded):
    house, printed = embedded
    for judged in (1, 2):
        command = ("manage.py", "run_platform", "--port", str(house.port), "--warm-up")
        with house.running(*command) as platform:
            wait_until(Visitor(house.address).is_answered, "the platform")
            if judged == 1:
                house.walk(printed)
                assert not _libraries("gunicorn", house.variables["DATA_DIR"]) & {"numba", "spacy"}
            assert house.manage("load_demo") == printed
            assert "running already" in house.manage("run_platform", "--port", str(house.port))
            platform.send_signal(signal.SIGINT)
            assert platform.wait(120) == 0
        assert not Visitor(house.address).is_answered()
        assert not _left_running(house.variables["DATA_DIR"])
    assert house.manage("export", "demo").count("guest") > 1


def test_a_worker_that_is_killed_comes_up_again_and_makes_the_next_report(embedded, tmp_path):
    """As when memory runs out: nothing else ends, and a message names what ended."""
    house, _ = embedded
    log = tmp_path / "log"
    with house.running("manage.py", "run_platform", "--port", str(house.port), log=log):
        wait_until(Visitor(house.address).is_answered, "the platform")
        (first,) = _running_as("long@", house.variables["DATA_DIR"])
        os.kill(first, signal.SIGKILL)
        sentence = "The worker for long jobs was killed, perhaps for lack of memory. It is being restarted"
        wait_until(lambda: sentence in log.read_text(), "the sentence")
        (second,) = _running_as("long@", house.variables["DATA_DIR"])
        assert second != first
        pk = house.shell(requested(200))
        # A message that is lost on the way is sent again by the sweep, which may take minutes.
        wait_until(lambda: is_done(house, pk), "the report", log.read_text, 300)
        assert Visitor(house.address).is_answered()


# How each part and its children were called, and in how many rounds each is killed: KILLS=50 takes 16 minutes.
PARTS = ("gunicorn", "short@", "long@", "beat --pidfile=")
ROUNDS = int(os.environ.get("KILLS", "3"))
CONNECTIONS = 36


def test_the_platform_outlives_all_its_parts(embedded, tmp_path):
    """Each is killed while visitors keep connections open; of the web server also a single process, and all of it."""
    house, _ = embedded
    log, folder = tmp_path / "log", house.variables["DATA_DIR"]
    with house.running("manage.py", "run_platform", "--port", str(house.port), log=log) as platform:
        for number in range(ROUNDS):
            wait_until(Visitor(house.address).is_answered, "the platform", log.read_text)
            with ExitStack() as visitors:
                for _ in range(CONNECTIONS):
                    visitor = visitors.enter_context(socket.create_connection(("127.0.0.1", house.port), 60))
                    visitor.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                time.sleep(SECONDS_TO_SETTLE)
                for part in PARTS:
                    _kill_first(part, folder, platform, log)
            wait_until(Visitor(house.address).is_answered, "the platform", log.read_text)
            time.sleep(SECONDS_TO_SETTLE)
            web = sorted(_running_as("gunicorn", folder))
            for pid in web if number % 2 else web[-1:]:
                os.kill(pid, signal.SIGKILL)
            time.sleep(SECONDS_TO_SETTLE)
        wait_until(Visitor(house.address).is_answered, "the platform", log.read_text)
        wait_until(
            lambda: [len(_running_as(part, folder)) for part in PARTS] == [3, 1, 1, 1], "each once, the web thrice"
        )
        assert platform.poll() is None
    assert not _left_running(folder)


def _kill_first(part: str, folder: str, platform: subprocess.Popen, log: Path) -> None:
    first = min(_running_as(part, folder))
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: {*_running_as(part, folder)} - {first}, f"another {part}", log.read_text)
    assert platform.poll() is None, log.read_text()


def test_the_embedded_platform_gives_up_when_a_part_never_stays_up(embedded):
    house, _ = embedded
    command = [sys.executable, "manage.py", "run_platform", "--port", str(house.port)]
    variables = house.variables | {"WEB_WORKERS": "0"}
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False, timeout=90)
    assert done.returncode == 1
    assert done.stderr.count("The web server exited (status 1; see above). It is being restarted") == 2
    assert "The web server exited (status 1; see above), 3 times within a minute" in done.stderr
    assert not _left_running(house.variables["DATA_DIR"])


def test_the_embedded_platform_says_when_its_port_is_taken(embedded):
    house, _ = embedded
    with house.running("-m", "http.server", str(house.port), "--bind", "127.0.0.1"):
        wait_until(lambda: listens(house.port), "the other server")
        command = [sys.executable, "manage.py", "run_platform", "--port", str(house.port)]
        done = subprocess.run(
            command, cwd=ROOT, env=house.variables, capture_output=True, text=True, check=False, timeout=90
        )
    assert done.returncode == 1
    assert f"Another program uses port {house.port}" in done.stderr


def _libraries(part: str, folder: str) -> set[str]:
    """The packages from which processes of a part have loaded machine code."""
    maps = [Path(f"/proc/{pid}/maps").read_text() for pid in _running_as(part, folder)]
    return set(re.findall(r"/site-packages/(\w+)/", "\n".join(maps)))


def _left_running(folder: str) -> list[str]:
    """Processes that still work in the folder of an installation, where the system lets us look."""
    return [command for _, command in _processes(folder)]


def _running_as(name: str, folder: str) -> list[int]:
    return [pid for pid, command in _processes(folder) if name in command]


def _processes(folder: str) -> Iterator[tuple[int, str]]:
    for variables in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"DATA_DIR={folder}".encode() in variables.read_bytes().split(b"\0"):
                yield int(variables.parent.name), (variables.parent / "cmdline").read_text().replace("\0", " ")
        except OSError:
            continue
