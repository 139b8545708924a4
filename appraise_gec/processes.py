"""The processes of the platform on one machine: gunicorn, and a Celery worker for each queue, one with the beat."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Self
from urllib.error import URLError

from appraise_gec.parts import Part, PlatformStopped

SECONDS_TO_START = 60
# A worker gives back what it is at, which takes longer than its patience (`stopping`).
SECONDS_TO_STOP = 45


class Platform:
    """Starts the parts, starts again what ends by itself, and stops all of them however it ends."""

    def __init__(self, port: int, say: Callable[[str], object]):
        self.port = port
        self.address = f"http://127.0.0.1:{port}"
        self._say = say
        self._parts: list[Part] = []

    def __enter__(self) -> Self:
        self._check_port()
        signal.signal(signal.SIGTERM, _interrupt)
        python = [sys.executable, "-m"]
        web = [*python, "gunicorn", "--config", "python:appraise_gec.serving", "appraise_gec.wsgi", "--bind",
               f"127.0.0.1:{self.port}"]  # fmt: skip
        worker = [*python, "celery", "--quiet", "-A", "appraise_gec", "worker", "--pool", "solo",
                  "--without-gossip", "--without-mingle"]  # fmt: skip
        try:
            self._start("The web server", web)
            self._start("The worker for what is soon done", [*worker, "-n", "short@%h", "--queues", "short", "-B"])
            self._start("The worker for what lasts", [*worker, "-n", "long@%h", "--queues", "long"])
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
        """Go on until somebody stops it, or a part does not stay up."""
        while True:
            self._revive()
            time.sleep(0.5)

    def _check_port(self) -> None:
        if not 1 <= self.port <= 65535:
            raise PlatformStopped(f"{self.port} is no port; choose one between 1 and 65535.")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                raise PlatformStopped(
                    f"Port {self.port} is taken by another program; stop it, or choose another port "
                    "(make demo PORT=8001)."
                )

    def _start(self, name: str, command: list[str]) -> None:
        environment = {"SITE_URL": self.address, "LOG_LEVEL": "WARNING"} | os.environ
        self._parts.append(Part(name, command, environment))

    def _revive(self) -> None:
        for part in self._parts:
            if said := part.revive():
                self._say(said)

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


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
