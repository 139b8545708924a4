"""A gunicorn worker whose threads never wait for clients: they get whole requests, and leave responses to be sent.

Each process has a handful of threads. gunicorn gives one to a connection at its first byte and keeps it until the
client has taken the last, so a few slow clients would stop the site. Here the event loop receives and sends, with a
deadline for each request and response.
"""

import time
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from selectors import EVENT_READ, EVENT_WRITE
from typing import Any

from gunicorn.workers.gthread import STOP_KEEPALIVE_LINGER, TConn, ThreadWorker

from appraise_gec.server.channels import Channel, HasEnded


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
        self._receive(conn)

    def finish_request(self, conn: TConn, fs: Future[bool]) -> None:
        """Send what a thread has answered."""
        conn.stays = not fs.cancelled() and fs.exception() is None and fs.result()
        conn.sock.expect()
        self._watch(conn, EVENT_WRITE, self._send)
        self._send(conn)

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
            for conn in [conn for conn in self._watched if conn.sock.is_late(now)]:
                conn.sock.forget()
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

    def _receive(self, conn: TConn, *_: Any) -> None:
        try:
            has_arrived = conn.sock.receive()
        except (HasEnded, OSError):
            self._drop(conn)
        else:
            if has_arrived:
                self._answer(conn)

    def _answer(self, conn: TConn) -> None:
        self._unwatch(conn)
        super().enqueue_req(conn)

    def _send(self, conn: TConn, *_: Any) -> None:
        try:
            if conn.sock.flush():
                self._continue(conn)
        except OSError:
            self._drop(conn)

    def _continue(self, conn: TConn) -> None:
        """Wait for the next request, or for the client to close the connection."""
        if not conn.stays:
            conn.sock.end()
            self.poller.modify(conn.sock, EVENT_READ, partial(self._discard, conn))
        elif conn.sock.await_request(self.cfg.keepalive if self.alive else STOP_KEEPALIVE_LINGER):
            self._answer(conn)
        else:
            self.poller.modify(conn.sock, EVENT_READ, partial(self._receive, conn))

    def _discard(self, conn: TConn, *_: Any) -> None:
        try:
            conn.sock.discard()
        except (HasEnded, OSError):
            self._drop(conn)

    def _watch(self, conn: TConn, event: int, act: Callable[..., None]) -> None:
        self._watched.add(conn)
        self.poller.register(conn.sock, event, partial(act, conn))

    def _unwatch(self, conn: TConn) -> None:
        self._watched.discard(conn)
        self.poller.unregister(conn.sock)

    def _drop(self, conn: TConn) -> None:
        self._unwatch(conn)
        self.nr_conns -= 1
        conn.sock.disconnect()
