"""A browser that does not give up: as the page's script, it asks again while the server is away, broken or silent."""

import asyncio
from time import perf_counter

from benchmarks.judges import Answer, Browser, Refused

BETWEEN = 0.3
BROKEN = 500


class StubbornBrowser(Browser):
    """Counts how often it had to ask again; patient for so many seconds, and stubborn until a moment."""

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
