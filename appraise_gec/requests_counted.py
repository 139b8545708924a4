"""Requests counted for Prometheus, by all processes of a server together."""

from django.http import HttpRequest, HttpResponse
from prometheus_client import Histogram

VERBS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
# Judges feel a tenth of a second; after half a minute proxies give up.
SECONDS = Histogram(
    "appraise_request_seconds",
    "Requests and how long they took until their answer began, by the name of their address.",
    ["route", "method", "status"],
    buckets=(0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)


def count(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    """By words of ours alone: whatever strangers ask for makes no new row."""
    found = request.resolver_match
    route = (found.url_name or found.view_name) if found else "none"
    method = request.method if request.method in VERBS else "other"
    SECONDS.labels(route, method, f"{response.status_code // 100}xx").observe(seconds)
