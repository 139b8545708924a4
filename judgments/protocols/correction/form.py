"""The form of a correction: edits, a rewritten sentence, or "no error"."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy

from judgments.protocols.form import SKIP_REASONS, AnswerForm, FormSpecification, ListField
from judgments.rules.files.text_files import lines_of
from judgments.rules.texts.edits import (
    LONGEST_REPLACEMENT,
    MOST_ADDED,
    MOST_EDITS,
    Edit,
    Fault,
    apply_edits,
    derive_edits,
    faults_in,
    in_order,
    tidy,
    within_limits,
)

FAULTS = {
    Fault.OUTSIDE: gettext_lazy("Edit %(place)s lies outside the sentence; enter it again."),
    Fault.CUTTING: gettext_lazy("Edit %(place)s splits a character; mark the whole character."),
    Fault.IDLE: gettext_lazy("Edit %(place)s changes nothing; write something else, or remove it."),
    Fault.OVERLAPPING: gettext_lazy("Edit %(place)s overlaps another one; change or remove one of them."),
    Fault.DOUBLED: gettext_lazy("Edit %(place)s inserts at the same place as another one; combine them."),
    Fault.UNCATEGORISED: gettext_lazy("Edit %(place)s has no category yet; choose one."),
    Fault.UNKNOWN_CATEGORY: gettext_lazy("Edit %(place)s has a category that is not offered; choose another one."),
    Fault.TOO_LONG: gettext_lazy("Edit %(place)s is too long; write less."),
    Fault.NO_LINE: gettext_lazy("Edit %(place)s has a line break or an invisible character; remove it."),
    Fault.TOO_MANY: gettext_lazy("There are too many edits; combine some."),
}


class EditsField(ListField):
    sorts_keys = False

    def __init__(self, *, specification: FormSpecification, **kwargs: Any):
        super().__init__(required=False, **kwargs)
        self.specification = specification

    def read(self, rows: Any) -> list[Edit]:
        edits = [Edit(row["start"], row["end"], row["replacement"], row.get("category") or "") for row in rows]
        if any(tuple(map(type, edit)) != (int, int, str, str) for edit in edits):
            raise TypeError
        return in_order(edits)

    def can_begin(self, value: Any) -> bool:
        """Whether a draft can keep these edits; they may have faults, such as a category removed since."""
        try:
            return within_limits(self.specification.source, self.to_python(value) or [])
        except ValidationError:
            return False

    def validate(self, value: list[Edit] | None) -> None:
        check(self.specification, value or [], {category.name for category in self.specification.categories})


def check(specification: FormSpecification, edits: Sequence[Edit], categories: set[str]) -> None:
    """Raise all faults of the edits at once."""
    if found := faults_in(specification.source, edits, categories):
        raise ValidationError([ValidationError(FAULTS[fault], params={"place": place}) for place, fault in found])


class CorrectionForm(AnswerForm):
    """Edits (without scripts: the rewritten sentence), or the statement that there is no error."""

    most_edits: ClassVar = MOST_EDITS
    longest: ClassVar = LONGEST_REPLACEMENT
    skip_reasons: ClassVar = [
        *SKIP_REASONS,
        ("merge", gettext_lazy("It belongs to the sentence after or before it")),
        ("fragment", gettext_lazy("It is a fragment, not a sentence")),
        ("not annotatable", gettext_lazy("It cannot be corrected")),
    ]

    def add_fields(self, place: int) -> None:
        source = self.specification.source
        self.fields[f"edits_{place}"] = EditsField(specification=self.specification)
        self.fields[f"text_{place}"] = forms.CharField(
            label=gettext_lazy("The corrected sentence"),
            required=False,
            strip=False,
            max_length=len(source) + MOST_ADDED,
            error_messages={"max_length": gettext_lazy("The sentence has become too long; write less.")},
            initial=source,
            widget=forms.Textarea(
                attrs={
                    "rows": 4,
                    "dir": "auto",
                    "spellcheck": "false",
                    "autocapitalize": "off",
                    "autocorrect": "off",
                    "autocomplete": "off",
                    "translate": "no",
                }
            ),
        )
        self.fields[f"fine_{place}"] = forms.BooleanField(label=gettext_lazy("No error"), required=False)

    def clean(self) -> dict[str, Any]:
        """Require either edits or `no error`."""
        given = super().clean() or {}
        if given.get("skip") or "edits_1" not in given or "text_1" not in given:
            return given
        if given["edits_1"] is None:
            # From the rewritten sentence, joined into one line.
            source = self.specification.source
            rewritten = tidy(source, " ".join(lines_of(given["text_1"])))
            edits = given["edits_1"] = derive_edits(source, rewritten) if rewritten else []
            try:
                check(self.specification, edits, categories=set())
            except ValidationError as wrong:
                self.add_error("text_1", wrong)
        if given.get("fine_1") and given.get("edits_1"):
            message = gettext_lazy("There are edits, so there are errors; remove the edits or untick “No error”.")
            self.add_error("fine_1", message)
        elif not given.get("fine_1") and given.get("edits_1") == []:
            self.add_error("edits_1", gettext_lazy("Correct the sentence, or state that there is no error."))
        elif given.get("edits_1") and not apply_edits(self.specification.source, given["edits_1"]).strip():
            message = gettext_lazy("Nothing is left of the sentence. If it cannot be corrected, skip it.")
            self.add_error("edits_1", message)
        return given

    def can_keep(self, name: str, value: Any) -> bool:
        field = self.fields[name]
        return field.can_begin(value) if isinstance(field, EditsField) else super().can_keep(name, value)

    def answers(self) -> list[Edit]:
        return self.cleaned_data["edits_1"]

    def tutorial_answers(self) -> list[str]:
        return [apply_edits(self.specification.source, self.answers())]
