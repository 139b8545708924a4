"""A gunicorn worker that gives a request to a thread only when it has arrived, so that slow senders hold no threads.

Each process has a handful of threads. gunicorn gives one to a connection at its first byte, so a few dozen visitors who
begin a request and do not end it would stop the site. Here the loop that waits for all connections at once looks at
what lies ready, without taking it, until the request is whole or so large that the rest may be waited for.
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

# How long a request may take to come, as far as it is looked at.
SECONDS_TO_COME = 30
LOOKED_AT = 256 * 1024
# What comes beyond that, and what is sent to those who do not read, may not stand still for longer than this.
SECONDS_STILL = 30
END_OF_HEAD = b"\r\n\r\n"
LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,12})[ \t]*\r\n", re.IGNORECASE)
CHUNKED = re.compile(rb"\r\ntransfer-encoding:[^\r\n]*chunked", re.IGNORECASE)
EXPECTING = re.compile(rb"\r\nexpect:[ \t]*100-continue", re.IGNORECASE)


def missing(request: bytes) -> int:
    """The least number of bytes that must still arrive before a request is complete, or large enough to start."""
    if len(request) >= LOOKED_AT:
        return 0
    head, end, body = request.partition(END_OF_HEAD)
    if not end:
        return 1
    head += b"\r\n"
    if CHUNKED.search(head):
        return 0 if body.endswith(END_OF_HEAD) else 1
    length = LENGTH.search(head)
    whole = len(head) - 2 + len(end) + (int(length[1]) if length else 0)
    return max(0, min(whole, LOOKED_AT) - len(request))


class BufferingWorker(ThreadWorker):
    """Connections wait in the event loop for their request, and get a thread when it has arrived."""

    def enqueue_req(self, conn: Any) -> None:
        """Start a thread, or wait; called for a new connection and whenever data arrived on one."""
        if not conn.initialized:
            for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
                conn.sock.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", SECONDS_STILL, 0))
        conn.seen, conn.was_answered = -1, False
        if self._may_begin(conn):
            super().enqueue_req(conn)
            return
        conn.sock.setblocking(False)
        conn.timeout = time.monotonic() + SECONDS_TO_COME
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def on_pending_socket_readable(self, conn: Any, client: socket.socket) -> None:
        if self._may_begin(conn):
            self.poller.unregister(client)
            self.pending_conns.remove(conn)
            super().enqueue_req(conn)

    def _may_begin(self, conn: Any) -> bool:
        """Whether a thread would not have to wait, or waiting is useless; else the kernel wakes us in time."""
        if self.cfg.is_ssl:
            return True  # what lies there cannot be read
        before = conn.parser.unreader.buf.getvalue() if conn.parser else b""
        try:
            came = conn.sock.recv(LOOKED_AT, socket.MSG_PEEK | socket.MSG_DONTWAIT)
            has_ended = not came
        except BlockingIOError:
            came, has_ended = b"", False
        except OSError:
            return _at_once(conn)
        lacking = missing(before + came)
        # Woken though nothing more came: the other side has ended after a part.
        if not lacking or has_ended or len(came) == conn.seen:
            return _at_once(conn)
        conn.seen = len(came)
        if not conn.was_answered and _expects(before + came):
            conn.was_answered = True
            with suppress(OSError):
                conn.sock.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, len(came) + lacking)
        return False


def _at_once(conn: Any) -> bool:
    """Whether a thread can take chunked data as it comes."""
    conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, 1)
    conn.data_ready = True
    return True


def _expects(request: bytes) -> bool:
    """Whether the client waits for `100 Continue`."""
    head, end, _ = request.partition(END_OF_HEAD)
    return bool(end and EXPECTING.search(head))
