"""The processes of the platform on one machine: gunicorn and a Celery worker per queue, restarted when they end."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Self
from urllib.error import URLError

# A process that ends this often within so many seconds is not restarted again.
MOST_ENDS, SECONDS_OF_ENDS = 3, 60


class PlatformStopped(Exception):
    """The platform cannot start or stay up; the message says why and what to do."""


class Part:
    """A process with its name, and when it last ended by itself."""

    def __init__(self, name: str, command: list[str], environment: dict[str, str]):
        self.name = name
        self._command = command
        self._environment = environment
        self._ends: list[float] = []
        self.process = self._started()

    def revive(self) -> str:
        """Restart the process if it ended, and return a message; an empty string while it runs."""
        status = self.process.poll()
        if status is None:
            return ""
        # Its children must not keep the port, or schedule tasks twice.
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGTERM)
        now = time.monotonic()
        self._ends = [end for end in self._ends if now - end < SECONDS_OF_ENDS] + [now]
        if len(self._ends) >= MOST_ENDS:
            raise PlatformStopped(
                f"{self.name} {how_it_ended(status)}, {MOST_ENDS} times within a minute, so the platform stopped; no "
                "work is lost. Fix the error above, or add memory if there is none, and start again."
            )
        self.process = self._started()
        return f"{self.name} {how_it_ended(status)}. It is being restarted; unfinished jobs resume soon."

    def _started(self) -> subprocess.Popen:
        # In a new session, so that Ctrl-C reaches only this process, which stops the others in order.
        return subprocess.Popen(self._command, env=self._environment, start_new_session=True)  # noqa: S603


def how_it_ended(status: int) -> str:
    """Describe an exit status; SIGKILL comes from a person or from a kernel short of memory."""
    if status >= 0:
        return f"exited (status {status}; see above)"
    if -status == signal.SIGKILL:
        return "was killed, perhaps for lack of memory"
    return f"was terminated by {signal.Signals(-status).name}"


SECONDS_TO_START = 60
# A worker that shuts down first gives its running jobs SECONDS_TO_FINISH (`workers`), then gives them back.
SECONDS_TO_STOP = 45


class Platform:
    """Starts the processes, restarts those that end, and stops them all on exit."""

    def __init__(self, port: int, say: Callable[[str], object]):
        self.port = port
        self.address = f"http://127.0.0.1:{port}"
        self._say = say
        self._parts: list[Part] = []

    def __enter__(self) -> Self:
        self._check_port()
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        python = [sys.executable, "-m"]
        web = [*python, "gunicorn", "--config", "python:appraise_gec.server.gunicorn", "appraise_gec.wsgi", "--bind",
               f"127.0.0.1:{self.port}"]  # fmt: skip
        worker = [*python, "celery", "--quiet", "-A", "appraise_gec", "worker", "--pool", "solo",
                  "--without-gossip", "--without-mingle"]  # fmt: skip
        try:
            self._start("The web server", web)
            self._start("The worker for short jobs", [*worker, "-n", "short@%h", "--queues", "short", "-B"])
            self._start("The worker for long jobs", [*worker, "-n", "long@%h", "--queues", "long"])
            self._wait_for_answer()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def wait(self) -> None:
        """Run until stopped, or until a process does not stay up."""
        while True:
            self._revive()
            time.sleep(0.5)

    def _check_port(self) -> None:
        if not 1 <= self.port <= 65535:
            raise PlatformStopped(f"{self.port} is not a port; choose one between 1 and 65535.")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                raise PlatformStopped(
                    f"Another program uses port {self.port}; stop it, or choose another port (make demo PORT=8001)."
                )

    def _start(self, name: str, command: list[str]) -> None:
        environment = {"SITE_URL": self.address, "LOG_LEVEL": "WARNING"} | os.environ
        self._parts.append(Part(name, command, environment))

    def _revive(self) -> None:
        for part in self._parts:
            if message := part.revive():
                self._say(message)

    def _wait_for_answer(self) -> None:
        deadline = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < deadline:
            self._revive()
            try:
                urllib.request.urlopen(f"{self.address}/healthz", timeout=2)  # noqa: S310 (our own address)
            except (URLError, OSError):
                time.sleep(0.2)
            else:
                return
        raise PlatformStopped(f"The web server did not answer within {SECONDS_TO_START} seconds.")

    def _stop(self) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # an impatient second Ctrl-C must not leave a process behind
        for part in self._parts:
            if part.process.poll() is None:
                part.process.terminate()
        for part in self._parts:
            try:
                part.process.wait(SECONDS_TO_STOP)
            except subprocess.TimeoutExpired:
                os.killpg(part.process.pid, signal.SIGKILL)
                part.process.wait()
