"""Who does something, and the note of what was done; verbs note it in the transaction in which they do it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from judgments.models import Campaign, Entry

THE_PLATFORM = "the platform"
LONGEST = 500

_actor: ContextVar[Callable[[], str]] = ContextVar("actor", default=lambda: THE_PLATFORM)


@contextmanager
def acting(name: Callable[[], str]) -> Iterator[None]:
    """Whatever is done meanwhile is done by this one; asked for the name only if something is noted."""
    token = _actor.set(name)
    try:
        yield
    finally:
        _actor.reset(token)


def actor() -> str:
    """Who does what is done now."""
    return _actor.get()() or THE_PLATFORM


def note(campaign: Campaign, what: str) -> None:
    """Keep what was done, such as "opened the campaign"."""
    told = what if len(what) <= LONGEST else f"{what[: LONGEST - 1]}…"
    Entry.objects.create(campaign=campaign, slug=campaign.slug, actor=actor(), what=told)
