"""What every protocol offers to scheduling, submission and pages."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy

from judgments.models import Judgment, Slot
from judgments.models.judging import LONGEST_COMMENT

SKIP_REASONS = [
    ("", gettext_lazy("Choose a reason")),
    ("cannot tell", gettext_lazy("I cannot tell")),
    ("broken sentence", gettext_lazy("The sentence is broken")),
    ("not my language", gettext_lazy("I do not know this kind of language")),
]


class AnswerForm(forms.Form):
    """A judge's answers about the candidates of a seat, by the place at which each was shown (from 1)."""

    key = forms.UUIDField(
        widget=forms.HiddenInput,
        error_messages=dict.fromkeys(("required", "invalid"), gettext_lazy("Reload this page and answer again.")),
    )
    skip = forms.BooleanField(required=False, widget=forms.HiddenInput)
    active = forms.FloatField(required=False, min_value=0, widget=forms.HiddenInput)
    comment = forms.CharField(
        label=gettext_lazy("A remark for the organiser"),
        required=False,
        max_length=LONGEST_COMMENT,
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    flagged = forms.BooleanField(label=gettext_lazy("The sentence itself is broken"), required=False)
    skip_reason = forms.ChoiceField(label=gettext_lazy("Skip because"), choices=SKIP_REASONS, required=False)

    def __init__(self, *args: Any, candidates: int, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.candidates = candidates
        for place in range(1, candidates + 1):
            self.add_fields(place)
        if self.is_bound and self["skip"].data:
            for name in self.fields.keys() - {"key"}:
                self.fields[name].required = name == "skip_reason"

    def add_fields(self, place: int) -> None:
        """Add the fields for the candidate shown at a place."""
        raise NotImplementedError

    def answers(self) -> list[Any]:
        """One answer a candidate, in the order shown."""
        raise NotImplementedError

    def submission(self) -> dict[str, Any]:
        """What `submission.submit` takes."""
        if self.cleaned_data["skip"]:
            given: dict[str, Any] = {"skip_reason": self.cleaned_data["skip_reason"]}
        else:
            given = {"answers": self.answers()}
        said = {name: self.cleaned_data[name] for name in ("key", "comment", "flagged")}
        return given | said | {"active_seconds": self.cleaned_data["active"]}

    def draft(self) -> dict[str, Any]:
        """What is filled in and possible, however incomplete."""
        self.full_clean()
        kept = [name for name in self.fields if name[-1].isdigit() or name in ("comment", "flagged")]
        given = {name: self[name].data for name in kept if self[name].data}
        return {name: value for name, value in given.items() if name in self.cleaned_data}

    def rows(self) -> list[list[forms.BoundField]]:
        """The fields of each candidate, in the order shown."""
        return [
            [self[name] for name in self.fields if name.endswith(f"_{place}")]
            for place in range(1, self.candidates + 1)
        ]


class Merit(NamedTuple):
    """What a judgment says about a candidate, as a number that is higher for a better one."""

    judgment: int
    candidate: int
    merit: float


@dataclass(frozen=True)
class Teaching:
    """How a tutorial states the answers it expects, compares those given with them, and tells both."""

    fault: Callable[[str], str | None]
    agree: Callable[[Sequence[str], Sequence[Any]], list[bool]]
    tell: Callable[[Any], str]
    tell_expected: Callable[[str], str]


@dataclass(frozen=True)
class JudgingProtocol:
    """A protocol's parts; `alone` says whether one candidate can be judged without another beside it."""

    form: type[AnswerForm]
    name: str
    store: Callable[[Judgment, Sequence[Slot], Sequence[Any]], None]
    load: Callable[[Judgment, Sequence[Slot]], dict[str, Any]]
    merits: Callable[[QuerySet[Judgment]], Iterable[Merit]]
    teaching: Teaching
    alone: bool

    @property
    def fragment(self) -> str:
        """The template of one candidate's answer."""
        return f"judgments/_{self.name}.html"

    @property
    def keys(self) -> str:
        """The template that explains the keys."""
        return f"judgments/_{self.name}_keys.html"
