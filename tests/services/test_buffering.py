"""Visitors who begin a request and do not end it hold up nobody, and all requests that come whole are answered."""

import select
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http.client import HTTPConnection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from appraise_gec.server import buffering
from appraise_gec.server.buffering import IN_MEMORY, MOST_OF_A_BODY, Spool
from tests.services.echoing import answer, connected, serving
from tests.services.slow import DRIPPED, GET, of_length, post

pytestmark = pytest.mark.services


@pytest.fixture(scope="module")
def port(tmp_path_factory) -> Iterator[int]:
    with serving(tmp_path_factory.mktemp("whole")) as (port, _):
        yield port


# Its client takes nothing of the response.
TAKES_NOTHING = "a request for 10 MB"
SLOW = DRIPPED | {TAKES_NOTHING: (GET.replace(b"/", b"/?10000000", 1), b"")}


def test_clients_that_send_or_take_slowly_hold_up_nobody_and_are_dropped(port):
    with ExitStack() as stack:
        slow = [(name, connected(port, stack)) for name in SLOW for _ in range(5)]
        for name, connection in slow:
            connection.sendall(SLOW[name][0])
        for drop in range(6):
            for name, connection in slow:
                with suppress(OSError):
                    connection.sendall(SLOW[name][1][drop : drop + 1])
            visitor = connected(port, stack)
            visitor.sendall(GET)
            assert answer(visitor).endswith(b"\r\n\r\n0")
            time.sleep(0.5)
        for name, connection in slow:
            poll = select.poll()
            poll.register(connection, 0 if name == TAKES_NOTHING else select.POLLRDHUP)
            assert poll.poll(20_000), name


def test_a_large_response_comes_whole(port):
    with ExitStack() as stack:
        visitor = connected(port, stack)
        visitor.sendall(GET.replace(b"/", b"/?50000000", 1))
        time.sleep(0.5)
        size = 0
        while size < 50_000_000:
            piece = visitor.recv(2**20)
            assert piece
            size += len(piece)


# A length in every spelling that two programs could read differently, and what the server makes of it.
SPELLED = [
    ("Content-Length: 0000000000000003", 200),
    ("Content-Length: 3\r\nContent-Length: 3", 400),
    ("Content-Length: 3\r\nContent-Length: 5", 400),
    ("Content-Length: 3, 3", 400),
    ("Content-Length: +3", 400),
    ("Content-Length: -3", 400),
    ("Content-Length: 0x3", 400),
    ("Content-Length: 3.0", 400),
    ("Content-Length: 3_0", 400),
    ("Content-Length: \xb3", 400),
    ("Content-Length:", 400),
    ("Content-Length: " + "9" * 5000, 400),
    ("Content-Length : 3", 400),
    ("Content-Length:\r\n 3", 400),
    (" Content-Length: 3", 400),
    ("X: a\nContent-Length: 3", 400),
    ("X: a\rContent-Length: 3", 400),
    ("Content-Length: 3\r\nTransfer-Encoding: chunked", 400),
    ("Transfer-Encoding: chunked", 411),
    ("Transfer-Encoding: identity, chunked", 411),
    ("Transfer-Encoding: chunked, chunked", 400),
    ("Transfer-Encoding: xchunked", 501),
    ("Transfer-Encoding: gzip", 400),
    ("Transfer-Encoding : chunked", 400),
    ("Content-Length: 3\r\nExpect: 200-ok", 417),
]


@pytest.mark.parametrize(("length", "status"), SPELLED)
def test_a_length_is_read_once_or_refused(port, length, status):
    with ExitStack() as stack:
        visitor = connected(port, stack)
        visitor.sendall(post(length) + b"abc" + GET)
        received = b""
        with suppress(ConnectionError, TimeoutError):
            visitor.settimeout(1)
            while piece := visitor.recv(4096):
                received += piece
        assert received.startswith(b"HTTP/1.1 %d " % status)
        # After a refusal nobody knows where the next request begins.
        assert received.count(b"HTTP/1.1 ") == (2 if status == 200 else 1)


def test_a_body_that_is_too_large_is_refused_while_it_is_being_sent(port):
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("POST", "/", b"a" * (MOST_OF_A_BODY + 1))
    assert connection.getresponse().read() == b"0"
    connection.close()


def test_a_process_without_room_drops_large_requests_only():
    """Not through a server, which would need gigabytes."""
    full, next_one = Spool(), Spool()
    full.append(b"a" * IN_MEMORY)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(buffering, "MOST_IN_FILES", IN_MEMORY + 10)
        full.append(b"a" * 10)
        with pytest.raises(OSError, match="waiting"):
            full.append(b"a")
        Spool().append(b"a" * IN_MEMORY)
        with pytest.raises(OSError, match="waiting"):
            Spool().append(b"a" * (IN_MEMORY + 1))
        full.clear()
        next_one.append(b"a" * (IN_MEMORY + 1))
        next_one.clear()


@given(st.lists(st.binary(max_size=IN_MEMORY) | st.integers(0, IN_MEMORY)))
def test_a_spool_gives_back_what_it_was_given_in_order(steps):
    spool, expected = Spool(), b""
    for step in steps:
        if isinstance(step, bytes):
            spool.append(step)
            expected += step
        else:
            assert spool.peek(step) == expected[:step]
            spool.skip(min(step, len(expected)))
            expected = expected[step:]
    assert spool.peek(len(expected)) == expected
    spool.clear()


def test_requests_in_pieces_and_together_are_answered_when_they_are_whole(port):
    with ExitStack() as stack:
        slow = connected(port, stack)
        for piece in (b"PO", of_length(6)[2:30], of_length(6)[30:], b"abc"):
            slow.sendall(piece)
            time.sleep(0.1)
        slow.sendall(b"def")
        assert answer(slow).endswith(b"\r\n\r\n6")
    with ExitStack() as stack:
        hasty = connected(port, stack)
        hasty.sendall(of_length(3) + b"abc" + GET)
        both = b""
        while both.count(b"HTTP/1.1 200") < 2 or not both.endswith(b"\r\n\r\n0"):
            both += hasty.recv(4096)
        hasty.sendall(of_length(3) + b"abc" + GET[:20])
        assert answer(hasty).endswith(b"\r\n\r\n3")
        hasty.sendall(GET[20:])
        assert answer(hasty).endswith(b"\r\n\r\n0")


@pytest.mark.parametrize("length", [0, 1, IN_MEMORY - 100, IN_MEMORY, 5_000_000])
def test_bodies_of_every_size_come_whole_one_after_the_other(port, length):
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    for _ in range(3):  # on the same connection
        connection.request("POST", "/", b"a" * length)
        assert connection.getresponse().read() == str(length).encode()
        connection.request("POST", "/?10000", b"a" * 200_000)  # whose body nobody reads
        assert len(connection.getresponse().read()) == 10_000
    connection.close()


def test_a_client_that_expects_100_continue_gets_it(port):
    with ExitStack() as stack:
        careful = connected(port, stack)
        careful.sendall(of_length(3, "Expect: 100-continue"))
        assert careful.recv(4096).startswith(b"HTTP/1.1 100 ")
        careful.sendall(b"abc")
        came = b""
        while b"HTTP/1.1 200" not in came or not came.endswith(b"\r\n\r\n3"):
            came += careful.recv(4096)


def test_a_client_that_stops_midway_is_released_at_once(port):
    with ExitStack() as stack:
        visitor = connected(port, stack)
        visitor.sendall(of_length(1000) + b"a")
        visitor.shutdown(socket.SHUT_WR)
        while visitor.recv(4096):  # or the time of the connection is over
            pass
