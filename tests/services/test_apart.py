"""Tests that share a server do not meet on it."""

import pytest
import redis

from tests.services.apart import fresh_queue
from tests.services.servers import ServerUnavailable, provide_redis

pytestmark = pytest.mark.services


def test_two_who_share_a_redis_have_each_a_queue_of_their_own_and_leave_it_empty():
    try:
        with provide_redis() as server:
            with (
                fresh_queue(server.url) as mine,
                fresh_queue(server.url) as another,
                redis.Redis.from_url(mine) as here,
                redis.Redis.from_url(another) as there,
            ):
                here.lpush("long", "a report")
                assert there.llen("long") == 0
            with redis.Redis.from_url(mine) as here:
                assert here.dbsize() == 0
    except ServerUnavailable as reason:
        pytest.skip(str(reason))
