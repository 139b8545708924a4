"""Every kind of job: its table, its queue, and the function that runs it, which only workers import."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from django.utils.module_loading import import_string

from judgments.models import Job
from judgments.models.jobs import JobQuerySet

SHORT, LONG = "short", "long"
# Takes a job and the Attempt at it.
Handler = Callable[[Any, Any], None]


class JobKind:
    """Jobs that take minutes belong in the long queue, apart from those for which people wait.

    `on_problems` introduces the problems in their files; the text of an `explained` exception is shown unchanged.
    """

    def __init__(
        self, model: type[Job], place: str, queue: str, on_problems: str, explained: tuple[type[Exception], ...]
    ):
        self.model = model
        self.queue = queue
        self.on_problems = on_problems
        self.explained = explained
        self._place = place

    @cached_property
    def handle(self) -> Handler:
        return import_string(self._place)

    @property
    def rows(self) -> JobQuerySet:
        return self.model._default_manager.all()


KINDS: dict[str, JobKind] = {}


def register(
    model: type[Job],
    place: str,
    queue: str = SHORT,
    on_problems: str = "",
    explained: tuple[type[Exception], ...] = (),
) -> None:
    """Register a kind of job; `place` is the path of its function."""
    KINDS[model.kind] = JobKind(model, place, queue, on_problems, explained)
