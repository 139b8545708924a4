"""Endpoints that answer questions: servers with OpenAI's chat interface, and rules that need no model.

A server that is slow, busy or broken for a moment is asked again, later and later; one that refuses (no such model, a
wrong key, no quota) ends the run. The key is sent in a header and appears in no message.
"""

import json
import random
import socket
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from threading import Lock
from typing import Any, Protocol
from urllib.parse import urlsplit

import urllib3
from rapidfuzz.distance import Levenshtein

from judgments.programs.rules.questions import Reply, Unreadable, read_reply
from judgments.rules.progress import check_cancelled

MOST_TRIES, FIRST_PAUSE, LONGEST_PAUSE = 6, 1.0, 60.0
MOST_BYTES = 2**20
TOO_MANY = 429
# Of the statuses that refuse, those after which it helps to ask again.
MAY_PASS = (408, 409, 425, TOO_MANY)
# What to do, after what such servers say about a missing or wrong key.
KEY = dict.fromkeys((401, 403), "; check the key in the operator's settings")
BUSY = "it has too many requests. Go on later, with fewer simultaneous requests."
# What some servers answer with status 429 although waiting does not help.
NO_QUOTA = "insufficient_quota"
EDIT_DISTANCE = "edit-distance"
MOST_AT_ONCE = 32
SHOWN = 200


class EndpointError(Exception):
    """The endpoint cannot be used; the message says why and what to do."""


class Endpoint(Protocol):
    def ask(self, messages: Sequence[Mapping[str, str]], settings: Mapping[str, Any]) -> Reply: ...


class RuleEndpoint:
    """Answers by the distance of each candidate from the source, without a model."""

    def ask(self, messages: Sequence[Mapping[str, str]], settings: Mapping[str, Any]) -> Reply:
        try:
            return Reply(by_edit_distance(messages[1]["content"]), f"rule:{EDIT_DISTANCE}", 0, 0)
        except KeyError as reason:
            raise EndpointError(f"{EDIT_DISTANCE} cannot answer {reason}; choose a model instead.") from reason


@dataclass
class RateLimit:
    """At most so many requests a minute, from all threads together; 0 is no limit."""

    per_minute: float = 0
    _next: float = 0
    _lock: Lock = field(default_factory=Lock)

    def wait(self) -> None:
        if self.per_minute <= 0:
            return
        with self._lock:
            now = time.monotonic()
            start = max(now, self._next)
            self._next = start + 60 / self.per_minute
        time.sleep(start - now)


class ChatEndpoint:
    """A server with the address `URL/chat/completions`; it follows no redirect, so texts go nowhere else."""

    def __init__(self, url: str, key: str = "", seconds: float = 120, per_minute: float = 0):
        self.url, self._key = f"{url.rstrip('/')}/chat/completions", key.encode()
        self._headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        self._pool = urllib3.PoolManager(timeout=seconds, retries=False, maxsize=MOST_AT_ONCE)
        self._pace, self._seconds = RateLimit(per_minute), seconds

    def ask(self, messages: Sequence[Mapping[str, str]], settings: Mapping[str, Any]) -> Reply:
        body = json.dumps({"messages": list(messages), **settings}).encode()
        reason, pause, advice = "", 0.0, ""
        for attempt in range(MOST_TRIES):
            time.sleep(pause)
            check_cancelled.get()()
            self._pace.wait()
            pause, advice = _later(attempt, ""), "is the server running?"
            try:
                answered = self._pool.request("POST", self.url, body=body, headers=self._headers, preload_content=False)
                content = self._read(answered)
            except urllib3.exceptions.HTTPError as error:
                reason = type(error).__name__
                continue
            if self._key:  # servers may repeat it in what they refuse
                content = content.replace(self._key, b"[key]")
            shown = content[:SHOWN].decode(errors="replace") or "nothing"
            if answered.status == 200:
                try:
                    reply = read_reply(content)
                except Unreadable as error:
                    reason, advice = str(error), f"it says: {shown}"
                    continue
                # In JSON the key may be escaped, so that it is found in the text alone.
                key = self._key.decode()
                return reply._replace(text=reply.text.replace(key, "[key]")) if key else reply
            if (300 <= answered.status < 500 and answered.status not in MAY_PASS) or NO_QUOTA in shown:
                is_page = answered.status == 404 and shown.lstrip().startswith("<")
                why = ". Is the address right up to /v1?" if is_page else f": {shown}{KEY.get(answered.status, '')}"
                raise EndpointError(f"{self.url} refuses with status {answered.status}{why}")
            reason, pause = f"status {answered.status}", _later(attempt, answered.headers.get("Retry-After", ""))
            advice = BUSY if answered.status == TOO_MANY else f"it says: {shown}"
        raise EndpointError(f"{self.url} did not answer {MOST_TRIES} times ({reason}); {advice}")

    def _read(self, answered: urllib3.BaseHTTPResponse) -> bytes:
        """A server that sends a little now and then gets no more time than one that sends nothing."""
        content, end = b"", time.monotonic() + self._seconds
        while len(content) < MOST_BYTES and (part := answered.read1(MOST_BYTES)):
            content += part
            if time.monotonic() > end:
                raise urllib3.exceptions.TimeoutError
        return content


def _later(attempt: int, asked: str) -> float:
    """As long as the server asks for, otherwise doubled each time, with some chance so that threads spread."""
    seconds = float(asked) if asked.isdecimal() else FIRST_PAUSE * 2**attempt
    return min(seconds, LONGEST_PAUSE) * random.uniform(1, 1.25)


def is_local(url: str) -> bool:
    """Whether texts sent to this address stay on this machine or in its network."""
    host = urlsplit(url).hostname or ""
    try:
        found = {ip_address(address[4][0]) for address in socket.getaddrinfo(host, None)}
    except (OSError, ValueError):
        return False
    # An IPv4 address written as IPv6 is private by its form alone.
    plain = {getattr(address, "ipv4_mapped", None) or address for address in found}
    return bool(plain) and all(address.is_loopback or address.is_private for address in plain)


def check_url(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise EndpointError(f"{url} is no address of an endpoint; give one like http://127.0.0.1:11434/v1.")
    if parts.username or parts.password:
        raise EndpointError("Leave the key out of the address; the environment has it.")


BEST = 100


def by_edit_distance(asked: str) -> str:
    """Answer a question, in the fields that it names: the less a candidate changes, the better it is.

    Toy: of `He goes home .` and `He walks to home .`, corrections of `He go home .`, the first has rank 1, the other 2.
    """
    told: dict[str, Any] = json.loads(asked)
    source, candidates = told["source"].split(), told.get("candidates", [{}])
    distances = [Levenshtein.distance(source, candidate.get("text", "").split()) for candidate in candidates]
    in_order = sorted(set(distances))
    answers = [
        {
            "rank": in_order.index(distance) + 1,
            "score": round(BEST / (1 + distance)),
            "changed": False,
            "finding": "ok",
            "verdicts": told.get("verdicts", [])[:1] * len(candidate.get("edits", [])),
        }
        for candidate, distance in zip(candidates, distances, strict=True)
    ]
    return json.dumps({"answers": [{name: answer[name] for name in told["fields"]} for answer in answers]})
