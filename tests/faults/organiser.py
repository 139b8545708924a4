"""An organiser's program that asks for reports and hands texts in, again and again until it is answered."""

import json
import time
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.error import HTTPError
from uuid import uuid4

from tests.faults.installing import SLUG
from tests.faults.stage import Stage

PATIENCE = 10
BETWEEN = 0.5
LONGEST = 240
CHOICES = {"replicates": 200, "methods": ["expected-wins"]}
BOUNDARY = "the-end-of-a-part"
ALREADY = 409


class Organiser(Thread):
    """Works until stopped, and records what the platform confirmed."""

    def __init__(self, stage: Stage):
        super().__init__(daemon=True)
        self.reports: list[int] = []
        self.campaigns: list[str] = []
        self.fault: Exception | None = None
        self._stage = stage
        self._over = Event()

    def run(self) -> None:
        try:
            while not self._over.is_set():
                self._campaign(f"extra-{len(self.campaigns)}")
                self._report(len(self.reports))
        except Exception as fault:  # reported when the experiment ends
            self.fault = fault

    def finish(self) -> None:
        self._over.set()
        self.join(LONGEST + 60)
        if self.fault:
            raise self.fault

    def _report(self, seed: int) -> None:
        report = self._post(f"campaigns/{SLUG}/reports/", CHOICES | {"seed": seed})
        self.reports.append(report["id"])
        self._follow(f"reports/{report['id']}/", lambda reply: reply["state"] in ("done", "failed"))

    def _campaign(self, slug: str) -> None:
        self._post("campaigns/", {"slug": slug, "name": slug, "protocol": "ranking"})
        files = sorted(self._stage.texts.iterdir())
        upload = self._post(f"campaigns/{slug}/uploads/", multipart(files), f"multipart/form-data; boundary={BOUNDARY}")
        address = f"campaigns/{slug}/uploads/{upload['id']}/"
        seen = self._follow(address, lambda reply: reply["state"] in ("done", "failed"))
        if seen["state"] == "done":
            self._post(f"{address}store/", {})
            self._follow(address, lambda reply: reply["is_stored"] or reply["state"] == "failed")
        self.campaigns.append(slug)

    def _post(self, address: str, body: dict[str, Any] | bytes, kind: str = "application/json") -> dict[str, Any]:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self._ask(address, content, {"Content-Type": kind, "Idempotency-Key": uuid4().hex})

    def _follow(self, address: str, is_over: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        end = time.monotonic() + LONGEST
        while not is_over(reply := self._ask(address)):
            assert time.monotonic() < end, f"{address} is never over: {reply}"
            time.sleep(BETWEEN)
        return reply

    def _ask(self, address: str, content: bytes | None = None, headers: dict[str, str] | None = None) -> dict[str, Any]:
        """Ask again while the server is away; the key makes sure that nothing is done twice."""
        url = f"{self._stage.house.address}/api/{address}"
        headers = {"Authorization": f"Token {self._stage.organiser}", **(headers or {})}
        end = time.monotonic() + LONGEST
        while True:
            try:
                request = urllib.request.Request(url, content, headers)  # noqa: S310 (our own server)
                with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310
                    return json.load(answer)
            except HTTPError as refusal:
                if refusal.code < 500 or time.monotonic() > end:
                    raise AssertionError(f"{address}: {refusal.code} {refusal.read().decode()[:300]}") from refusal
            except (OSError, ValueError, HTTPException):
                assert time.monotonic() < end, f"{address} was never answered"
            time.sleep(BETWEEN)


def multipart(files: list[Path]) -> bytes:
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="{file.name}"\r\n'
        f"Content-Type: text/plain\r\n\r\n{file.read_text(encoding='utf-8')}\r\n"
        for file in files
    ]
    return "".join([*parts, f"--{BOUNDARY}--\r\n"]).encode()
