"""Simulated judges: they ask for what the browser's script asks for, over bare HTTP, so that they cost little."""

import asyncio
import random
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http.cookies import SimpleCookie
from time import perf_counter
from typing import NamedTuple
from urllib.parse import urlencode

KEY = re.compile(r'name="key" value="([^"]+)"')
PLACE = re.compile(r'name="rank_(\d+)"')
KINDS = ("next", "draft", "begin", "join")
MOST_BEGINNINGS = 4
DRAFTS = 3
# Every so many answers are sent twice, as after a lost connection.
SENT_AGAIN = 10
# gunicorn hangs up after two seconds without a request; a browser notices and connects again.
KEPT_ALIVE = 1.0
PATIENCE = 60
BROKEN = 500
# Seconds before a request is repeated.
BETWEEN = 0.3


class Refused(RuntimeError):
    def __init__(self, what: str, answer: "Answer"):
        super().__init__(f"{what} was answered by {answer.status}: {answer.text[:200]}")
        self.status = answer.status


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


class Waited(NamedTuple):
    kind: str
    seconds: float


@dataclass(frozen=True)
class Screen:
    path: str
    key: str
    candidates: int


def kind_of(method: str, path: str) -> str:
    last = path.rstrip("/").rsplit("/", 1)[-1]
    if last in KINDS:
        return last
    return ("page" if method == "GET" else "answer") if path.startswith("/assignments/") else "other"


class Browser:
    """One visitor's connection, kept while it is used, and their cookies."""

    def __init__(self, port: int):
        self.waited: list[Waited] = []
        self._port = port
        self._cookies: dict[str, str] = {}
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._last = 0.0

    async def get(self, path: str) -> Answer:
        return await self._ask("GET", path, "", "text/html")

    async def post(self, path: str, accept: str = "text/html", **fields: str) -> Answer:
        """Send fields, with the token as the script sends it."""
        return await self._ask("POST", path, urlencode(fields), accept)

    async def _ask(self, method: str, path: str, body: str, accept: str) -> Answer:
        start = perf_counter()
        answer = await asyncio.wait_for(self._exchange(self._request(method, path, body, accept)), PATIENCE)
        self._last = perf_counter()
        self.waited.append(Waited(kind_of(method, path), self._last - start))
        for morsel in SimpleCookie(answer.headers.get("set-cookie", "")).values():
            self._cookies[morsel.key] = morsel.value
        if answer.status >= 400:
            raise Refused(f"{method} {path}", answer)
        return answer

    def _request(self, method: str, path: str, body: str, accept: str) -> bytes:
        lines = [
            f"{method} {path} HTTP/1.1",
            "Host: 127.0.0.1",
            f"Accept: {accept}",
            "Cookie: " + "; ".join(f"{name}={value}" for name, value in self._cookies.items()),
        ]
        if method == "POST":
            lines += [
                f"X-CSRFToken: {self._cookies.get('csrftoken', '')}",
                "Content-Type: application/x-www-form-urlencoded",
                f"Content-Length: {len(body)}",
            ]
        return "\r\n".join([*lines, "", body]).encode()

    async def _exchange(self, request: bytes) -> Answer:
        reader, writer = await self._connected()
        writer.write(request)
        status, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")[:-2]
        headers: dict[str, str] = {}
        for name, _, value in (line.partition(": ") for line in lines):
            # The attributes of cookies are not ours to keep, so several cookies fit into one line.
            value = value.partition(";")[0] if name.lower() == "set-cookie" else value
            headers[name.lower()] = f"{headers[name.lower()]}; {value}" if name.lower() in headers else value
        if "content-length" not in headers:  # the body comes in chunks, as some errors do, and is not for this browser
            self.close()
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        return Answer(int(status.split()[1]), headers, body.decode())

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None or perf_counter() - self._last > KEPT_ALIVE:
            self.close()
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        return self._streams

    def close(self) -> None:
        if self._streams:
            self._streams[1].close()
        self._streams = None


