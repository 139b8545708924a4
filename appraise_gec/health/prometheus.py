"""Prometheus metrics: requests, counted by each process of the server, and the state they share."""

import os
from collections.abc import Iterable, Iterator
from datetime import datetime

from django.db import Error
from django.utils import timezone
from prometheus_client import REGISTRY, CollectorRegistry, generate_latest, multiprocess
from prometheus_client.core import GaugeMetricFamily, Metric

from judgments.models import Judgment
from judgments.models.jobs import job_models
from ranking import operations


def exposition() -> bytes:
    """All metrics in the text format of Prometheus."""
    shared = CollectorRegistry()
    shared.register(_Shared())
    return generate_latest(_request_metrics()) + generate_latest(shared)


def _request_metrics() -> CollectorRegistry:
    """The requests of all processes under gunicorn, otherwise of this one."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    total = CollectorRegistry()
    multiprocess.MultiProcessCollector(total)
    return total


class _Shared:
    """Metrics read from the database at each scrape, the same in every process."""

    def collect(self) -> Iterator[Metric]:
        """Leave out what is not available: without a database, report only that."""
        try:
            found = [*_jobs(timezone.now()), *_processes(timezone.now()), *_space()]
        except Error:
            found = []
        yield GaugeMetricFamily("appraise_database_up", "Whether the database answers.", int(bool(found)))
        yield from found
        lengths = operations.queue_lengths()
        yield GaugeMetricFamily("appraise_queues_up", "Whether the message broker answers.", int(lengths is not None))
        if lengths is not None:
            waiting = (((name,), length) for name, length in lengths.items())
            yield _labelled("appraise_queue_length", "Messages waiting in a queue.", ["queue"], waiting)


def _labelled(name: str, about: str, labels: list[str], values: Iterable[tuple[tuple[str, ...], float]]) -> Metric:
    gauge = GaugeMetricFamily(name, about, labels=labels)
    for words, value in values:
        gauge.add_metric(words, value)
    return gauge


def _jobs(now: datetime) -> Iterator[Metric]:
    yield GaugeMetricFamily("appraise_judgments", "Stored judgments, including revisions.", Judgment.objects.count())
    jobs = (((kind, state), count) for kind, state, count in operations.counts())
    yield _labelled("appraise_jobs", "Background jobs.", ["kind", "state"], jobs)
    since = operations.waiting_since()
    waiting = (((kind,), (now - since[kind]).total_seconds() if kind in since else 0) for kind in job_models())
    about = "Seconds since the oldest waiting job was requested."
    yield _labelled("appraise_oldest_waiting_seconds", about, ["kind"], waiting)


def _processes(now: datetime) -> Iterator[Metric]:
    workers, beat = operations.processes()
    silence = (((worker.name, worker.queues), (now - worker.seen_at).total_seconds()) for worker in workers)
    about = "Seconds since the last heartbeat of a worker."
    yield _labelled("appraise_worker_silence_seconds", about, ["worker", "queues"], silence)
    if beat:
        passed = (now - beat.seen_at).total_seconds()
        about = "Seconds since the last heartbeat of the scheduler."
        yield GaugeMetricFamily("appraise_beat_silence_seconds", about, passed)


def _space() -> Iterator[Metric]:
    space = operations.space()
    yield GaugeMetricFamily("appraise_database_bytes", "Size of the database.", space.database)
    yield GaugeMetricFamily("appraise_disk_left_bytes", "Free space on the disk that holds DATA_DIR.", space.left)
