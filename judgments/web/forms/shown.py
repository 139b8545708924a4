"""Forms that several organisers may have open: each stores what it changed, and replaces no change unseen."""

from typing import Any, cast

from django import forms
from django.http import QueryDict

from judgments.campaigns.settings import as_typed


class ShownForm(forms.Form):
    """The page sends along what it showed; of settings that others changed meanwhile, it shows both values."""

    def remember(self) -> None:
        """Let the page send along the values of all fields that can be changed."""
        for field in self.fields.values():
            field.show_hidden_initial = not field.disabled

    def clean(self) -> dict[str, Any] | None:
        """Refuse to replace a value that the page did not show."""
        given = super().clean()
        data = cast(QueryDict, self.data).copy()
        for name in self.changed_data:
            field, bound = self.fields[name], self[name]
            shown = field.hidden_widget().value_from_datadict(self.data, self.files, bound.html_initial_name)  # type: ignore[misc]
            now = self.get_initial_for_field(field, name)
            sent = (shown, bound.data)
            if name not in self.cleaned_data or None in sent:
                continue
            if not all(field.has_changed(as_typed(now), as_typed(one)) for one in sent):
                continue
            self.add_error(
                name,
                "Somebody else changed this while you had the page open. Yours is in the field: save again to keep it, "
                f"or reload the page to keep theirs, which is: {_said(field, now)}",
            )
            values = now if isinstance(now, list | tuple) else ["" if now is None else field.prepare_value(now)]
            data.setlist(bound.html_initial_name, values)
        self.data = data
        return given

    def changes(self) -> dict[str, Any]:
        """What differs from what the page showed, or everything if it did not send that."""
        sent = [name for name in self.cleaned_data if self[name].html_initial_name in self.data]
        changed = self.changed_data if sent else [name for name in self.fields if not self.fields[name].disabled]
        return {name: value for name, value in self.cleaned_data.items() if name in changed}


def _said(field: forms.Field, value: Any) -> str:
    labels = dict(getattr(field, "choices", ()))
    values = value if isinstance(value, list | tuple) else [value]
    return ", ".join(str(labels.get(one, one)) for one in values if one is not None) or "nothing"
