"""Rate limits of the API."""

from datetime import UTC, datetime
from typing import Any

from django.utils.crypto import salted_hmac
from rest_framework.request import Request
from rest_framework.throttling import UserRateThrottle

from judgments.judges import signing_in
from judgments.models.requests import use


class Rate(UserRateThrottle):
    """A limit on the requests of one user in each period; periods are aligned to the clock."""

    scope = "user"
    left = 0

    def allow_request(self, request: Request, view: Any) -> bool:
        now = int(self.timer())
        self.left = self.duration - now % self.duration
        until = datetime.fromtimestamp(now + self.left, UTC)
        return use(self.get_cache_key(request, view), until, self.num_requests)

    def get_ident(self, request: Request) -> str:
        """Identify anonymous clients by a digest of their address."""
        return salted_hmac("judgments.api.base.rates", signing_in.address_of(request), algorithm="sha256").hexdigest()

    def wait(self) -> float:
        return self.left
