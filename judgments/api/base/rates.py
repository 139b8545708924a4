"""How often programs may ask."""

from datetime import UTC, datetime
from typing import Any

from django.utils.crypto import salted_hmac
from rest_framework.request import Request
from rest_framework.throttling import UserRateThrottle

from judgments import entering, rates


class Rate(UserRateThrottle):
    """So many requests of one user in each stretch of time, the first of which begins with the clock."""

    scope = "user"
    left = 0

    def allow_request(self, request: Request, view: Any) -> bool:
        """Whether there is room for this one."""
        now = int(self.timer())
        self.left = self.duration - now % self.duration
        until = datetime.fromtimestamp(now + self.left, UTC)
        return rates.use(self.get_cache_key(request, view), until, self.num_requests)

    def get_ident(self, request: Request) -> str:
        """Who asks without signing in: a digest of the address, which cannot be read."""
        return salted_hmac("judgments.rates", entering.address_of(request), algorithm="sha256").hexdigest()

    def wait(self) -> float:
        """Seconds until there is room again."""
        return self.left
