"""Sending mail with a deadline for each of the server's replies."""

import smtplib
import socket
from contextlib import suppress
from threading import Timer
from typing import Any

from django.conf import settings
from django.core.mail.backends import smtp


class PunctualSMTP(smtplib.SMTP):
    """A client that hangs up if a reply takes too long; the timeout of a socket begins anew at every byte."""

    _is_late = False

    def getreply(self) -> tuple[int, bytes]:
        late = Timer(settings.EMAIL_TIMEOUT, self._hang_up)
        late.start()
        try:
            reply = super().getreply()
        except smtplib.SMTPServerDisconnected:
            if not self._is_late:
                raise
        finally:
            late.cancel()
        if self._is_late:  # the reply may have been cut off
            raise TimeoutError(f"It did not reply within {settings.EMAIL_TIMEOUT} seconds.")
        return reply

    def _hang_up(self) -> None:
        self._is_late = True
        with suppress(OSError):  # it may end at this moment
            if self.sock:
                self.sock.shutdown(socket.SHUT_RDWR)


class EmailBackend(smtp.EmailBackend):
    @property
    def connection_class(self) -> Any:
        return PunctualSMTP
