"""What goes on at a platform besides judging: strangers at the door, and what organisers ask of it.

Each of them goes on for some seconds in a process of its own, and says in the end what it came to.
"""

import json
import re
import secrets
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from http.cookiejar import CookieJar
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlencode

AT_ONCE = 8
LINES = 2_000
BOUNDARY = "the-end-of-a-part"
TOKEN_OF_FORM = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
JSON = {"Content-Type": "application/json"}
OPENER = urllib.request.build_opener()
PATIENCE = 120
LONGEST_REPORT = 1_800


class Place(NamedTuple):
    """Where the platform is, the token of an organiser, a large campaign and an empty one."""

    address: str
    token: str
    large: str
    empty: str


def logins(place: Place, seconds: float) -> str:
    """Somebody guesses passwords, many at once and under many names."""
    return _many(lambda: _guess(place), seconds)


def uploads(place: Place, seconds: float) -> str:
    """An organiser's program hands in files, many at once."""
    body = _files()
    headers = {"Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
    return _many(lambda: _status(place, f"campaigns/{place.empty}/uploads/", body, headers), seconds)


def report(place: Place, seconds: float) -> str:
    """A report on the large campaign, from its order to its end, however long that takes."""
    start = time.monotonic()
    ordered = json.loads(
        _asked(place, f"campaigns/{place.large}/reports/", b"{}", {"Content-Type": "application/json"})
    )
    state = ""
    while state not in ("done", "failed") and time.monotonic() < start + LONGEST_REPORT:
        time.sleep(1)
        state = json.loads(_asked(place, f"reports/{ordered['id']}/"))["state"]
    return f"the report was {state} after {time.monotonic() - start:.0f} s"


def export(place: Place, seconds: float) -> str:
    """The largest export of the large campaign, again and again."""
    end, size, files = time.monotonic() + seconds, 0, 0
    while time.monotonic() < end:
        request = _request(place, f"campaigns/{place.large}/exports/everything.jsonl")
        with OPENER.open(request, timeout=PATIENCE) as answer:
            while time.monotonic() < end and (block := answer.read(1 << 20)):
                size += len(block)
        files += 1
    return f"{size / 1e6:.0f} MB of {files} files"


BESIDES: Mapping[str, Callable[[Place, float], str]] = {
    "guessed passwords": logins, "uploads": uploads, "a report": report, "exports": export,
}  # fmt: skip


def _many(act: Callable[[], Any], seconds: float) -> str:
    """So many at once do it again and again; how often each answer was given."""
    end = time.monotonic() + seconds

    def go_on(_: int) -> Counter[Any]:
        given: Counter[Any] = Counter()
        while time.monotonic() < end:
            given[act()] += 1
        return given

    with ThreadPoolExecutor(AT_ONCE) as pool:
        given = sum(pool.map(go_on, range(AT_ONCE)), Counter())
    return ", ".join(f"{count:,} x {status}" for status, count in sorted(given.items(), key=str))


def _guess(place: Place) -> int | str:
    """One page with the form, and one try."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    address = f"{place.address}/sign-in/"
    try:
        with browser.open(address, timeout=PATIENCE) as page:
            token = TOKEN_OF_FORM.search(page.read().decode())
        fields = {"username": secrets.token_hex(4), "password": secrets.token_hex(8)}
        form = urlencode(fields | {"csrfmiddlewaretoken": token[1] if token else ""}).encode()
        with browser.open(address, form, timeout=PATIENCE) as answer:
            return answer.status
    except HTTPError as refusal:
        return refusal.code
    except (OSError, HTTPException) as fault:
        return type(fault).__name__


def _status(place: Place, path: str, body: bytes, headers: dict[str, str]) -> int | str:
    try:
        with OPENER.open(_request(place, path, body, headers), timeout=PATIENCE) as answer:
            return answer.status
    except HTTPError as refusal:
        return refusal.code
    except (OSError, HTTPException) as fault:
        return type(fault).__name__


def _asked(place: Place, path: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> bytes:
    with OPENER.open(_request(place, path, body, headers), timeout=PATIENCE) as answer:
        return answer.read()


def _request(
    place: Place, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
) -> urllib.request.Request:
    signed = {"Authorization": f"Token {place.token}", **(headers or {})}
    return urllib.request.Request(f"{place.address}/api/{path}", body, signed)  # noqa: S310 (our own server)


def _files() -> bytes:
    """A source and two systems."""
    text = "This sentence have an error that somebody must to correct .\n" * LINES
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="{name}.txt"\r\n'
        f"Content-Type: text/plain\r\n\r\n{text}\r\n"
        for name in ("source", "one", "two")
    ]
    return "".join([*parts, f"--{BOUNDARY}--\r\n"]).encode()
