"""Parts of the platform on one machine: they come up again, unless they never stay up."""

import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from appraise_gec.management import processes
from appraise_gec.management.processes import PlatformProcess, PlatformStopped
from tests.services.waiting import free_port, wait_until

LASTING = "import time; time.sleep(60)"


@pytest.fixture
def start() -> Callable[[str], PlatformProcess]:
    """Starts parts, and ends them with all that they started."""
    started = []

    def starting(program: str) -> PlatformProcess:
        started.append(PlatformProcess("The clock", [sys.executable, "-c", program], dict(os.environ)))
        return started[-1]

    yield starting
    for part in started:
        kill(part)


def kill(part: PlatformProcess) -> None:
    part.process.kill()
    part.process.wait()


def test_a_part_that_runs_is_left_alone_and_one_that_was_killed_is_restarted_with_a_message(start):
    part = start(LASTING)
    first = part.process.pid
    assert part.revive() == ""
    assert part.process.pid == first
    kill(part)
    assert part.revive() == (
        "The clock was killed, perhaps for lack of memory. It is being restarted; unfinished jobs resume soon."
    )
    assert part.process.poll() is None


def test_children_of_a_killed_part_end_too(start, tmp_path):
    """A second clock beside that of its successor would tick twice."""
    child = f"import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', {LASTING!r}]);"
    part = start(f"{child} open({str(tmp_path / 'pid')!r}, 'w').write(f'{{p.pid}}.'); p.wait()")
    wait_until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().endswith("."), "the child")
    left = int((tmp_path / "pid").read_text()[:-1])
    kill(part)
    part.revive()
    wait_until(lambda: not _runs(left), "the end of the child")


# Listens on a port with a child that answers, and that does not end when it is asked to.
SERVER = """
import os, signal, socket, time
server = socket.create_server(("127.0.0.1", {port}))
if not os.fork():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        server.accept()[0].close()
time.sleep(60)
"""


def test_children_of_a_killed_server_do_not_keep_its_port(start, monkeypatch):
    monkeypatch.setattr(processes, "SECONDS_FOR_CHILDREN", 0.1)
    port = free_port()
    part = start(SERVER.format(port=port))
    for _ in range(2):
        wait_until(lambda: _answers(port), "the server")
        kill(part)
        part.revive()
    wait_until(lambda: _answers(port), "its successor")
    assert part.process.poll() is None
    kill(part)
    part.end_children()
    assert not _answers(port)


@pytest.mark.parametrize("program", [LASTING, "pass"])
def test_a_part_that_others_kill_or_stop_while_it_runs_well_is_never_given_up(start, monkeypatch, program):
    monkeypatch.setattr(processes, "SECONDS_TO_SETTLE", 0)
    part = start(program)
    for _ in range(3 * processes.MOST_FAILURES):
        if program == LASTING:
            part.process.kill()
        part.process.wait()
        assert "It is being restarted" in part.revive()


def test_a_part_that_is_killed_whenever_it_starts_is_given_up(start):
    part = start(LASTING)
    for _ in range(processes.MOST_FAILURES - 1):
        kill(part)
        part.revive()
    kill(part)
    with pytest.raises(PlatformStopped, match="The clock was killed, perhaps for lack of memory, 3 times"):
        part.revive()


def test_a_part_that_ends_again_and_again_is_given_up_with_a_next_step(start):
    part = start("raise SystemExit(3)")
    for _ in range(processes.MOST_FAILURES - 1):
        part.process.wait()
        assert "exited (status 3; see above). It is being restarted" in part.revive()
    part.process.wait()
    with pytest.raises(PlatformStopped, match=r"3 times within a minute, so the platform stopped.* and start again\."):
        part.revive()


def test_a_part_that_ends_now_and_then_is_never_given_up(start, monkeypatch):
    part = start("pass")
    started = time.monotonic()
    for number in range(2 * processes.MOST_FAILURES):
        part.process.wait()
        now = started + 31 * number
        monkeypatch.setattr(processes.time, "monotonic", lambda now=now: now)
        assert "It is being restarted" in part.revive()


@pytest.mark.parametrize(
    ("status", "description"),
    [
        (0, "exited (status 0; see above)"),
        (-signal.SIGKILL, "was killed, perhaps for lack of memory"),
        (-signal.SIGSEGV, "was terminated by SIGSEGV"),
    ],
)
def test_it_says_how_a_part_ended(status, description):
    assert processes.how_it_ended(status) == description


def _answers(port: int) -> bool:
    """A connection alone would wait in the queue of a server that never answers."""
    with socket.socket() as visitor:
        return visitor.connect_ex(("127.0.0.1", port)) == 0 and visitor.recv(1) == b""


def _runs(pid: int) -> bool:
    """Neither gone nor waiting for somebody to take note."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_browser_opens_only_where_windows_can(monkeypatch):
    opened = []
    monkeypatch.setattr(processes.webbrowser, "open", opened.append)
    monkeypatch.setattr(processes.sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    processes.open_browser("of a terminal")
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    processes.open_browser("of a desktop")
    assert opened == ["of a desktop"]
