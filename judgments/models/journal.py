"""The journal of a campaign: what was done, and by whom."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.db import models

from judgments.models.campaign import Campaign


class JournalEntry(models.Model):
    campaign = models.ForeignKey(Campaign, models.SET_NULL, null=True)
    slug = models.CharField(max_length=50)
    at = models.DateTimeField(auto_now_add=True)
    actor = models.CharField(max_length=150)
    what = models.CharField(max_length=500)

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name_plural = "entries"

    def __str__(self) -> str:
        return f"{self.actor}: {self.what}"


THE_PLATFORM = "the platform"
LONGEST = 500

_actor: ContextVar[Callable[[], str]] = ContextVar("actor", default=lambda: THE_PLATFORM)


@contextmanager
def acting(name: Callable[[], str]) -> Iterator[None]:
    """Attribute all actions in this context to `name()`, which is called only if an action is recorded."""
    token = _actor.set(name)
    try:
        yield
    finally:
        _actor.reset(token)


def actor() -> str:
    return _actor.get()() or THE_PLATFORM


def note(campaign: Campaign, what: str) -> None:
    """Record an action in the journal, for example "opened the campaign"."""
    text = what if len(what) <= LONGEST else f"{what[: LONGEST - 1]}…"
    JournalEntry.objects.create(campaign=campaign, slug=campaign.slug, actor=actor(), what=text)
