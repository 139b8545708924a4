"""A process that answers outlives its clients and a full disk, and one that stops leaves nobody waiting."""

import os
import resource
import signal
import time
from contextlib import ExitStack, suppress
from http.client import HTTPConnection
from subprocess import Popen

import pytest

from tests.services.echoing import answer, connected, listens, serving
from tests.services.family import family
from tests.services.house import House
from tests.services.slow import GET, of_length
from tests.services.waiting import wait_until

pytestmark = pytest.mark.services


def worker_of(server: Popen) -> int:
    wait_until(lambda: len(family(server.pid)) == 2, "the process that answers")
    return family(server.pid)[1]


def test_a_connection_that_is_replaced_at_the_moment_it_sends_is_forgotten(tmp_path):
    with serving(tmp_path, "--worker-connections", "8") as (port, server), ExitStack() as stack:
        worker = worker_of(server)
        idle = [connected(port, stack) for _ in range(7)]
        time.sleep(0.5)
        os.kill(worker, signal.SIGSTOP)
        time.sleep(0.1)
        newest = connected(port, stack)
        time.sleep(0.1)
        for connection in idle:
            connection.sendall(b"P")
        os.kill(worker, signal.SIGCONT)
        for _ in range(2):
            newest.sendall(GET)
            assert answer(newest).endswith(b"\r\n\r\n0")


@pytest.mark.parametrize("step", [1_000, 50_000])
def test_a_request_for_which_the_disk_has_no_room_is_refused_and_the_process_goes_on(tmp_path, step):
    """The kernel refuses to write beyond a size of files as it does on a full disk."""
    with serving(tmp_path) as (port, server), ExitStack() as stack:
        worker = worker_of(server)
        large, other = connected(port, stack), connected(port, stack)
        other.sendall(GET)
        assert answer(other).endswith(b"\r\n\r\n0")
        resource.prlimit(worker, resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
        large.sendall(of_length(150_000))
        with suppress(ConnectionError):
            for _ in range(0, 150_000, step):
                large.sendall(b"a" * step)
                time.sleep(0.001)
        assert large.recv(4096).startswith(b"HTTP/1.1 500 ")
        other.sendall(GET)
        assert answer(other).endswith(b"\r\n\r\n0")
        assert worker_of(server) == worker


def test_a_stopping_server_answers_waiting_connections_and_refuses_new_ones(tmp_path):
    with serving(tmp_path) as (port, server), ExitStack() as stack:
        worker = worker_of(server)
        begun = connected(port, stack)
        begun.sendall(of_length(3))
        time.sleep(0.5)
        os.kill(worker, signal.SIGSTOP)
        waiting = connected(port, stack)
        waiting.sendall(GET)
        server.terminate()
        time.sleep(0.5)
        os.kill(worker, signal.SIGCONT)
        assert answer(waiting).endswith(b"\r\n\r\n0")
        wait_until(lambda: not listens(port), "refusals", seconds=1)
        begun.sendall(b"abc")
        assert answer(begun).endswith(b"\r\n\r\n3")
        assert server.wait(20) == 0


def served(house: House) -> bytes:
    connection = HTTPConnection("127.0.0.1", house.port, timeout=20)
    connection.request("GET", "/")
    return connection.getresponse().read()


def test_processes_after_sighup_have_the_new_version_of_what_the_first_process_imported(tmp_path):
    version, house = tmp_path / "version.py", House(tmp_path)
    version.write_text("NUMBER = b'old'")
    (tmp_path / "versioned.py").write_text("from tests.services.impatient import *\nimport version\n")
    (tmp_path / "answering.py").write_text(
        "from version import NUMBER\n\ndef app(environ, start):\n    start('200 OK', [])\n    return [NUMBER]\n"
    )
    house.variables["PYTHONPATH"] = str(tmp_path)
    command = ("-m", "gunicorn", "--config", "python:versioned", "--bind", f"127.0.0.1:{house.port}", "answering:app")
    with house.running(*command) as server:
        wait_until(lambda: listens(house.port), "the server")
        assert served(house) == b"old"
        version.write_text("NUMBER = b'newer'")
        server.send_signal(signal.SIGHUP)
        wait_until(lambda: served(house) == b"newer", "the new version", seconds=10)
