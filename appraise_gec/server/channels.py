"""A connection between the event loop, which receives and sends, and the threads, which see only whole requests."""

import socket
import struct
import time
from typing import Any

from gunicorn.http import RequestParser
from gunicorn.http.body import LengthReader
from gunicorn.http.errors import LimitRequestHeaders

from appraise_gec.server.spools import NoRoom, Spool

MOST_OF_A_HEAD = 64 * 1024
# The body of a larger request is not received; the page that refuses it is served. Above MOST_BYTES_OF_A_REQUEST.
MOST_OF_A_BODY = 128 * 2**20
END_OF_HEAD = b"\r\n\r\n"
BLOCK = 64 * 1024
# A transfer may take so many seconds, and one more for each so many bytes, but never pause for longer.
SECONDS_OF_PATIENCE = 30
BYTES_A_SECOND = 16 * 1024
# After the last response, for what the client is still sending.
SECONDS_TO_LINGER = 2


class HasEnded(Exception):
    """The client has closed the connection."""


class Parser(RequestParser):
    """gunicorn's parser: the event loop parses, and a thread takes the request or the error."""

    _result: Any = None
    # Whether the client waits for `100 Continue`.
    client_waits = False

    def parse(self) -> int:
        """Parse a head; return the length of its body, or zero if it is not received."""
        try:
            request = self._result = super().__next__()
        except Exception as error:
            self._result = error
            return 0
        reader = request.body.reader
        length = reader.length if isinstance(reader, LengthReader) else MOST_OF_A_BODY + 1
        if length > MOST_OF_A_BODY:
            request.force_close()
            length = 0
        self.client_waits = bool(request._expected_100_continue and length)
        request._expected_100_continue = False
        return length

    def refuse(self, error: Exception) -> None:
        self._result = error

    def finish_body(self, deadline: float | None = None, max_bytes: int | None = None) -> bool:
        """Discard all that was not read: it has arrived, so nobody waits for it."""
        return bool(super().finish_body())

    def __next__(self) -> Any:
        if isinstance(self._result, Exception):
            raise self._result
        return self._result


class Channel:
    """A socket that never waits. To threads it has received a whole request, and takes any response at once."""

    def __init__(self, client: socket.socket, config: Any, address: Any):
        client.setblocking(False)
        self._client = client
        self.parser = Parser(config, self, address)
        self._request = Spool()
        self._response = Spool()
        self._surplus = b""
        self.await_request()

    def fileno(self) -> int:
        return self._client.fileno()

    # --- for the event loop ---

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
        self._deadline = self.begun + (SECONDS_OF_PATIENCE if seconds is None else seconds)

    def is_late(self, now: float) -> bool:
        return now > self._deadline

    def forget(self) -> None:
        """Have the kernel drop what the client does not take, unless that is the end of its last response."""
        if len(self._response):
            self._client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    @property
    def is_idle(self) -> bool:
        return self._missing is None and not self._head

    def receive(self) -> bool:
        """Take what has arrived; whether that completes a request."""
        data = self._received()
        return bool(data) and self._take(data)

    def discard(self) -> None:
        """Take what has arrived after the last request."""
        self._received()

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
        self._client.shutdown(socket.SHUT_WR)
        self.expect(SECONDS_TO_LINGER)

    def disconnect(self) -> None:
        self._client.close()
        self._request.clear()
        self._response.clear()

    def _move(self, size: int) -> None:
        """Count bytes in one direction. A burst does not pay for a longer pause than at the beginning."""
        self.moved += size
        later = self._deadline + size / BYTES_A_SECOND
        self._deadline = max(self._deadline, min(later, time.monotonic() + SECONDS_OF_PATIENCE))

    def _received(self) -> bytes:
        try:
            data = self._client.recv(BLOCK)
        except BlockingIOError:
            return b""
        if not data:
            raise HasEnded
        self._move(len(data))
        return data

    def _take(self, data: bytes) -> bool:
        """Add what has arrived; whether the request is complete. What follows it is kept for the next."""
        if self._missing is None:
            if self.is_idle:
                self.expect()
            searched = max(0, len(self._head) - len(END_OF_HEAD) + 1)
            self._head += data
            end = self._head.find(END_OF_HEAD, searched) + len(END_OF_HEAD)
            if end >= len(END_OF_HEAD):
                data = bytes(self._head[end:])
                self._missing = self._parsed(bytes(self._head[:end]))
                if self.parser.client_waits and not data:
                    self._send(b"HTTP/1.1 100 Continue\r\n\r\n")
            elif len(self._head) <= MOST_OF_A_HEAD:
                return False
            else:
                self._missing = 0
                self.parser.refuse(LimitRequestHeaders(f"more than {MOST_OF_A_HEAD} bytes"))
        body, self._surplus = data[: self._missing], data[self._missing :]
        try:
            self._request.append(body)
        except NoRoom as error:
            # An OSError would count as a fault of the client, and get no response.
            self.parser.refuse(RuntimeError(f"A request could not be received: {error}"))
            return True
        self._missing -= len(body)
        return not self._missing

    def _parsed(self, head: bytes) -> int:
        self._request.append(head)
        return self.parser.parse()

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
