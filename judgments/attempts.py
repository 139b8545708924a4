"""One attempt at checking or storing an upload; another attempt may overtake it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Self

from django.utils import timezone

from judgments.faults import Refused
from judgments.heartbeat import Going, beating
from judgments.models import Upload, Work
from judgments.progress import Progress
from judgments.rules.problems import Problem, Problems

SECONDS_BETWEEN_BEATS = 1.0
LONGEST_ERROR = 500
LONGEST_PROBLEM = 500


class Overtaken(Exception):
    """Another attempt has begun, or the upload was cancelled or thrown away; this one must leave everything alone."""


class Attempt:
    """An attempt by its number; whatever it writes it writes only while the upload is still its own."""

    def __init__(self, upload: Upload, number: int):
        self.upload = upload
        self.mine = Upload.objects.filter(
            pk=upload.pk, asked=upload.asked, attempt=number, stage=upload.stage, state=Work.State.RUNNING
        )
        self._going = Going()

    @classmethod
    def begun(cls, upload_id: int, stage: Upload.Stage) -> Self | None:
        """An attempt at queued work, or None where another worker was first or there is nothing to do any more."""
        upload = Upload.objects.select_related("campaign").filter(pk=upload_id, stage=stage).first()
        if upload is None:
            return None
        try:
            number = Upload.objects.filter(asked=upload.asked, stage=stage).begin(upload_id)
        except Upload.DoesNotExist:  # thrown away, or asked for anew, in this very moment
            return None
        return None if number is None else cls(upload, number)

    @contextmanager
    def going_on(self) -> Iterator[Upload]:
        """Its upload, kept alive; a failure is told in a sentence, and being overtaken is none."""
        try:
            with beating(self.mine, SECONDS_BETWEEN_BEATS) as self._going:
                yield self.upload
        except Overtaken:
            return
        except Problems as found:
            self._fail("Nothing was stored: the files do not fit the campaign as it is now.", found.problems)
        except Refused as reason:
            self._fail(f"Nothing was stored. {reason}")
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
            problems=written(problems or []),
            finished_at=timezone.now(),
        )


def written(problems: list[Problem]) -> list[dict[str, Any]]:
    """Problems as a row holds them."""
    return [
        {"file": problem.file[:LONGEST_PROBLEM], "line": problem.line, "what": problem.what[:LONGEST_PROBLEM]}
        for problem in problems
    ]
