"""A database and a queue of one's own on servers that other tests use at the same time."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from urllib.parse import urlsplit, urlunsplit

import psycopg2
import pytest
import redis

from tests.services.house import SECRET
from tests.services.servers import ServerUnavailable, provide_postgres, provide_redis

TAKEN = "taken-by-a-test"


@contextmanager
def fresh_database(server: str) -> Iterator[str]:
    name = f"platform_{os.getpid()}"
    connection = psycopg2.connect(server)
    connection.autocommit = True
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
        try:
            yield _at(server, name)
        finally:
            cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")
    connection.close()


@contextmanager
def fresh_queue(server: str) -> Iterator[str]:
    """A numbered database of this Redis that nobody else has: a worker takes everything in its queue."""
    for number in count(1):
        with redis.Redis.from_url(_at(server, str(number))) as client:  # says so where it has no further one
            if client.set(TAKEN, os.getpid(), nx=True):
                try:
                    yield _at(server, str(number))
                finally:
                    client.flushdb()
                return


@contextmanager
def fresh_services() -> Iterator[dict[str, str]]:
    """The variables of an installation on PostgreSQL and Redis; the test is skipped where one is missing."""
    try:
        with (
            provide_postgres() as postgres,
            provide_redis() as redis,
            fresh_database(postgres.url) as database,
            fresh_queue(redis.url) as queue,
        ):
            yield {"SECRET_KEY": SECRET, "DATABASE_URL": database, "CELERY_BROKER_URL": queue}
    except ServerUnavailable as reason:
        pytest.skip(str(reason))


def _at(server: str, name: str) -> str:
    return urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
