"""The form of a screen: the fields shared by all protocols; each protocol adds the fields of its answers."""

import json
import re
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy

from judgments.models import Judgment
from judgments.models.judgments import LONGEST_COMMENT
from judgments.rules.authored.categories import Category
from judgments.rules.authored.edit_verdicts import DEFAULT, EditVerdict
from judgments.rules.authored.rubrics import NO_RUBRIC, Rubric
from judgments.rules.texts.edits import Edit

CANNOT_TELL = "cannot tell"
SKIP_REASONS = [
    ("", gettext_lazy("Choose a reason")),
    (CANNOT_TELL, gettext_lazy("I cannot tell")),
    ("broken sentence", gettext_lazy("The sentence is broken")),
    ("not my language", gettext_lazy("I do not know this language variety")),
]


@dataclass(frozen=True)
class FormSpecification:
    """The number of answers, the sentence, the categories to choose from, and the rubric of texts.

    Where edits are judged one by one, also the versions, their edits as start, end and replacement, the verdicts to
    choose from, and whether versions are ranked; the source is then normalised, as the versions are.
    """

    places: int
    source: str = ""
    categories: tuple[Category, ...] = ()
    rubric: Rubric = NO_RUBRIC
    versions: tuple[str, ...] = ()
    proposed: tuple[tuple[Edit, ...], ...] = ()
    verdicts: tuple[EditVerdict, ...] = DEFAULT
    asks_for_ranks: bool = False


def letter(place: int) -> str:
    """The letter by which judges know a version: A is the first."""
    return ascii_uppercase[place - 1]


def rank_field(place: int, places: int) -> forms.Field:
    return forms.TypedChoiceField(
        label=gettext("Rank of version %(letter)s") % {"letter": letter(place)},
        choices=[(str(rank), str(rank)) for rank in range(1, places + 1)],
        coerce=int,
        widget=forms.RadioSelect,
        error_messages={"required": gettext("Give version %(letter)s a rank.") % {"letter": letter(place)}},
    )


class ListField(forms.Field):
    """A list as JSON from the page's script, or as it is from a program; None if not sent."""

    widget = forms.HiddenInput
    default_error_messages: ClassVar = {
        "invalid": gettext_lazy("These edits cannot be read. Reload this page and answer again.")
    }
    sorts_keys = True

    def prepare_value(self, value: Any) -> Any:
        return value if isinstance(value, str) or value is None else json.dumps(value, sort_keys=self.sorts_keys)

    def to_python(self, value: Any) -> Any:
        if value in self.empty_values and value != []:
            return None
        try:
            return self.read(json.loads(value) if isinstance(value, str) else value)
        except (ValueError, TypeError, KeyError, RecursionError):
            raise ValidationError(self.error_messages["invalid"], code="invalid") from None

    def read(self, rows: Any) -> Any:
        """What the rows stand for, or an error of Python if they are none."""
        raise NotImplementedError


class AnswerForm(forms.Form):
    """A judge's answers by place (from 1); candidates are in the order shown."""

    skip_reasons: ClassVar = SKIP_REASONS

    key = forms.UUIDField(
        widget=forms.HiddenInput,
        error_messages=dict.fromkeys(("required", "invalid"), gettext_lazy("Reload this page and answer again.")),
    )
    skip = forms.BooleanField(required=False, widget=forms.HiddenInput)
    active = forms.FloatField(required=False, min_value=0, widget=forms.HiddenInput)
    view = forms.ChoiceField(required=False, choices=Judgment.View.choices)
    comment = forms.CharField(
        label=gettext_lazy("A remark for the organiser"),
        required=False,
        max_length=LONGEST_COMMENT,
        widget=forms.Textarea(attrs={"rows": 3, "placeholder": " ", "autofocus": True}),
    )
    flagged = forms.BooleanField(label=gettext_lazy("The sentence itself is broken"), required=False)
    # Shown only by the form for skipping, which requires it.
    skip_reason = forms.ChoiceField(
        widget=forms.Select(attrs={"required": True, "autofocus": True}),
        label=gettext_lazy("Skip because"),
        required=False,
    )

    def __init__(self, *args: Any, specification: FormSpecification, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self.specification = specification
        self.fields["skip_reason"].choices = self.skip_reasons  # type: ignore[attr-defined]
        for place in range(1, specification.places + 1):
            self.add_fields(place)
        if self.is_bound and self["skip"].data:
            for name in self.fields.keys() - {"key"}:
                self.fields[name].required = name == "skip_reason"

    def add_fields(self, place: int) -> None:
        """Add the protocol's fields for the answer at a place."""

    def answers(self) -> list[Any]:
        """The answers to store, one per place; by default the value of the place's only field."""
        return [self.cleaned_data[field.name] for (field,) in self.rows()]

    def tutorial_answers(self) -> list[Any]:
        """The answers that a tutorial compares with the expected ones, one per version."""
        return self.answers()

    def submission(self) -> dict[str, Any]:
        """The arguments of `submission.submit`."""
        if self.cleaned_data["skip"]:
            given: dict[str, Any] = {"skip_reason": self.cleaned_data["skip_reason"]}
        else:
            given = {"answers": self.answers()}
        extras = {name: self.cleaned_data[name] for name in ("key", "comment", "flagged", "view")}
        return given | extras | {"active_seconds": self.cleaned_data["active"]}

    def draft(self) -> dict[str, Any]:
        """The filled-in fields that are valid by themselves."""
        return {name: value for name, value in self._filled_in().items() if self.can_keep(name, value)}

    def invalid_fields(self) -> set[str]:
        """The filled-in fields that a draft cannot keep."""
        return self._filled_in().keys() - self.draft().keys()

    def _filled_in(self) -> dict[str, Any]:
        kept = [name for name in self.fields if name[-1].isdigit() or name in ("comment", "flagged")]
        return {name: self[name].data for name in kept if self[name].data}

    def can_keep(self, name: str, value: Any) -> bool:
        try:
            self.fields[name].clean(value)
        except ValidationError:
            return False
        return True

    def active_seconds(self) -> float | None:
        given = self["active"].data
        return self.fields["active"].clean(given) if self.can_keep("active", given) else None

    def rows(self) -> list[list[forms.BoundField]]:
        """The fields of each place."""
        return [
            [self[name] for name in self.fields if name.endswith(f"_{place}")]
            for place in range(1, self.specification.places + 1)
        ]


RANGE = re.compile(r"(?P<least>[0-9]{1,4})(?: ?- ?(?P<most>[0-9]{1,4}))?")


def read_range(text: str) -> range | None:
    """The numbers that a tutorial expects, such as 80, or any from 60 to 100; None if it is no number and no range."""
    found = RANGE.fullmatch(text.strip())
    return (range(int(found["least"]), int(found["most"] or found["least"]) + 1) or None) if found else None


def differences_from(expected: str, what: str, number: int | None) -> list[str]:
    """A sentence if a number is not among the expected ones; None is "I cannot say"."""
    wanted = read_range(expected)
    if wanted is None or number in wanted:
        return []
    words = gettext("%(least)s to %(most)s") % {"least": wanted[0], "most": wanted[-1]} if wanted[1:] else wanted[0]
    said = {"what": what, "given": "?" if number is None else number, "expected": words}
    return [gettext("%(what)s: you gave %(given)s; we expect %(expected)s.") % said]
