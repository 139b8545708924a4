"""Turns errors of the metrics, which do not know the platform, into refusals."""

from collections.abc import Iterator
from contextlib import contextmanager

from judgments.rules.errors import Refused
from ranking.metrics.material import MetricError


@contextmanager
def metric_errors_refused() -> Iterator[None]:
    """Refuse, in the same words, what a metric cannot score; a context manager or decorator."""
    try:
        yield
    except MetricError as reason:
        raise Refused(str(reason)) from reason
