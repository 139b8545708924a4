"""What an organiser wishes of an export."""

from django import forms

from judgments.exports import Wishes


class WishesForm(forms.Form):
    """What an export tells only if asked for."""

    with_names = forms.BooleanField(required=False)
    with_excluded = forms.BooleanField(required=False)
    with_programs = forms.BooleanField(required=False)

    def wishes(self) -> Wishes:
        """The boxes that are ticked."""
        self.full_clean()
        return Wishes(**self.cleaned_data)
