"""A mail server that replies too slowly holds nobody longer than one that does not reply."""

import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, repeat
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Thread

import pytest
from django.core.mail import EmailMessage, get_connection

from appraise_gec import mail


class Dripping(StreamRequestHandler):
    """Sends its greeting a byte at a time, for ever or until a line is complete."""

    greeting: list[bytes] = []

    def handle(self) -> None:
        with suppress(OSError):
            for byte in chain(self.greeting, repeat(b"x")):
                self.wfile.write(byte)
                time.sleep(0.02)


@pytest.fixture(params=[b"", b"220-", b"220-hello\r\n" * 40])
def port(request) -> Iterator[int]:
    handler = type("Handler", (Dripping,), {"greeting": [bytes([byte]) for byte in request.param]})
    with ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1]
        server.shutdown()


def test_a_greeting_that_never_ends_is_a_failure_with_a_reason(port, settings):
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", port, 1
    connection = get_connection("appraise_gec.mail.EmailBackend")
    assert connection.connection_class is mail.PunctualSMTP
    with pytest.raises(TimeoutError, match="It did not reply within 1 seconds"):
        EmailMessage("Links", "Text", "us@example.org", ["ada@example.org"], connection=connection).send()
