"""What organisers do to systems."""

from typing import Any

from django import forms
from django.db.models import QuerySet

from judgments.actions.base import Action, Subject
from judgments.material import systems
from judgments.models import Campaign, System
from judgments.rules.files.names import LONGEST


def _systems(campaign: Campaign) -> QuerySet[System]:
    return System.objects.filter(campaign=campaign).select_related("campaign")


class ChangeSystem(Action):
    """Rename a system, change its kind, or leave it out of screens and rankings; what is not given stays as it is.

    Once screens are assigned, only the name can change.
    """

    about = Subject("system", _systems, "name")
    address = "systems/<int:pk>/change/"
    page = "material"
    subject: System
    name = forms.CharField(
        required=False,
        max_length=LONGEST,
        help_text="Files, tables and new reports use this name. Metric scores under the old name must be imported "
        "again.",
    )
    kind = forms.TypedChoiceField(
        required=False,
        empty_value=None,
        choices=[(kind.value, kind.label) for kind in System.Kind if kind != System.Kind.SOURCE],
        help_text="References are human corrections, which judges never see; controls are the source made worse on "
        "purpose. Judges compare systems.",
    )
    takes_part = forms.BooleanField(
        required=False, label="Judges compare it", help_text="A system that is left out is kept, but is not ranked."
    )

    def do(self, **values: Any) -> str:
        before = {name: getattr(self.subject, name) for name in self.given()}
        changed = systems.change(self.subject, **self.given())
        self.undone_by(ChangeSystem, self.subject, **before)
        self.outcome = {"name": changed.name, "kind": changed.kind, "takes_part": changed.takes_part}
        compared = "judges compare it" if changed.takes_part else "judges do not compare it"
        return f"{changed.name} is a {changed.kind}; {compared}."


ACTIONS = (ChangeSystem,)
