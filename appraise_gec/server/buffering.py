"""A gunicorn worker whose threads never wait for clients: they get whole requests, and leave responses to be sent.

Each process has a handful of threads. gunicorn gives one to a connection at its first byte and keeps it until the
client has taken the last, so a few slow clients would stop the site. Here the event loop receives and sends, with a
deadline for each request and response.
"""

import socket
import struct
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from io import BufferedReader, RawIOBase
from selectors import EVENT_READ, EVENT_WRITE
from tempfile import SpooledTemporaryFile
from threading import Lock
from typing import Any

from gunicorn.http import RequestParser
from gunicorn.http.body import LengthReader
from gunicorn.http.errors import LimitRequestHeaders
from gunicorn.workers.gthread import STOP_KEEPALIVE_LINGER, TConn, ThreadWorker

MOST_OF_A_HEAD = 64 * 1024
# The body of a larger request is not received; the page that refuses it is served. Above MOST_BYTES_OF_A_REQUEST.
MOST_OF_A_BODY = 128 * 2**20
END_OF_HEAD = b"\r\n\r\n"
BLOCK = 64 * 1024
# What waits for a thread or for a client is in memory, up to so much a direction, or in files, up to so much a process.
IN_MEMORY, MOST_IN_FILES = 64 * 1024, 2 * 2**30
# A transfer may take so many seconds, and one more for each so many bytes, but never pause for longer.
SECONDS_OF_PATIENCE, BYTES_A_SECOND = 30, 16 * 1024
# After the last response, for what the client is still sending.
SECONDS_TO_LINGER = 2


class Spool:
    """A queue of bytes, a few in memory, more in a temporary file. One thread at a time uses it."""

    _lock, _in_all_files = Lock(), 0

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 (it lives as long as its connection)
        self._read = self._written = self._in_file = 0

    def __len__(self) -> int:
        return self._written - self._read

    def append(self, data: bytes) -> None:
        size = self._written + len(data)
        if size > IN_MEMORY:
            self._occupy(size)
        self._file.seek(self._written)
        self._file.write(data)
        self._written = size

    def peek(self, size: int) -> bytes:
        self._file.seek(self._read)
        return self._file.read(min(size, len(self)))

    def skip(self, size: int) -> None:
        self._read += size
        if not len(self):
            self.clear()

    def clear(self) -> None:
        """Forget all bytes; a file is removed."""
        if self._in_file:
            # On a full disk, closing fails to write what nobody wants any more, and then closes.
            with suppress(OSError):
                self._file.close()
            self._occupy(0)
            self._file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115
        self._read = self._written = 0

    def _occupy(self, size: int) -> None:
        with Spool._lock:
            total = Spool._in_all_files + size - self._in_file
            if size and total > MOST_IN_FILES:
                raise OSError("Too many large requests and responses are waiting.")
            Spool._in_all_files, self._in_file = total, size


class Body(RawIOBase):
    """What has arrived of a request's body. gunicorn's reader takes ten times as long for a large one."""

    def __init__(self, channel: "Channel"):
        self._channel = channel

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._channel.recv(len(buffer))
        buffer[: len(data)] = data
        return len(data)


class Parser(RequestParser):
    """gunicorn's parser: the event loop parses, and a thread takes the request or the error."""

    result: Any = None
    # Whether the client waits for `100 Continue`.
    client_waits = False

    def parse(self) -> int:
        """Parse a head; return the length of its body, or zero if it is not received."""
        try:
            request = self.result = super().__next__()
        except Exception as error:
            self.result = error
            return 0
        reader = request.body.reader
        length = reader.length if isinstance(reader, LengthReader) else MOST_OF_A_BODY + 1
        if length > MOST_OF_A_BODY:
            request.force_close()
            length = 0
        request.body = BufferedReader(Body(self.unreader.sock), BLOCK)
        self.client_waits = bool(request._expected_100_continue and length)
        request._expected_100_continue = False
        return length

    def finish_body(self, deadline: float | None = None, max_bytes: int | None = None) -> bool:
        """Discard nothing: the channel forgets what was not read."""
        return True

    def __next__(self) -> Any:
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


