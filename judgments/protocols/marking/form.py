"""The form of marking: for each version its edits with their verdicts, and its rank."""

import bisect
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext

from judgments.protocols.form import AnswerForm, FormSpecification, ListField, letter, rank_field
from judgments.rules.texts.edits import (
    Edit,
    JudgedEdit,
    apply_edits,
    decisions,
    edits_made,
    fault_of_judged,
    faults_in,
    in_order,
    read_judged,
)

# In tutorials, instead of the verdicts on a version without edits.
NO_EDITS = "none"


class JudgedVersion(NamedTuple):
    """A version's edits with their verdicts, and its rank if judges rank."""

    edits: tuple[JudgedEdit, ...]
    rank: int | None = None


class VerdictsField(ListField):
    """Judged edits; a verdict that is still open is an empty string."""

    def read(self, rows: Any) -> tuple[JudgedEdit, ...]:
        if fault := fault_of_judged(rows, may_be_open=True):
            raise ValueError(fault)
        return read_judged(rows)


class MarkingForm(AnswerForm):
    """Without scripts, a judge chooses a verdict for each decision; with them, the page sends the edits as JSON."""

    def __init__(self, *args: Any, specification: FormSpecification, **kwargs: Any):
        # For each version, the edits that are decided there: those that no earlier version shares.
        self.decided_here: list[list[int]] = [[] for _ in specification.versions]
        for decision in decisions(specification.source, specification.proposed):
            version, number = decision.places[0]
            bisect.insort(self.decided_here[version], number)
        super().__init__(*args, specification=specification, **kwargs)

    def add_fields(self, place: int) -> None:
        wanted = self.specification
        self.fields[f"verdicts_{place}"] = VerdictsField(required=False)
        for number in self.decided_here[place - 1]:
            self.fields[_choice(number, place)] = forms.ChoiceField(
                label=edit_in_words(wanted.source, wanted.proposed[place - 1][number]),
                choices=[(verdict.name, gettext(verdict.name)) for verdict in wanted.verdicts],
                required=False,
                widget=forms.RadioSelect,
            )
        if wanted.asks_for_ranks:
            self.fields[f"rank_{place}"] = rank_field(place, wanted.places)

    def for_script(self) -> str:
        wanted = self.specification
        verdicts = [(verdict.name, gettext(verdict.name), verdict.accepts) for verdict in wanted.verdicts]
        proposed = [[edit[:3] for edit in edits] for edits in wanted.proposed]
        return json.dumps({"source": wanted.source, "proposed": proposed, "verdicts": verdicts})

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("skip"):
            return given
        places = range(1, self.specification.places + 1)
        if all(given.get(f"verdicts_{place}") is None for place in places) and not self.errors:
            # Without scripts, each verdict is chosen for all versions that share the edit.
            chosen: dict[tuple[int, int], str] = {}
            for decision in decisions(self.specification.source, self.specification.proposed):
                version, number = decision.places[0]
                chosen |= dict.fromkeys(decision.places, given.get(_choice(number, version + 1), ""))
            for version, edits in enumerate(self.specification.proposed):
                judged = (JudgedEdit(*edit[:3], chosen[version, number]) for number, edit in enumerate(edits))
                given[f"verdicts_{version + 1}"] = tuple(judged)
        for place in places:
            if fault := self._fault_of(place, given.get(f"verdicts_{place}")):
                self.add_error(f"verdicts_{place}", fault % {"letter": letter(place)})
        if self.errors:
            return given
        # An edit that versions share has one verdict.
        versions = [given[f"verdicts_{place}"] for place in places]
        verdicts = [[one.verdict for one in judged if not one.is_missed] for judged in versions]
        for decision in decisions(self.specification.source, [edits_made(judged) for judged in versions]):
            if len({verdicts[version][number] for version, number in decision.places}) > 1:
                last = decision.places[-1][0] + 1
                message = gettext("The same edit has another verdict in version %(letter)s.") % {"letter": letter(last)}
                self.add_error(f"verdicts_{last}", message)
        return given

    def _fault_of(self, place: int, judged: Sequence[JudgedEdit] | None) -> str:
        source, edits = self.specification.source, edits_made(judged or ())
        if judged is not None:
            if any(one.end > len(source) for one in judged) or faults_in(source, edits, None):
                return gettext("An edit of version %(letter)s does not fit the source.")
            if apply_edits(source, edits) != self.specification.versions[place - 1]:
                return gettext("The edits do not make version %(letter)s of the source.")
        known = {verdict.name for verdict in self.specification.verdicts}
        if judged is None or any(one.verdict not in known for one in judged if not one.is_missed):
            return gettext("Give every edit of version %(letter)s a verdict.")
        return ""

    def answers(self) -> list[JudgedVersion]:
        places = range(1, self.specification.places + 1)
        return [
            JudgedVersion(
                tuple(in_order(self.cleaned_data[f"verdicts_{place}"])), self.cleaned_data.get(f"rank_{place}")
            )
            for place in places
        ]


def _choice(number: int, place: int) -> str:
    return f"choice{number + 1}_{place}"


def edit_in_words(source: str, edit: Edit) -> str:
    old, new = source[edit.start : edit.end].strip(), edit.replacement.strip()
    if old and new:
        return gettext("“%(old)s” becomes “%(now)s”") % {"old": old, "now": new}
    return (gettext("“%(old)s” is deleted") if old else gettext("“%(now)s” is inserted")) % {"old": old, "now": new}
