"""A part of the platform on one machine: a process that is started again when it ended by itself."""

import os
import signal
import subprocess
import time
from contextlib import suppress

# What ends so often within so many seconds would not stay up either if it were started once more.
MOST_ENDS, SECONDS_OF_ENDS = 3, 60


class PlatformStopped(Exception):
    """The platform cannot start or stay up; the text says why, and what to do."""


class Part:
    """One process with its name, and when it ended although nobody had asked for it."""

    def __init__(self, name: str, command: list[str], environment: dict[str, str]):
        self.name = name
        self._command = command
        self._environment = environment
        self._ends: list[float] = []
        self.process = self._started()

    def revive(self) -> str:
        """Start it again if it ended, and say so; nothing to say while it runs."""
        status = self.process.poll()
        if status is None:
            return ""
        self._clear_away()
        now = time.monotonic()
        self._ends = [end for end in self._ends if now - end < SECONDS_OF_ENDS] + [now]
        if len(self._ends) >= MOST_ENDS:
            raise PlatformStopped(
                f"{self.name} {how_it_ended(status)}, {MOST_ENDS} times within a minute, so all was stopped; no work "
                "is lost. Mend what is said above, or give the machine more memory if nothing is, and start again."
            )
        self.process = self._started()
        return f"{self.name} {how_it_ended(status)}. It is started again; what was under way is taken up soon."

    def _started(self) -> subprocess.Popen:
        # A session of its own, so that Ctrl-C reaches only us and everything is stopped in order.
        return subprocess.Popen(self._command, env=self._environment, start_new_session=True)  # noqa: S603

    def _clear_away(self) -> None:
        """What it had started itself must not go on beside its successor, as a clock or on its port."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGTERM)


def how_it_ended(status: int) -> str:
    """An exit status in words; nobody but a kernel short of memory, or a person, kills."""
    if status >= 0:
        return f"ended by itself (exit status {status}; see above)"
    if -status == signal.SIGKILL:
        return "was killed, perhaps for lack of memory"
    return f"was ended by {signal.Signals(-status).name}"
