"""The platform as a program sees it: the API, with the program's token.

Requests that did not arrive, or whose answers did not, are sent again: claiming returns the same assignments until they
are answered, and what is sent has a key, so nothing is stored twice.
"""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urljoin

import urllib3

from judgments.programs.rules.questions import ProgramQuestion

MOST_TRIES, PAUSE = 8, 0.5
SECONDS = 60
MAY_PASS = (429, 500, 502, 503, 504)


class PlatformError(Exception):
    """The platform refuses, with its reason."""


class Rejected(PlatformError):
    """The answers do not fit the protocol."""


class PlatformClient:
    def __init__(self, site: str, slug: str, token: str):
        retries = urllib3.Retry(
            MOST_TRIES, backoff_factor=PAUSE, status_forcelist=MAY_PASS, allowed_methods=None, raise_on_status=False
        )
        self._site, self._slug = site, slug
        self._headers = {"Authorization": f"Token {token}", "Content-Type": "application/json"}
        self._pool = urllib3.PoolManager(timeout=SECONDS, retries=retries, maxsize=32)

    def claim(self, number: int, after: int) -> dict[str, Any]:
        """Return assignments, made after one, and the prompt and the instructions of the campaign."""
        return self._send(f"/api/campaigns/{self._slug}/assignments/", {"number": number, "after": after})

    def judge(self, question: ProgramQuestion, answers: list[dict[str, Any]], said: Mapping[str, Any]) -> None:
        address = f"/api/assignments/{question.task['id']}/judgment/"
        self._send(address, {"answers": answers, "said": said}, key="judgment")

    def keep(self, question: ProgramQuestion, answers: list[dict[str, Any]] | None, said: Mapping[str, Any]) -> None:
        """Store what does not become a judgment: the answer to a probe, or one that could not be read."""
        given = {"purpose": question.purpose, "sample": question.sample, "answers": answers, "said": said}
        self._send(f"/api/assignments/{question.task['id']}/said/", given)

    def _send(self, address: str, given: Any, key: str = "") -> Any:
        headers = self._headers | ({"Idempotency-Key": key} if key else {})
        try:
            answered = self._pool.request(
                "POST", urljoin(self._site, address), body=json.dumps(given).encode(), headers=headers
            )
        except urllib3.exceptions.HTTPError as reason:
            raise PlatformError(f"{self._site} cannot be reached ({type(reason).__name__}).") from reason
        try:
            content = json.loads(answered.data) if answered.data else None
        except ValueError as reason:
            raise PlatformError(f"{self._site} answered with status {answered.status}, and not in JSON.") from reason
        if answered.status == 400:
            raise Rejected(_detail(content))
        if answered.status == 401:
            raise PlatformError(
                f"{self._site} does not know the program's token. It was given another, its access has ended, or this "
                "is the address of another platform. Start it again to go on."
            )
        if answered.status >= 400:
            raise PlatformError(_detail(content) or f"{self._site} answered with status {answered.status}.")
        return content


def check_is_reached(site: str) -> None:
    """Refuse at once if nothing answers there; later, a server that starts again is waited for."""
    try:
        urllib3.request("GET", site, timeout=SECONDS, retries=False, redirect=False)
    except urllib3.exceptions.HTTPError as reason:
        raise PlatformError(
            f"No platform answers at {site} ({type(reason).__name__}). Start it, or give its address with --site."
        ) from reason


def _detail(problem: Any) -> str:
    return str(problem.get("detail", "")) if isinstance(problem, dict) else ""
