"""Clients that send a request, or take its response, a byte at a time."""

import socket
import time
from contextlib import ExitStack

GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
CHUNKED = "Transfer-Encoding: chunked"
MULTIPART = "Content-Type: multipart/form-data; boundary=b"
FILE = b'--b\r\nContent-Disposition: form-data; name="files"; filename="f"\r\n\r\n'


def post(*headers: str) -> bytes:
    return "\r\n".join(["POST / HTTP/1.1", "Host: localhost", *headers, "", ""]).encode("latin-1")


def of_length(length: int | str, *headers: str) -> bytes:
    return post(f"Content-Length: {length}", *headers)


# What a client sends at once, and then byte by byte.
DRIPPED = {
    "nothing": (b"", b""),
    "a head": (b"P", GET[1:]),
    "the end of a head": (GET[:-2], b"\r"),
    "a long head": (GET[:-2] + b"X: " + b"a" * 60_000, b"a" * 100),
    "a body": (of_length(1000), b"a" * 100),
    "a body of 64 KiB": (of_length(100_000) + b"a" * 66_000, b"a" * 100),
    "a body of 2 MB": (of_length(2_000_000) + b"a" * 300_000, b"a" * 100),
    "a form": (of_length(2_000_000, MULTIPART) + FILE + b"a" * 300_000, b"a" * 100),
    "an awaited body": (of_length(1000, "Expect: 100-continue"), b"a" * 100),
    "a second request": (GET + of_length(1000), b"a" * 100),
    "a padded length": (of_length("0000000000000200"), b"a" * 100),
    "a body in chunks": (post(CHUNKED), b"1;a=b\r\na\r\n" * 20),
    "trailers": (post(CHUNKED, "Trailer: X"), b"0\r\nX: a\r\n"),
}


def dawdle(port: int, count: int, seconds: float, pause: float) -> int:
    end, opened = time.monotonic() + seconds, 0
    kinds = list(DRIPPED.values())
    with ExitStack() as stack:
        slots: list[tuple[socket.socket, int] | None] = [None] * count
        while time.monotonic() < end:
            for slot, (begun, drops) in enumerate((kinds * count)[:count]):
                connection, sent = slots[slot] or (None, 0)
                try:
                    if connection is None:
                        connection = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=5))
                        connection.sendall(begun)
                        opened += 1
                    connection.sendall(drops[sent : sent + 1])
                    slots[slot] = connection, sent + 1
                except OSError:
                    slots[slot] = None
            time.sleep(pause)
    return opened
