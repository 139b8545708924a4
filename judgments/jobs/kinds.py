"""Every kind of job, registered once: its table, its function and its queue."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from judgments.models import Job
from judgments.models.jobs import JobQuerySet

SHORT, LONG = "short", "long"
# Takes a job and the Attempt at it.
Handler = Callable[[Any, Any], None]
H = TypeVar("H", bound=Handler)


class JobKind(NamedTuple):
    model: type[Job]
    handle: Handler
    queue: str
    on_problems: str
    explained: tuple[type[Exception], ...]

    @property
    def rows(self) -> JobQuerySet:
        return self.model._default_manager.all()


KINDS: dict[str, JobKind] = {}


def handles(
    model: type[Job], queue: str = SHORT, on_problems: str = "", explained: tuple[type[Exception], ...] = ()
) -> Callable[[H], H]:
    """Register the function that runs jobs of a kind.

    Jobs that take minutes belong in the long queue, apart from those for which people wait. `on_problems` introduces
    the problems in their files; the text of an `explained` exception is shown unchanged.
    """

    def register(handle: H) -> H:
        KINDS[model.kind] = JobKind(model, handle, queue, on_problems, explained)
        return handle

    return register
