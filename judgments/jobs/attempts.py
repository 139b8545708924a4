"""One attempt at a job; another attempt may overtake it, and then it writes nothing more."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import timedelta
from threading import Event, Thread
from typing import Any, Self

from django.db import OperationalError, connection
from django.utils import timezone

from judgments.jobs.kinds import KINDS, Handler
from judgments.models import Job
from judgments.models.jobs import LONGEST_PATIENCE, JobQuerySet
from judgments.models.journal import acting
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problem, Problems
from judgments.rules.progress import Progress

SECONDS_BETWEEN_BEATS = 1.0
LONGEST_ERROR = 500
LONGEST_PROBLEM = 500
NO_MEMORY = "This takes more memory than there is. Nothing was stored; ask for less."
PROGRAM_ERROR = "Something went wrong in the program."


class Overtaken(Exception):
    """Another attempt has begun, or the job was cancelled or deleted; this attempt must change nothing more."""


@dataclass
class Pulse:
    """Progress for the heartbeat thread to write while the job sits in a transaction that nobody else can see."""

    progress: float | None = None
    ahead: timedelta = timedelta(0)
    is_overtaken: bool = False


class Attempt:
    """An attempt by its number; it writes only while the job is still its own."""

    def __init__(self, job: Job, number: int):
        self.job: Any = job
        self.number = number
        self.mine = job.rows().filter(attempt=number, state=Job.State.RUNNING)
        self._pulse = Pulse()

    @classmethod
    def claim(cls, job: Job) -> Self | None:
        """The next attempt at a queued job; None if another worker was first or there is nothing left to do."""
        number = job.rows().claim(job.pk)
        claimed = job.rows().filter(attempt=number, state=Job.State.RUNNING)
        current = claimed.select_related("campaign", "requested_by").first()
        return cls(current, number) if current and number else None

    @contextmanager
    def running(self) -> Iterator[None]:
        """Keep the job alive. Every failure becomes a sentence in its row; being overtaken is no failure."""
        kind = KINDS[self.job.kind]
        try:
            with beating(self.mine, self._pulse):
                yield
        except Overtaken:
            return
        except Problems as found:
            self.fail(kind.on_problems, problems=written(found.problems))
        except kind.explained as reason:
            self.fail(str(reason))
        except Refused as reason:
            self.fail(f"Nothing was stored. {reason}")
        except MemoryError:  # raised further, it would end the worker
            self.fail(NO_MEMORY)
        except Exception:
            self.fail(PROGRAM_ERROR)
            raise

    def write(self, **columns: Any) -> None:
        if not self.mine.update(**columns):
            raise Overtaken

    def step(self, name: str, progress: float) -> None:
        """Show what the worker does now, and how far it is."""
        self._pulse.progress = progress
        self.write(step=name, progress=progress, heartbeat=timezone.now())

    def progress(self, start: float, end: float) -> Progress:
        """A callback for the progress of one step, a share of the whole; the heartbeat thread writes it."""

        def note(done: int, total: int) -> None:
            if self._pulse.is_overtaken:
                raise Overtaken
            self._pulse.progress = start + (end - start) * done / max(total, 1)

        return note

    def wait_for_others(self) -> None:
        """Let the job rest while other workers do their parts, which may be queued behind other jobs."""
        self._pulse.ahead = LONGEST_PATIENCE
        self.write(heartbeat=timezone.now() + LONGEST_PATIENCE)

    def finish(self, **columns: Any) -> None:
        self.write(state=Job.State.DONE, progress=1, step="", finished_at=timezone.now(), **columns)

    def fail(self, reason: str, **columns: Any) -> None:
        self.mine.update(state=Job.State.FAILED, error=reason[:LONGEST_ERROR], finished_at=timezone.now(), **columns)


def run_now(job: Job, handle: Handler | None = None) -> None:
    """Attempt a queued job, by `handle` instead of its usual function if given.

    A second call for the same job, or one that comes too late, does nothing.
    """
    if attempt := Attempt.claim(job):
        requester = getattr(attempt.job, "requested_by", None)
        with attempt.running(), acting(requester.get_username) if requester else nullcontext():
            (handle or KINDS[job.kind].handle)(attempt.job, attempt)
    job.discard_files()


def written(problems: list[Problem]) -> list[dict[str, Any]]:
    """Problems as JSON for a row."""
    return [
        {"file": problem.file[:LONGEST_PROBLEM], "line": problem.line, "what": problem.what[:LONGEST_PROBLEM]}
        for problem in problems
    ]


@contextmanager
def beating(rows: JobQuerySet, pulse: Pulse) -> Iterator[None]:
    """Keep the heartbeat of the given rows fresh, however long a step takes; note when they are gone."""
    over = Event()
    thread = Thread(target=_beat, args=(rows, over, pulse), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _beat(rows: JobQuerySet, over: Event, pulse: Pulse) -> None:
    try:
        while not over.wait(SECONDS_BETWEEN_BEATS):
            progress = {} if pulse.progress is None else {"progress": pulse.progress}
            try:
                pulse.is_overtaken = not rows.update(heartbeat=timezone.now() + pulse.ahead, **progress)
            except OperationalError:  # the job itself may lock an embedded database; the next beat may find it free
                connection.close()
    finally:
        connection.close()
