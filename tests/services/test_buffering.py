"""Visitors who begin a request and do not end it hold up nobody, and all requests that come whole are answered."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appraise_gec.server.buffering import MOST_BUFFERED, missing
from tests.services.house import House
from tests.services.waiting import wait_until

pytestmark = pytest.mark.services

GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
THREADS = 2


@pytest.fixture(scope="module")
def port(tmp_path_factory) -> Iterator[int]:
    """A server of one process and two threads."""
    house = House(tmp_path_factory.mktemp("whole"))
    command = ("-m", "gunicorn", "--config", "python:appraise_gec.server.gunicorn", "--workers", "1",
               "--threads", str(THREADS), "--bind", f"127.0.0.1:{house.port}", "tests.services.echo:app")  # fmt: skip
    with house.running(*command):
        wait_until(lambda: _listens(house.port), "the server")
        yield house.port


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def connected(port: int, stack: ExitStack) -> socket.socket:
    return stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20))


def post(length: int, *headers: str) -> bytes:
    lines = "".join(f"{header}\r\n" for header in headers)
    return f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n{lines}\r\n".encode()


def answer(connection: socket.socket) -> bytes:
    """What came, up to the end of a body of few bytes."""
    came = b""
    while b"\r\n\r\n" not in came or came.endswith(b"\r\n\r\n"):
        piece = connection.recv(4096)
        if not piece:
            break
        came += piece
    return came


@pytest.mark.parametrize("begun", [b"P", GET[:-2], post(1000), post(1000) + b"a", post(10**8) + b"a" * 1000])
def test_forty_who_do_not_go_on_hold_up_nobody(port, begun):
    with ExitStack() as stack:
        for _ in range(40):
            connected(port, stack).sendall(begun)
        for _ in range(5):
            visitor = connected(port, stack)
            visitor.sendall(GET)
            assert answer(visitor).endswith(b"\r\n\r\n0")


def test_a_request_in_pieces_is_answered_when_it_is_whole(port):
    with ExitStack() as stack:
        slow = connected(port, stack)
        for piece in (b"PO", post(6)[2:30], post(6)[30:], b"abc"):
            slow.sendall(piece)
            time.sleep(0.1)
        slow.sendall(b"def")
        assert answer(slow).endswith(b"\r\n\r\n6")


@pytest.mark.parametrize("length", [0, 1, MOST_BUFFERED - 500, MOST_BUFFERED, MOST_BUFFERED + 1, 5_000_000])
def test_bodies_of_every_size_come_whole_one_after_the_other(port, length):
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    for _ in range(3):  # on the same connection
        connection.request("POST", "/", b"a" * length)
        assert connection.getresponse().read() == str(length).encode()
    connection.close()


def test_requests_that_come_together_are_both_answered(port):
    with ExitStack() as stack:
        hasty = connected(port, stack)
        hasty.sendall(post(3) + b"abc" + GET)
        both = b""
        while both.count(b"HTTP/1.1 200") < 2 or not both.endswith(b"\r\n\r\n0"):
            both += hasty.recv(4096)
        hasty.sendall(post(3) + b"abc" + GET[:20])
        assert answer(hasty).endswith(b"\r\n\r\n3")
        hasty.sendall(GET[20:])
        assert answer(hasty).endswith(b"\r\n\r\n0")


def test_a_client_that_expects_100_continue_gets_it(port):
    with ExitStack() as stack:
        careful = connected(port, stack)
        careful.sendall(post(3, "Expect: 100-continue"))
        assert careful.recv(4096).startswith(b"HTTP/1.1 100 ")
        careful.sendall(b"abc")
        came = b""
        while b"HTTP/1.1 200" not in came or not came.endswith(b"\r\n\r\n3"):
            came += careful.recv(4096)


def test_a_body_in_chunks_is_taken(port):
    with ExitStack() as stack:
        visitor = connected(port, stack)
        visitor.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
        time.sleep(0.1)
        visitor.sendall(b"0\r\n\r\n")
        assert answer(visitor).endswith(b"\r\n\r\n3")


def test_a_client_that_stops_midway_is_released_at_once(port):
    with ExitStack() as stack:
        visitor = connected(port, stack)
        visitor.sendall(post(1000) + b"a")
        visitor.shutdown(socket.SHUT_WR)
        while visitor.recv(4096):  # or the time of the connection is over
            pass


@given(st.binary(max_size=300), st.integers(0, 300))
def test_what_is_missing_of_a_request_is_what_has_not_come(body, cut):
    request = post(len(body)) + body
    part = request[:cut]
    assert missing(request) == 0
    assert missing(part) <= max(0, len(request) - cut)
    assert (missing(part) == 0) == (cut >= len(request))
    if part.startswith(post(len(body))):
        assert missing(part) == len(request) - len(part)


def test_only_the_beginning_of_a_large_request_is_awaited():
    assert missing(post(10**9)) == MOST_BUFFERED - len(post(10**9))
    assert missing(post(10**9) + b"a" * MOST_BUFFERED) == 0
