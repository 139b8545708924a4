"""One attempt at work on what was handed in; another attempt may overtake it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Thread
from typing import Any, Self, cast

from django.db import IntegrityError, OperationalError, connection, transaction
from django.utils import timezone

from judgments.models import Import, ImportFile, Upload, UploadFiles, Work
from judgments.models.jobs import HEARTBEAT_SECONDS, WorkQuerySet
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problem, Problems
from judgments.rules.progress import Progress

SECONDS_BETWEEN_BEATS = 1.0
LONGEST_ERROR = 500
LONGEST_PROBLEM = 500
NO_MEMORY = "This takes more memory than there is. Nothing was stored; ask for less."


class Overtaken(Exception):
    """Another attempt has begun, or the work was cancelled or thrown away; this one must leave everything alone."""


class Attempt:
    """An attempt by its number; whatever it writes it writes only while the work is still its own."""

    def __init__(self, work: WorkQuerySet, number: int, misfit: str):
        self.mine = work.filter(attempt=number, state=Work.State.RUNNING)
        self._misfit = misfit
        self._going = Going()

    @classmethod
    def begun(cls, work: WorkQuerySet, pk: int, misfit: str) -> Self | None:
        """An attempt at queued work, or None where another worker was first or there is nothing to do any more.

        `misfit` is what is said where the files cannot be taken, before the problems one by one.
        """
        try:
            number = work.begin(pk)
        except work.model.DoesNotExist:  # thrown away, or asked for anew, in this very moment
            return None
        return None if number is None else cls(work.filter(pk=pk), number, misfit)

    @contextmanager
    def going_on(self) -> Iterator[None]:
        """Keep the work alive; a failure is told in a sentence, and being overtaken is none."""
        try:
            with beating(self.mine, SECONDS_BETWEEN_BEATS) as self._going:
                yield
        except Overtaken:
            return
        except Problems as found:
            self._fail(self._misfit, found.problems)
        except Refused as reason:
            self._fail(f"Nothing was stored. {reason}")
        except MemoryError:  # told on, it would end the worker
            self._fail(NO_MEMORY)
        except Exception:
            self._fail("Something went wrong in the program.")
            raise

    def step(self, name: str, progress: float) -> None:
        """Say what is done now, and how far it is."""
        self._going.progress = progress
        if not self.mine.update(step=name, progress=progress, heartbeat=timezone.now()):
            raise Overtaken

    def progress(self, start: float, end: float) -> Progress:
        """Progress of a step from one share of the whole to another; written by the beating thread."""

        def note(done: int, total: int) -> None:
            if self._going.is_overtaken:
                raise Overtaken
            self._going.progress = start + (end - start) * done / max(total, 1)

        return note

    def finish(self, **found: Any) -> None:
        """Write what came of it."""
        written = self.mine.update(state=Work.State.DONE, progress=1, step="", finished_at=timezone.now(), **found)
        if not written:
            raise Overtaken

    def _fail(self, reason: str, problems: list[Problem] | None = None) -> None:
        self.mine.update(
            state=Work.State.FAILED,
            error=reason[:LONGEST_ERROR],
            finished_at=timezone.now(),
            **({"problems": written(problems)} if problems else {}),
        )


def cancel(work: Work) -> bool:
    """Stop work that is not over; the worker notices within a moment, and nothing is stored. No, where it was over."""
    busy = type(work)._default_manager.filter(pk=work.pk).exclude(state__in=Work.OVER)
    try:
        return bool(busy.update(state=Work.State.CANCELLED, finished_at=timezone.now()))
    except OperationalError as reason:  # an embedded database takes nothing else in while it stores
        raise Refused("The database is busy with storing. Nothing was cancelled; try again in a moment.") from reason


def queue_again(work: Work) -> None:
    """Put work that failed, or that nobody is at, back into the queue."""
    if isinstance(work, Import) and not ImportFile.objects.filter(bundle=work.pk).exists():
        raise Refused("The bundle was not kept; ask whoever handed it in to do so again.")
    if isinstance(work, Upload) and not UploadFiles.objects.filter(upload=work.pk).exists():
        raise Refused("The files were not kept; ask whoever handed them in to do so again.")
    works = cast(WorkQuerySet, type(work)._default_manager.all())
    try:
        with transaction.atomic():
            is_queued = works.again(work.pk)
    except IntegrityError as reason:
        raise Refused(
            "Something of this kind is on its way in this campaign already; wait until it is over."
        ) from reason
    if not is_queued:
        raise Refused("This went on in the meantime; nothing was changed.")


def written(problems: list[Problem]) -> list[dict[str, Any]]:
    """Problems as a row holds them."""
    return [
        {"file": problem.file[:LONGEST_PROBLEM], "line": problem.line, "what": problem.what[:LONGEST_PROBLEM]}
        for problem in problems
    ]


@dataclass
class Going:
    """How far work is, for the thread to write where the work itself sits in a transaction that nobody sees into."""

    progress: float | None = None
    is_overtaken: bool = False


@contextmanager
def beating(work: WorkQuerySet, seconds: float = HEARTBEAT_SECONDS) -> Iterator[Going]:
    """Keep the heartbeat of the given rows fresh, however long one step of the work takes; tell when they are gone."""
    over, going = Event(), Going()
    thread = Thread(target=_beat, args=(work, over, seconds, going), daemon=True)
    thread.start()
    try:
        yield going
    finally:
        over.set()
        thread.join()


def _beat(work: WorkQuerySet, over: Event, seconds: float, going: Going) -> None:
    try:
        while not over.wait(seconds):
            progress = {} if going.progress is None else {"progress": going.progress}
            try:
                going.is_overtaken = not work.update(heartbeat=timezone.now(), **progress)
            except OperationalError:  # the work itself may lock an embedded database; the next beat may find it free
                connection.close()
    finally:
        connection.close()
