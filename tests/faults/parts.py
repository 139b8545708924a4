"""The parts of a running platform, each of which can be killed, paused and started as often as one likes."""

import signal
import subprocess
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from random import Random
from threading import Event, RLock, Thread

from tests.services.family import family, signal_all
from tests.services.house import House
from tests.services.servers import PostgresServer, RedisServer, ServerFailed

LONGEST_STOP = 60


class Part(ABC):
    """Something that runs and can be disturbed; a supervisor may start it meanwhile, but only if it should run."""

    def __init__(self, name: str):
        self.name = name
        self._is_wanted = False
        self._changing = RLock()

    def start(self) -> None:
        with self._changing:
            self._is_wanted = True
            self._start()

    def kill(self) -> None:
        """End at once, in the middle of its work, with all its processes."""
        with self._changing:
            self._is_wanted = False
            self._kill()

    def stop(self) -> None:
        with self._changing:
            self._is_wanted = False
            self._stop()

    def revive(self) -> bool:
        """Up again, where it ended without being asked to; whether it had."""
        with self._changing:
            ended = self._is_wanted and not self._is_up()
            if ended:
                self._start()
        return ended

    def pause(self) -> None:
        signal_all(family(self.root()), signal.SIGSTOP)

    def resume(self) -> None:
        signal_all(family(self.root()), signal.SIGCONT)

    def kill_one(self, chance: Random) -> None:
        """End one of the processes below the first, where there is any."""
        below = family(self.root())[1:]
        if below:
            signal_all([chance.choice(below)], signal.SIGKILL)

    @abstractmethod
    def root(self) -> int:
        """The process above all its others."""

    @abstractmethod
    def _is_up(self) -> bool: ...

    @abstractmethod
    def _start(self) -> None: ...

    @abstractmethod
    def _kill(self) -> None: ...

    @abstractmethod
    def _stop(self) -> None: ...


class Process(Part):
    """A program of the platform, which writes what it says into a file."""

    def __init__(self, name: str, house: House, stack: ExitStack, log: Path, *command: str):
        super().__init__(name)
        self._house, self._stack, self._command = house, stack, command
        self._log = log
        self._process: subprocess.Popen | None = None

    def root(self) -> int:
        return self._running.pid

    def _is_up(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _start(self) -> None:
        if not self._is_up():
            self._process = self._stack.enter_context(self._house.running(*self._command, log=self._log))

    def _kill(self) -> None:
        self.pause()
        signal_all(family(self.root()), signal.SIGKILL)
        self._running.wait()

    def _stop(self) -> None:
        self._running.terminate()
        self._running.wait(LONGEST_STOP)

    @property
    def _running(self) -> subprocess.Popen:
        assert self._process is not None, f"{self.name} was never started"
        return self._process


class Server(Part):
    def __init__(self, name: str, server: PostgresServer | RedisServer):
        super().__init__(name)
        self._server = server

    def root(self) -> int:
        assert self._server.process is not None, f"{self.name} is not running"
        return self._server.process.pid

    def _is_up(self) -> bool:
        return self._server.process is not None and self._server.process.poll() is None

    def _start(self) -> None:
        self._server.start()

    def _kill(self) -> None:
        self._server.kill()

    def _stop(self) -> None:
        self._server.stop()


class Supervisor(Thread):
    """Starts again what ended by itself, as the restart policy of docker-compose.yml does."""

    def __init__(self, parts: Iterable[Part]):
        super().__init__(daemon=True)
        self.revived: Counter[str] = Counter()
        self._parts = list(parts)
        self._over = Event()

    def run(self) -> None:
        while not self._over.wait(0.5):
            self.revived.update(part.name for part in self._parts if self._revive(part))

    def finish(self) -> None:
        """Leave everything as it is."""
        self._over.set()
        self.join()

    @staticmethod
    def _revive(part: Part) -> bool:
        """What cannot start yet, as a database without room, is tried again."""
        try:
            return part.revive()
        except ServerFailed:
            return False
