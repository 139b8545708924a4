"""The processes of the platform on one machine: gunicorn, and a Celery worker for each queue, one with the beat."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from types import FrameType, TracebackType
from typing import Self
from urllib.error import URLError

SECONDS_TO_START = 60
# A worker gives back what it is at, which takes longer than its patience (`stopping`).
SECONDS_TO_STOP = 45


class PlatformStopped(Exception):
    """A process ended by itself; the text says which."""


class Platform:
    """Starts the processes, waits for them, and stops all of them however it ends."""

    def __init__(self, port: int):
        self.port = port
        self.address = f"http://127.0.0.1:{port}"
        self._processes: dict[str, subprocess.Popen] = {}

    def __enter__(self) -> Self:
        self._check_port()
        signal.signal(signal.SIGTERM, _interrupt)
        python = [sys.executable, "-m"]
        web = [*python, "gunicorn", "--config", "python:appraise_gec.serving", "appraise_gec.wsgi", "--bind",
               f"127.0.0.1:{self.port}"]  # fmt: skip
        worker = [*python, "celery", "--quiet", "-A", "appraise_gec", "worker", "--pool", "solo",
                  "--without-gossip", "--without-mingle"]  # fmt: skip
        try:
            self._start("the web server", web)
            self._start("the worker for what is soon done", [*worker, "-n", "short@%h", "--queues", "short", "-B"])
            self._start("the worker for what lasts", [*worker, "-n", "long@%h", "--queues", "long"])
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
        """Sleep until a process ends, which it should not."""
        while True:
            self._check()
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
        # A session of its own, so that Ctrl-C reaches only us and everything is stopped in order.
        environment = {"SITE_URL": self.address, "LOG_LEVEL": "WARNING"} | os.environ
        self._processes[name] = subprocess.Popen(command, env=environment, start_new_session=True)  # noqa: S603

    def _check(self) -> None:
        for name, process in self._processes.items():
            if process.poll() is not None:
                raise PlatformStopped(f"{name} ended by itself (exit status {process.returncode}); see above.")

    def _wait_for_answer(self) -> None:
        deadline = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < deadline:
            self._check()
            try:
                urllib.request.urlopen(f"{self.address}/healthz", timeout=2)  # noqa: S310 (our own address)
            except (URLError, OSError):
                time.sleep(0.2)
            else:
                return
        raise PlatformStopped(f"The web server did not answer within {SECONDS_TO_START} seconds.")

    def _stop(self) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # an impatient second Ctrl-C must not leave a process behind
        for process in self._processes.values():
            if process.poll() is None:
                process.terminate()
        for process in self._processes.values():
            try:
                process.wait(SECONDS_TO_STOP)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
