"""Actions: what organisers can do, each as a form, what it does, and the sentence that says what happened.

The button of a page, the operation of the API and `appraise-gec act CAMPAIGN ACTION` are made from the same class.
"""

import re
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse

from judgments.models import Campaign, Job
from judgments.models.members import Visitor
from judgments.rules.progress import Progress, no_progress


class Subject(NamedTuple):
    """What an action is about within a campaign: the rows there are, and the field by which people name one."""

    word: str
    rows: Callable[[Campaign], QuerySet]
    named_by: str = "id"


class Undo(NamedTuple):
    """What would undo an action: the name of the one that does so, what stands in its address, and its fields."""

    action: str
    args: list[Any]
    fields: dict[str, Any]


class Action(forms.Form):
    """Subclasses declare fields, and define `do`; their docstring is the help of the API and of the command.

    `address` is the address below that of the campaign, and `page` the name of the page to which a browser returns.
    """

    about: ClassVar[Subject | None] = None
    address: ClassVar[str]
    page: str
    # Whether a page of its own has the form, which asks before it is done.
    has_own_page: ClassVar[bool] = False
    # Whether a job may go on with it.
    may_take_long: ClassVar[bool] = False
    # Whether all is undone if it is refused on the way.
    is_atomic: ClassVar[bool] = True
    # Does it with the values of the fields, or raises `Refused`; returns the sentence that says what happened.
    do: Callable[..., str]

    def __init__(self, campaign: Campaign, subject: Any = None, user: Visitor | None = None, **given: Any):
        """Without a user, the operator acts on the command line."""
        super().__init__(**given)
        self.campaign, self.subject, self.user = campaign, subject, user
        # What programs are told besides the sentence, or the job that goes on.
        self.outcome: dict[str, Any] = {}
        # The command line shows how far it is.
        self.progress: Progress = no_progress
        self.job: Job | None = None
        # Where another action leaves all as it was; the page then has a button for it.
        self.undo: Undo | None = None

    def undone_by(self, action: "type[Action]", subject: Any = None, **fields: Any) -> None:
        """Say in `do` that this action would undo it."""
        self.undo = Undo(name_of(action), [self.campaign.slug, *([subject.pk] if subject else [])], fields)

    @classmethod
    def subject_in(cls, campaign: Campaign, pk: int | None) -> Any:
        """The row with this key, if it is about one."""
        return get_object_or_404(cls.about.rows(campaign), id=pk) if cls.about else None

    def values_sent(self) -> dict[str, Any]:
        """The values that were sent, where those left out stay as they are."""
        return {name: value for name, value in self.cleaned_data.items() if name in self.data}

    def act(self) -> str:
        if not self.is_atomic:
            return self.do(**self.cleaned_data)
        with transaction.atomic():
            return self.do(**self.cleaned_data)

    @property
    def requester(self) -> Visitor:
        return self.user or AnonymousUser()

    def return_address(self) -> str:
        return reverse(self.page, args=[self.campaign.slug])


def name_of(action: type[Action]) -> str:
    """Its name among addresses: exclude_judge for ExcludeJudge."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", action.__name__).lower()
