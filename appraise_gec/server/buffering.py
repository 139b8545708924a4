"""A gunicorn worker that gives a request to a thread only when it has arrived, so that slow clients hold no threads.

Each process has a handful of threads. gunicorn gives one to a connection at its first byte, so a few dozen clients that
begin a request and never finish it would stop the site. Here the event loop peeks at the data that has arrived until
the request is complete, or so large that a thread may wait for the rest.
"""

import re
import socket
import struct
import time
from contextlib import suppress
from functools import partial
from selectors import EVENT_READ
from typing import Any

from gunicorn.workers.gthread import ThreadWorker

# The first MOST_BUFFERED bytes of a request must arrive within so many seconds.
SECONDS_TO_ARRIVE = 30
MOST_BUFFERED = 256 * 1024
# After those, neither receiving nor sending may stall for longer than this.
SECONDS_TO_STALL = 30
END_OF_HEAD = b"\r\n\r\n"
LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,12})[ \t]*\r\n", re.IGNORECASE)
CHUNKED = re.compile(rb"\r\ntransfer-encoding:[^\r\n]*chunked", re.IGNORECASE)
EXPECTING = re.compile(rb"\r\nexpect:[ \t]*100-continue", re.IGNORECASE)


def missing(request: bytes) -> int:
    """The least number of bytes that must still arrive before a request is complete, or large enough to start."""
    if len(request) >= MOST_BUFFERED:
        return 0
    head, end, body = request.partition(END_OF_HEAD)
    if not end:
        return 1
    head += b"\r\n"
    if CHUNKED.search(head):
        return 0 if body.endswith(END_OF_HEAD) else 1
    length = LENGTH.search(head)
    whole = len(head) - 2 + len(end) + (int(length[1]) if length else 0)
    return max(0, min(whole, MOST_BUFFERED) - len(request))


class BufferingWorker(ThreadWorker):
    """Keeps connections in the event loop until their request has arrived, then gives them a thread."""

    def enqueue_req(self, conn: Any) -> None:
        """Start a thread, or wait; called for a new connection, and whenever data arrives on an idle one."""
        if not conn.initialized:
            for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
                conn.sock.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", SECONDS_TO_STALL, 0))
        conn.seen, conn.was_answered = -1, False
        if self._may_begin(conn):
            super().enqueue_req(conn)
            return
        conn.sock.setblocking(False)
        conn.timeout = time.monotonic() + SECONDS_TO_ARRIVE
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def on_pending_socket_readable(self, conn: Any, client: socket.socket) -> None:
        if self._may_begin(conn):
            self.poller.unregister(client)
            self.pending_conns.remove(conn)
            super().enqueue_req(conn)

    def _may_begin(self, conn: Any) -> bool:
        """Whether the request has arrived or never will; otherwise the kernel wakes the loop when enough has."""
        if self.cfg.is_ssl:
            return True  # the data is encrypted
        before = conn.parser.unreader.buf.getvalue() if conn.parser else b""
        try:
            arrived = conn.sock.recv(MOST_BUFFERED, socket.MSG_PEEK | socket.MSG_DONTWAIT)
            has_ended = not arrived
        except BlockingIOError:
            arrived, has_ended = b"", False
        except OSError:
            return _at_once(conn)
        lacking = missing(before + arrived)
        # Woken although nothing more arrived: the client closed its side in the middle of a request.
        if not lacking or has_ended or len(arrived) == conn.seen:
            return _at_once(conn)
        conn.seen = len(arrived)
        if not conn.was_answered and _expects(before + arrived):
            conn.was_answered = True
            with suppress(OSError):
                conn.sock.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, len(arrived) + lacking)
        return False


def _at_once(conn: Any) -> bool:
    """Let the thread read whatever arrives."""
    conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, 1)
    conn.data_ready = True
    return True


def _expects(request: bytes) -> bool:
    """Whether the client waits for `100 Continue`."""
    head, end, _ = request.partition(END_OF_HEAD)
    return bool(end and EXPECTING.search(head))