class Channel:
    """A socket that never waits. To threads it has received a whole request, and takes any response at once."""

    def __init__(self, client: socket.socket, config: Any, address: Any):
        client.setblocking(False)
        self._client = client
        self.parser = Parser(config, self, address)
        self._request, self._response = Spool(), Spool()
        self._surplus = b""
        self._has_ended = False
        self.await_request()

    def fileno(self) -> int:
        return self._client.fileno()

    # --- for the event loop; an OSError means that the connection is of no more use ---

    def await_request(self, seconds: float | None = None) -> bool:
        """Begin to wait for a request, which must begin within so many seconds; whether it has arrived already."""
        self._request.clear()
        self._head = bytearray()
        self._missing: int | None = None
        self.expect(seconds)
        surplus, self._surplus = self._surplus, b""
        return bool(surplus) and self._take(surplus)

    def expect(self, seconds: float | None = None) -> None:
        """Begin a transfer that must end within so many seconds, or be fast enough."""
        self.begun, self.moved = time.monotonic(), 0
        self.deadline = self.begun + (SECONDS_OF_PATIENCE if seconds is None else seconds)

    @property
    def is_idle(self) -> bool:
        return self._missing is None and not self._head

    def receive(self) -> bool:
        """Take what has arrived; whether that completes a request."""
        try:
            data = self._client.recv(BLOCK)
        except BlockingIOError:
            return False
        if not data:
            raise ConnectionError("The client has closed the connection.")
        self._move(len(data))
        return not self._has_ended and self._take(data)

    def flush(self) -> bool:
        """Send what the client takes; whether all is sent."""
        while len(self._response):
            sent = self._send(self._response.peek(BLOCK))
            if not sent:
                return False
            self._response.skip(sent)
        return True

    def end(self) -> None:
        """Tell the client that no more will be sent. Closing at once could cost it the end of the response."""
        self._has_ended = True
        self._client.shutdown(socket.SHUT_WR)
        self.expect(SECONDS_TO_LINGER)

    def disconnect(self) -> None:
        """Close the connection, and have the kernel drop what the client does not take."""
        if len(self._response):
            self._client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._client.close()
        self._request.clear()
        self._response.clear()

    def _move(self, size: int) -> None:
        """Count bytes in one direction. A burst does not pay for a longer pause than at the beginning."""
        self.moved += size
        later = self.deadline + size / BYTES_A_SECOND
        self.deadline = max(self.deadline, min(later, time.monotonic() + SECONDS_OF_PATIENCE))

    def _take(self, data: bytes) -> bool:
        """Add what has arrived; whether the request is complete. What follows it is kept for the next."""
        if self._missing is None:
            if self.is_idle:
                self.expect()
            self._head += data
            head, end, rest = self._head.partition(END_OF_HEAD)
            if end:
                data = bytes(rest)
                self._request.append(bytes(head + end))
                self._missing = self.parser.parse()
                if self.parser.client_waits and not data:
                    self._send(b"HTTP/1.1 100 Continue\r\n\r\n")
            elif len(head) <= MOST_OF_A_HEAD:
                return False
            else:
                self._missing = 0
                self.parser.result = LimitRequestHeaders(f"more than {MOST_OF_A_HEAD} bytes")
        body, self._surplus = data[: self._missing], data[self._missing :]
        try:
            self._request.append(body)
        except OSError as error:
            # As an OSError it would count as a fault of the client, and get no response.
            self.parser.result = RuntimeError(f"A request could not be received: {error}")
            return True
        self._missing -= len(body)
        return not self._missing

    def _send(self, data: bytes) -> int:
        try:
            sent = self._client.send(data)
        except BlockingIOError:
            return 0
        self._move(sent)
        return sent

    # --- for threads, which treat it as a socket ---

    def recv(self, size: int) -> bytes:
        data = self._request.peek(size)
        self._request.skip(len(data))
        return data

    def sendall(self, data: bytes) -> None:
        if self.flush():
            data = data[self._send(data) :]
        if data:
            self._response.append(data)

    send = sendall

    def gettimeout(self) -> float:
        return 0.0

    def _ignored(self, *_: Any) -> None:
        """The event loop sets timeouts and closes connections."""

    setblocking = settimeout = shutdown = close = _ignored


