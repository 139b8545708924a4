"""Prometheus figures: requests counted by all processes of the server, and the state they share."""

import os
from collections.abc import Iterable, Iterator
from datetime import datetime

from django.db import Error
from django.utils import timezone
from prometheus_client import REGISTRY, CollectorRegistry, generate_latest, multiprocess
from prometheus_client.core import GaugeMetricFamily, Metric

from judgments.jobs.kinds import KINDS
from judgments.models import Judgment
from ranking import operations


def written() -> bytes:
    """Return all figures in the text format of Prometheus."""
    shared = CollectorRegistry()
    shared.register(_Shared())
    return generate_latest(_of_requests()) + generate_latest(shared)


def _of_requests() -> CollectorRegistry:
    """Count all processes under gunicorn, otherwise this one."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    added_up = CollectorRegistry()
    multiprocess.MultiProcessCollector(added_up)
    return added_up


class _Shared:
    """Figures read anew each time, the same in every process."""

    def collect(self) -> Iterator[Metric]:
        """Without a database, say only that; leave out figures that are not available."""
        try:
            found = [*_of_jobs(timezone.now()), *_of_processes(timezone.now()), *_of_space()]
        except Error:
            found = []
        yield GaugeMetricFamily("appraise_database_up", "Whether the database answers.", int(bool(found)))
        yield from found
        lengths = operations.queue_lengths()
        yield GaugeMetricFamily(
            "appraise_queues_up", "Whether what keeps the queues answers.", int(lengths is not None)
        )
        if lengths is not None:
            waiting = (((name,), length) for name, length in lengths.items())
            yield _labelled("appraise_queue_length", "Messages that wait in a queue.", ["queue"], waiting)


def _labelled(name: str, about: str, labels: list[str], values: Iterable[tuple[tuple[str, ...], float]]) -> Metric:
    gauge = GaugeMetricFamily(name, about, labels=labels)
    for words, value in values:
        gauge.add_metric(words, value)
    return gauge


def _of_jobs(now: datetime) -> Iterator[Metric]:
    yield GaugeMetricFamily("appraise_judgments", "Judgments there are, revisions too.", Judgment.objects.count())
    jobs = (((kind, state), count) for kind, state, count in operations.counts())
    yield _labelled("appraise_jobs", "Jobs in the background.", ["kind", "state"], jobs)
    since = operations.waiting_since()
    waiting = (((kind,), (now - since[kind]).total_seconds() if kind in since else 0) for kind in KINDS)
    about = "Since the oldest waiting job was requested."
    yield _labelled("appraise_oldest_waiting_seconds", about, ["kind"], waiting)


def _of_processes(now: datetime) -> Iterator[Metric]:
    workers, beat = operations.processes()
    silence = (((worker.name, worker.queues), (now - worker.seen_at).total_seconds()) for worker in workers)
    about = "Since the last heartbeat of a worker."
    yield _labelled("appraise_worker_silence_seconds", about, ["worker", "queues"], silence)
    if beat:
        passed = (now - beat.seen_at).total_seconds()
        yield GaugeMetricFamily("appraise_beat_silence_seconds", "Since the last heartbeat of the clock.", passed)


def _of_space() -> Iterator[Metric]:
    space = operations.space()
    yield GaugeMetricFamily("appraise_database_bytes", "How large the database is.", space.database)
    yield GaugeMetricFamily("appraise_disk_left_bytes", "What is left where files are kept.", space.left)
