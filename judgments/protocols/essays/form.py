"""The form of whole texts: for each version a number on every scale, and the errors marked in it."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, NamedTuple

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy

from judgments.protocols.form import CANNOT_TELL, AnswerForm, ListField, letter
from judgments.rules.authored.rubrics import Rubric
from judgments.rules.texts.marking import MOST_SPANS, Span, fault_of_spans

# What a page sends for a scale on which the judge cannot say.
CANNOT_SAY = "-"


class RatedVersion(NamedTuple):
    """What a judge says of one version: its scales, their mean from 0 to 100, and the marked errors."""

    scores: Mapping[str, int | None]
    score: float
    spans: tuple[Span, ...] = ()


class ScalesWidget(forms.Widget):
    """A group of buttons or a field for each scale; programs send all scales as one object."""

    def __init__(self, rubric: Rubric):
        super().__init__()
        self.rubric = rubric

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        if name in data:
            return data[name]
        given = {scale.name: data.get(f"{name}-{number}") for number, scale in enumerate(self.rubric.scales, 1)}
        return {scale: value for scale, value in given.items() if value not in (None, "")}

    def subwidgets(self, name: str, value: Any, attrs: Any = None) -> Iterator[dict[str, Any]]:
        given = value if isinstance(value, dict) else {}
        for number, scale in enumerate(self.rubric.scales, 1):
            chosen = given.get(scale.name, "")
            chosen = CANNOT_SAY if chosen is None else str(chosen)
            options = [(str(point), words) for point, words in scale.buttons]
            yield {
                "name": f"{name}-{number}",
                "attrs": {"id": f"{(attrs or {}).get('id', name)}-{number}"},
                "scale": scale,
                "value": chosen,
                "options": [*options, (CANNOT_SAY, scale.other)] if options and scale.other else options,
                "ends": (scale.words[0], scale.words[-1]),
            }


class ScalesField(forms.Field):
    def __init__(self, rubric: Rubric, place: int):
        super().__init__(required=False, widget=ScalesWidget(rubric))
        self.rubric, self.place = rubric, place

    def clean(self, value: Any) -> dict[str, int | None]:
        """A number or None for each scale; all problems at once. A skip needs none."""
        if not self.required:
            return {}
        given = value if isinstance(value, dict) else {}
        faults = [
            gettext("There is no scale %(scale)s.") % {"scale": str(name)[:80]}
            for name in given
            if not self.rubric.scale(str(name))
        ]
        said: dict[str, int | None] = {}
        for scale in self.rubric.scales:
            if scale.name not in given:
                words = gettext("Rate version %(letter)s: %(scale)s.")
                faults.append(words % {"letter": letter(self.place), "scale": scale.name})
                continue
            said[scale.name] = number = _number(given[scale.name])
            if scale.fault(number):
                words = gettext("%(scale)s of version %(letter)s is a whole number from %(least)s to %(most)s.")
                about = {"scale": scale.name, "least": scale.lowest, "most": scale.highest}
                faults.append(words % (about | {"letter": letter(self.place)}))
        if not faults and self.rubric.score(said) is None:
            words = gettext("Rate version %(letter)s on one scale at least, or skip the screen.")
            faults.append(words % {"letter": letter(self.place)})
        if faults:
            raise ValidationError(faults)
        return said

    def can_begin(self, value: Any) -> bool:
        """Whether a draft can keep these answers, of which some may be missing."""
        return isinstance(value, dict) and all(
            (scale := self.rubric.scale(str(name))) and not scale.fault(_number(one)) for name, one in value.items()
        )


def _number(value: Any) -> Any:
    if value is None or value == CANNOT_SAY:
        return None
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 5 else value


class SpansField(ListField):
    """Marked errors; none if they were not sent."""

    def __init__(self, rubric: Rubric):
        super().__init__(required=False)
        self.severities = {severity.name for severity in rubric.severities}

    def clean(self, value: Any) -> tuple[Span, ...]:
        try:
            stored = json.loads(value) if isinstance(value, str) and value else value or []
            given = [dict(one) for one in stored]
        except (ValueError, TypeError, RecursionError):
            stored = given = None
        fault = fault_of_spans(given)
        if given is None or fault or any(one["severity"] not in self.severities for one in given):
            message = gettext("These marks cannot be read; at most %(most)s are allowed. Reload this page.")
            raise ValidationError(message % {"most": MOST_SPANS})
        return tuple(sorted(Span(**one) for one in given))


class EssayForm(AnswerForm):
    skip_reasons: ClassVar = [
        ("", gettext_lazy("Choose a reason")),
        (CANNOT_TELL, gettext_lazy("I cannot tell")),
        ("broken sentence", gettext_lazy("The text is broken")),
        ("not my language", gettext_lazy("I do not know this language variety")),
    ]
    flagged = forms.BooleanField(label=gettext_lazy("The text itself is broken"), required=False)

    def add_fields(self, place: int) -> None:
        rubric = self.specification.rubric
        self.fields[f"scores_{place}"] = ScalesField(rubric, place)
        self.fields[f"scores_{place}"].required = True
        if rubric.severities:
            self.fields[f"spans_{place}"] = SpansField(rubric)

    def can_keep(self, name: str, value: Any) -> bool:
        field = self.fields[name]
        return field.can_begin(value) if isinstance(field, ScalesField) else super().can_keep(name, value)

    def answers(self) -> list[RatedVersion]:
        rubric, versions = self.specification.rubric, []
        for scores, *spans in self.rows():
            given = self.cleaned_data[scores.name]
            marked = self.cleaned_data[spans[0].name] if spans else ()
            versions.append(RatedVersion(given, rubric.score(given) or 0.0, marked))
        return versions