class BufferingWorker(ThreadWorker):
    """Keeps connections in the event loop, except while a thread answers a request that has arrived."""

    @classmethod
    def check_config(cls, cfg: Any, log: Any) -> None:
        """Refuse TLS, which gunicorn does in threads."""
        if cfg.is_ssl:
            raise SystemExit("Leave TLS to a proxy, see docs/deployment.md; start again without certfile and keyfile.")

    def init_process(self) -> None:
        self._watched: set[TConn] = set()
        self._next_check = 0.0
        super().init_process()

    def enqueue_req(self, conn: TConn) -> None:
        """Receive from a new connection; if there are too many, it replaces the one that has done least for longest."""
        if self.nr_conns >= self.worker_connections and self._watched:
            self._drop(min(self._watched, key=lambda other: (other.sock.moved, other.sock.begun)))
        conn.sock = Channel(conn.sock, self.cfg, conn.client)
        conn.parser = conn.sock.parser
        conn.initialized = conn.data_ready = True
        self._watch(conn, EVENT_READ, self._receive)

    def finish_request(self, conn: TConn, fs: Future[bool]) -> None:
        """Send what a thread has answered."""
        conn.stays = not fs.cancelled() and fs.exception() is None and fs.result()
        conn.sock.expect()
        self._watch(conn, EVENT_WRITE, self._send)

    def wait_for_and_dispatch_events(self, timeout: float) -> None:
        """Skip the event of a connection that another event of the same moment has dropped."""
        watched = self.poller.get_map()
        for key, _ in self.poller.select(timeout):
            if watched.get(key.fd) is key:
                key.data(key.fileobj)

    def murder_pending(self) -> None:
        """Drop connections that are late."""
        now = time.monotonic()
        if now >= self._next_check:
            self._next_check = now + 1
            for conn in [conn for conn in self._watched if now > conn.sock.deadline]:
                self._drop(conn)

    def _cap_keepalive(self, deadline: float) -> None:
        """Wait only briefly for new requests on open connections, because the process is stopping.

        Connections that the kernel has accepted are served, and others refused, so that a proxy tries them again.
        """
        for listener in self.sockets:
            before = -1
            while before < self.nr_conns < self.worker_connections:
                before = self.nr_conns
                self.accept(listener)
            listener.close()
        for conn in self._watched:
            if conn.sock.is_idle:
                conn.sock.expect(deadline - time.monotonic())

    def _receive(self, conn: TConn) -> None:
        if conn.sock.receive():
            self._answer(conn)

    def _answer(self, conn: TConn) -> None:
        self._unwatch(conn)
        super().enqueue_req(conn)

    def _send(self, conn: TConn) -> None:
        """Send; then wait for the next request, or for the client to close the connection."""
        if not conn.sock.flush():
            return
        if not conn.stays:
            conn.sock.end()
        elif conn.sock.await_request(self.cfg.keepalive if self.alive else STOP_KEEPALIVE_LINGER):
            self._answer(conn)
            return
        self.poller.modify(conn.sock, EVENT_READ, partial(self._act, conn, self._receive))

    def _watch(self, conn: TConn, event: int, act: Callable[[TConn], None]) -> None:
        """Act now, and whenever the client is ready again."""
        self._watched.add(conn)
        self.poller.register(conn.sock, event, partial(self._act, conn, act))
        self._act(conn, act)

    def _act(self, conn: TConn, act: Callable[[TConn], None], *_: Any) -> None:
        try:
            act(conn)
        except OSError:
            self._drop(conn)

    def _unwatch(self, conn: TConn) -> None:
        self._watched.discard(conn)
        self.poller.unregister(conn.sock)

    def _drop(self, conn: TConn) -> None:
        self._unwatch(conn)
        self.nr_conns -= 1
        conn.sock.disconnect()
