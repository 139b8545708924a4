"""One attempt at a job, which writes nothing more once another attempt has overtaken it."""

import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import timedelta
from threading import Event, Thread
from traceback import clear_frames
from typing import Any, Self

from celery import current_task
from django.conf import settings
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from judgments.models import FilePiece, Job
from judgments.models.jobs import LONGEST_PATIENCE, JobQuerySet, job_models
from judgments.models.journal import acting
from judgments.rules import tracing
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problem, Problems
from judgments.rules.progress import Progress, check_cancelled

SECONDS_BETWEEN_BEATS = 1.0
LONGEST_ERROR = 500
LONGEST_PROBLEM = 500
NO_MEMORY = (
    f"It needs more than {settings.WORKER_MEMORY:,} MB of memory, the limit of a worker. Nothing was stored; request "
    "less, divide the files, or ask the operator to raise WORKER_MEMORY."
)
PROGRAM_ERROR = "Something went wrong in the program."


class StaleAttempt(Exception):
    """Another attempt has begun, or the job was cancelled or deleted, so this attempt must change nothing more."""


@dataclass
class Pulse:
    """Progress that the heartbeat thread writes, because the job's own transaction is not visible to others."""

    progress: float | None = None
    ahead: timedelta = timedelta(0)
    is_stale: bool = False


class Attempt:
    """A numbered attempt; it writes only while it is the current one."""

    def __init__(self, job: Job, number: int):
        self.job: Any = job
        self.number = number
        self.row = job.row().filter(attempt=number, state=Job.State.RUNNING)
        self._pulse = Pulse()

    @classmethod
    def claim(cls, job: Job) -> Self | None:
        """Start the next attempt at a queued job; None if another worker was first or the job is over."""
        number = job.row().claim(job.pk, current_task.request.id or "" if current_task else "")
        claimed = job_models()[job.kind].objects.filter(pk=job.pk, attempt=number, state=Job.State.RUNNING)
        current = claimed.select_related("campaign", "requested_by").first()
        return cls(current, number) if current and number else None

    @contextmanager
    def running(self) -> Iterator[None]:
        """Send heartbeats, and store the reason for a failure; being overtaken is not a failure."""
        tracing.request_id.set(self.job.request_id)
        tracing.running_job.set(f"{self.job.kind} {self.job.pk}")
        token = check_cancelled.set(self._check)
        try:
            with send_heartbeats(self.row, self._pulse):
                yield
        except StaleAttempt:
            return
        except Problems as found:
            self.fail(self.job.on_problems, problems=problems_as_json(found.problems))
        except self.job.explained as reason:
            self.fail(str(reason))
        except Refused as reason:
            self.fail(f"Nothing was stored. {reason}")
        except MemoryError as reason:  # would end the worker if it were raised again
            with lift_memory_limit(reason):
                self.fail(NO_MEMORY)
        except Exception:
            self.fail(PROGRAM_ERROR)
            raise
        finally:
            check_cancelled.reset(token)

    def _check(self) -> None:
        if self._pulse.is_stale:
            raise StaleAttempt

    def write(self, **columns: Any) -> None:
        """Change columns of the job, and of the table of its kind if it has one, and show that the attempt is alive."""
        shared = {field.name for field in Job._meta.fields} & columns.keys()
        own = {name: value for name, value in columns.items() if name not in shared}
        with transaction.atomic() if own else nullcontext():
            if not self.row.update(**{"heartbeat": timezone.now()} | {name: columns[name] for name in shared}):
                raise StaleAttempt
            if own:
                type(self.job).objects.filter(pk=self.job.pk).update(**own)

    def step(self, name: str, progress: float) -> None:
        """Show the current step and the progress."""
        self._pulse.progress = progress
        self.write(step=name, progress=progress)

    def progress(self, start: float, end: float) -> Progress:
        """Return a callback for the progress of one step, from `start` to `end`; the heartbeat thread writes it."""

        def note(done: int, total: int) -> None:
            self._check()
            self._pulse.progress = start + (end - start) * done / max(total, 1)

        return note

    def wait_for_others(self) -> None:
        """Wait while other workers do their parts, which may be queued behind other jobs."""
        self._pulse.ahead = LONGEST_PATIENCE
        self.write(heartbeat=timezone.now() + LONGEST_PATIENCE)

    def finish(self, **columns: Any) -> None:
        self.write(state=Job.State.DONE, progress=1, step="", finished_at=timezone.now(), **columns)

    def fail(self, reason: str, **columns: Any) -> None:
        self.row.update(state=Job.State.FAILED, error=reason[:LONGEST_ERROR], finished_at=timezone.now(), **columns)


@contextmanager
def lift_memory_limit(reason: BaseException | None) -> Iterator[None]:
    """Let go of what filled the memory, and lift the limit of this process for what must still be written."""
    limit, most = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    while reason:  # one failure often leads to others on its way here, and each holds the frames it went through
        clear_frames(reason.__traceback__)
        reason = reason.__context__
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, most))


def run_now(job: Job, handle: Callable[[Any, Attempt], None] | None = None) -> bool:
    """Attempt a queued job, with `handle` instead of its usual function if given.

    Returns whether it was still queued.
    """
    attempt = Attempt.claim(job)
    if attempt:
        requester = attempt.job.requested_by
        with attempt.running(), acting(requester.get_username) if requester else nullcontext():
            (handle or attempt.job.handler())(attempt.job, attempt)
    FilePiece.discard(job)
    return attempt is not None


def problems_as_json(problems: list[Problem]) -> list[dict[str, Any]]:
    """Convert problems to JSON for a row."""
    return [
        {"file": problem.file[:LONGEST_PROBLEM], "line": problem.line, "what": problem.what[:LONGEST_PROBLEM]}
        for problem in problems
    ]


@contextmanager
def send_heartbeats(row: JobQuerySet, pulse: Pulse) -> Iterator[None]:
    """Send heartbeats for the row, however long a step takes; note when it is no longer there."""
    over = Event()
    thread = Thread(target=_beat, args=(row, over, pulse), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _beat(row: JobQuerySet, over: Event, pulse: Pulse) -> None:
    try:
        while not over.wait(SECONDS_BETWEEN_BEATS):
            progress = {} if pulse.progress is None else {"progress": pulse.progress}
            try:
                pulse.is_stale = not row.update(heartbeat=timezone.now() + pulse.ahead, **progress)
            # The job's own transaction may lock SQLite, or fill the memory; the next beat may succeed.
            except (OperationalError, MemoryError):
                connection.close()
    finally:
        connection.close()
