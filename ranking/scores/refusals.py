"""What metrics cannot score, as what the platform refuses: they know nothing of it."""

from collections.abc import Iterator
from contextlib import contextmanager

from judgments.rules.errors import Refused
from ranking.metrics.material import MetricError


@contextmanager
def metric_errors_refused() -> Iterator[None]:
    """Refuse, in the same words, what a metric cannot score; around some lines, or a whole function."""
    try:
        yield
    except MetricError as reason:
        raise Refused(str(reason)) from reason
