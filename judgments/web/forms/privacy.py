"""Being sure before a name is taken out for good."""

from django import forms
from django.utils.translation import gettext_lazy


class CertainForm(forms.Form):
    """A tick of whoever wants to be forgotten."""

    is_sure = forms.BooleanField(
        label=gettext_lazy("I want to be forgotten, and know that this cannot be undone."),
        error_messages={"required": gettext_lazy("Tick the box if you are sure; nothing was changed.")},
    )


class NameForm(forms.Form):
    """The name of the judge who is to be forgotten, typed out."""

    typed = forms.CharField(max_length=80, label="Name of the judge")
