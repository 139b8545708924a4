"""The processes of the platform on one machine: gunicorn, Celery workers and beat, restarted when they end.

`run_platform` becomes this program, which imports nothing else, so that it stays small: `-m ... PORT [--warm-up]`.
"""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from types import TracebackType
from typing import Self
from urllib.error import URLError

# A process that fails this often within so many seconds is not restarted again. Being stopped or killed is no failure
# once it has run for a while; a job that fills the memory is given up by itself.
MOST_FAILURES, SECONDS_OF_FAILURES, SECONDS_TO_SETTLE = 3, 60, 2
# How long the children of a killed process may finish what they are doing, and may take to disappear.
SECONDS_FOR_CHILDREN, SECONDS_TO_DISAPPEAR = 2, 1


class PlatformStopped(Exception):
    """The platform cannot start or stay up; the message says why and what to do."""


class PlatformProcess:
    """A process with its name, and when it last failed."""

    def __init__(self, name: str, command: list[str], environment: dict[str, str]):
        self.name = name
        self._command = command
        self._environment = environment
        self._failures: list[float] = []
        self._start()

    def revive(self) -> str:
        """Restart the process if it ended, and return a message; an empty string while it runs."""
        status = self.process.poll()
        if status is None:
            return ""
        now = time.monotonic()
        self.end_children()
        if status <= 0 and now - self._started_at >= SECONDS_TO_SETTLE:
            self._failures = []
        else:
            self._failures = [then for then in self._failures if now - then < SECONDS_OF_FAILURES] + [now]
        if len(self._failures) >= MOST_FAILURES:
            raise PlatformStopped(
                f"{self.name} {how_it_ended(status)}, {MOST_FAILURES} times within a minute, so the platform stopped; "
                "no work is lost. Fix the error above, or add memory if there is none, and start again."
            )
        self._start()
        return f"{self.name} {how_it_ended(status)}. It is being restarted; unfinished jobs resume soon."

    def end_children(self) -> None:
        """End the children of a process that has ended; they must not keep the port, or work beside its successor."""
        for number, seconds in ((signal.SIGTERM, SECONDS_FOR_CHILDREN), (signal.SIGKILL, SECONDS_TO_DISAPPEAR)):
            deadline = time.monotonic() + seconds
            with suppress(ProcessLookupError, PermissionError):  # the latter on macOS, while they disappear
                os.killpg(self.process.pid, number)
                while time.monotonic() < deadline:
                    os.killpg(self.process.pid, 0)
                    time.sleep(0.05)

    def _start(self) -> None:
        # In a new session, so that Ctrl-C reaches only this process, which stops the others in order.
        self.process = subprocess.Popen(self._command, env=self._environment, start_new_session=True)  # noqa: S603
        self._started_at = time.monotonic()


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


def check_port(port: int) -> None:
    """Refuse a port that is none, or that another program uses."""
    if not 1 <= port <= 65535:
        raise PlatformStopped(f"{port} is not a port; choose one between 1 and 65535.")
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", port)) == 0:
            raise PlatformStopped(
                f"Another program uses port {port}; stop it, or choose another port (--port 8001; with make, "
                "PORT=8001)."
            )


class ProcessGroup:
    """Starts the processes, restarts those that end, and stops them all on exit."""

    def __init__(self, port: int, say: Callable[[str], object]):
        self.port = port
        self.address = f"http://127.0.0.1:{port}"
        self._say = say
        self._parts: list[PlatformProcess] = []
        self._warming: subprocess.Popen | None = None

    def __enter__(self) -> Self:
        check_port(self.port)
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        python = [sys.executable, "-m"]
        web = [*python, "gunicorn", "--config", "python:appraise_gec.server.gunicorn", "appraise_gec.wsgi", "--bind",
               f"127.0.0.1:{self.port}"]  # fmt: skip
        celery = [*python, "celery", "--quiet", "-A", "appraise_gec"]
        worker = [*celery, "worker", "--pool", "solo", "--without-gossip", "--without-mingle"]
        try:
            self._start("The web server", web)
            self._start("The worker for short jobs", [*worker, "-n", "short@%h", "--queues", "short"])
            self._start("The worker for long jobs", [*worker, "-n", "long@%h", "--queues", "long"])
            self._start("The scheduler", [*celery, "beat", "--pidfile="])
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

    def _start(self, name: str, command: list[str]) -> None:
        # Whoever tries this as root, as in a container, need not be told so by each worker.
        quiet = {"PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges"}
        environment = {"SITE_URL": self.address, "LOG_LEVEL": "WARNING"} | quiet | os.environ
        self._parts.append(PlatformProcess(name, command, environment))

    def warm_up(self) -> None:
        """Compile what reports and metrics need while nobody needs it yet, with the time that others leave."""
        words = [sys.executable, "-m", "appraise_gec.cli", "warm-up", "--once"]
        self._warming = subprocess.Popen(  # noqa: S603
            words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            preexec_fn=lambda: os.nice(19),
        )  # fmt: skip

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
        if self._warming:
            self._warming.kill()
            self._warming.wait()
        for part in self._parts:
            part.process.terminate()
        for part in self._parts:
            try:
                part.process.wait(SECONDS_TO_STOP)
            except subprocess.TimeoutExpired:
                part.process.kill()
                part.process.wait()
            part.end_children()


# The variables with what to print, and the address to open in a browser, once the platform answers.
GREETING, BROWSER = "APPRAISE_GREETING", "APPRAISE_BROWSER"
WARM_UP = "--warm-up"


def open_browser(address: str) -> None:
    """Where windows can be opened: a browser in the terminal would keep the processes from being watched."""
    if sys.platform == "darwin" or os.environ.keys() & {"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"}:
        webbrowser.open(address)


def main(port: int, warms_up: bool) -> None:
    greeting, address = os.environ.pop(GREETING, ""), os.environ.pop(BROWSER, "")
    try:
        with ProcessGroup(port, partial(print, file=sys.stderr, flush=True)) as platform:
            print(f"\nThe platform is at {platform.address}. Ctrl-C stops it; all work is kept.")
            if greeting:
                print(greeting)
            sys.stdout.flush()
            if address:
                open_browser(address)
            if warms_up:
                platform.warm_up()
            platform.wait()
    except KeyboardInterrupt:
        print("Stopped.")
    except PlatformStopped as reason:
        sys.exit(str(reason))


if __name__ == "__main__":
    main(int(sys.argv[1]), WARM_UP in sys.argv)
