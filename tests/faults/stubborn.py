"""Judges who do not give up: as the script of the page, they send an answer again until the server says something."""

import asyncio
from math import inf, isfinite
from time import perf_counter

from tests.services.judges import BETWEEN, Judge, Refused, StubbornBrowser

PATIENCE = 5
SECONDS_TO_END = 120


class StubbornJudge(Judge):
    """Remembers what was sent under which key, and which of it the server confirmed."""

    browser: StubbornBrowser

    def __init__(self, port: int, slug: str, token: str, seed: int):
        super().__init__(port, slug, token, seed)
        self.browser = StubbornBrowser(port, PATIENCE)
        self.sent: dict[str, dict[str, str]] = {}
        self.refused: list[str] = []
        self._goal = inf
        self._has_left = False

    def end(self) -> None:
        """One more answer, and no more screens after it."""
        self._goal = len(self.saved) + 1
        self.browser.until = perf_counter() + SECONDS_TO_END

    async def come_and_judge(self, pause: float) -> None:
        """Screen after screen; a refusal, as when an assignment went to somebody else, leads back to the beginning."""
        await self._come()
        while len(self.saved) < self._goal and not self._has_left:
            try:
                await self._one_screen(pause)
            except Refused as refusal:
                self.refused.append(str(refusal))
                self.screen = None

    async def _come(self) -> None:
        """Press again, as people do when nothing seems to happen."""
        while True:
            try:
                return await self.join()
            except Refused as refusal:
                self.refused.append(str(refusal))

    async def _one_screen(self, pause: float) -> None:
        if self.screen is None:
            await self.begin()
        if self.screen is None:  # there is nothing left
            self._has_left = isfinite(self._goal)
            await asyncio.sleep(BETWEEN)
            return
        await self.claim()
        await self.look()
        await self._think(pause)
        await self.draft()
        await self._think(pause)
        await self.answer()
        await self.turn()

    def _filled(self) -> dict[str, str]:
        """The same ranks under the same key, however often they are sent."""
        assert self.screen is not None
        return self.sent.setdefault(self.screen.key, super()._filled())