class Judge:
    """Somebody at a screen, with the next one fetched ahead, who remembers which answers were taken."""

    def __init__(self, port: int, slug: str, token: str, seed: int):
        self.browser = Browser(port)
        self.screen: Screen | None = None
        self.saved: list[str] = []
        self._coming: str | None = None
        self._ahead: Screen | None = None
        self._join = f"/join/{token}/"
        self._begin = f"/campaigns/{slug}/begin/"
        self._rng = random.Random(seed)

    async def join(self) -> None:
        await self.browser.get(self._join)
        await self.browser.post(self._join)

    async def idle(self) -> None:
        await self.browser.get("/healthz")

    async def begin(self) -> None:
        """Go on until there is a screen; a page without one has a button to go on, which is pressed a few times."""
        self.screen = None
        for _ in range(MOST_BEGINNINGS):
            there = await self.browser.post(self._begin)
            self.screen = await self._open(there.headers["location"])
            if self.screen:
                return

    async def claim(self) -> None:
        self._coming = (await self.browser.post(f"{self.screen.path}next/")).headers.get("location")

    async def look(self) -> None:
        self._ahead = await self._open(self._coming) if self._coming else None

    async def draft(self) -> None:
        await self.browser.post(f"{self.screen.path}draft/", "application/json", **self._filled())

    async def answer(self) -> None:
        """Send the answer as the script does; now and then twice."""
        filled = self._filled()
        for _ in range(1 + (self._rng.randrange(SENT_AGAIN) == 0)):
            await self.browser.post(self.screen.path, "application/json", **filled)
        self._count()

    async def answer_by_form(self) -> None:
        self._coming = (await self.browser.post(self.screen.path, **self._filled())).headers["location"]
        self._count()

    async def turn(self) -> None:
        self.screen, self._ahead = self._ahead, None
        if self.screen is None:
            await self.begin()

    async def judge(self, end: float, pause: float) -> None:
        """Screen after screen until a moment, pausing before each draft and each answer."""
        await asyncio.sleep(self._rng.uniform(0, pause * (DRAFTS + 1)))  # nobody comes at once with all others
        if self.screen is None:
            await self.begin()
        while self.screen and perf_counter() < end:
            await self.claim()
            await self.look()
            for _ in range(DRAFTS):
                await self._think(pause)
                await self.draft()
            await self._think(pause)
            await self.answer()
            await self.turn()

    async def _open(self, path: str) -> Screen | None:
        page = (await self.browser.get(path)).text
        key, places = KEY.search(page), PLACE.findall(page)
        return Screen(path, key[1], max(map(int, places))) if key and places else None

    async def _think(self, pause: float) -> None:
        await asyncio.sleep(self._rng.uniform(0.5, 1.5) * pause)

    def _filled(self) -> dict[str, str]:
        places = range(1, self.screen.candidates + 1)
        ranks = {f"rank_{place}": str(self._rng.randint(1, self.screen.candidates)) for place in places}
        return ranks | {"key": self.screen.key, "active": "8.0"}

    def _count(self) -> None:
        self.saved.append(self.screen.key)


async def in_turn(judges: list[Judge], act: Callable[[Judge], Awaitable[None]]) -> None:
    for judge in judges:
        await act(judge)


async def at_once(judges: list[Judge], seconds: float, pause: float) -> None:
    end = perf_counter() + seconds
    async with asyncio.TaskGroup() as group:
        for judge in judges:
            group.create_task(judge.judge(end, pause))


class StubbornBrowser(Browser):
    """Asks again while the server is away, broken or silent, as the page's script does, and counts how often."""

    def __init__(self, port: int, patience: float):
        super().__init__(port)
        self.until = float("inf")
        self.again = 0
        self._patience = patience

    async def _ask(self, method: str, path: str, body: str, accept: str) -> Answer:
        while True:
            try:
                async with asyncio.timeout(self._patience):
                    return await super()._ask(method, path, body, accept)
            except Refused as refusal:
                if refusal.status < BROKEN or perf_counter() > self.until:
                    raise
            # After so long a connection counts as none; the server may have taken what was sent all the same.
            except (OSError, TimeoutError, EOFError):
                if perf_counter() > self.until:
                    raise
            self.close()
            self.again += 1
            await asyncio.sleep(BETWEEN)
