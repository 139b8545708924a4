"""The throw-away servers start, answer and leave nothing behind; one that the environment names comes first."""

import contextlib
import os
import socket

import psycopg2
import pytest
import redis

from tests.services.servers import PostgresServer, RedisServer, ServerUnavailable

pytestmark = pytest.mark.services


def answers(url: str) -> bool:
    """Whether a server of either kind does what it is for."""
    if url.startswith("redis"):
        with redis.Redis.from_url(url) as client:
            return client.ping()
    with contextlib.closing(psycopg2.connect(url)) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return cursor.fetchall() == [(1,)]


@pytest.mark.parametrize("kind", [PostgresServer, RedisServer])
def test_starts_answers_and_leaves_nothing(kind):
    try:
        with kind() as server:
            assert answers(server.url)
            pid, port, folder = server.process.pid, server.port, server.folder
            assert folder.is_dir()
    except ServerUnavailable as reason:
        pytest.skip(str(reason))
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0
    assert not folder.exists()
