"""Prometheus figures: requests counted by all processes of the server, and the state they share."""

import os
from collections.abc import Iterator
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
        yield from _of_queues()


def _of_jobs(now: datetime) -> Iterator[Metric]:
    yield GaugeMetricFamily("appraise_judgments", "Judgments there are, revisions too.", Judgment.objects.count())
    jobs = GaugeMetricFamily("appraise_jobs", "Jobs in the background.", labels=["kind", "state"])
    for kind, state, count in operations.counts():
        jobs.add_metric([kind, state], count)
    yield jobs
    waiting = GaugeMetricFamily(
        "appraise_oldest_waiting_seconds", "Since the oldest waiting job was requested.", labels=["kind"]
    )
    since = operations.waiting_since()
    for kind in KINDS:
        waiting.add_metric([kind], (now - since[kind]).total_seconds() if kind in since else 0)
    yield waiting


def _of_processes(now: datetime) -> Iterator[Metric]:
    processes = operations.processes()
    silence = GaugeMetricFamily(
        "appraise_worker_silence_seconds", "Since the last heartbeat of a worker.", labels=["worker", "queues"]
    )
    for worker in processes.workers:
        silence.add_metric([worker.name, worker.queues], (now - worker.seen_at).total_seconds())
    yield silence
    if processes.beat:
        passed = (now - processes.beat.seen_at).total_seconds()
        yield GaugeMetricFamily("appraise_beat_silence_seconds", "Since the last heartbeat of the clock.", passed)


def _of_space() -> Iterator[Metric]:
    space = operations.space()
    yield GaugeMetricFamily("appraise_database_bytes", "How large the database is.", space.database)
    yield GaugeMetricFamily("appraise_disk_left_bytes", "What is left where files are kept.", space.left)


def _of_queues() -> Iterator[Metric]:
    lengths = operations.queue_lengths()
    yield GaugeMetricFamily("appraise_queues_up", "Whether what keeps the queues answers.", int(lengths is not None))
    if lengths is not None:
        waiting = GaugeMetricFamily("appraise_queue_length", "Messages that wait in a queue.", labels=["queue"])
        for name, length in lengths.items():
            waiting.add_metric([name], length)
        yield waiting
