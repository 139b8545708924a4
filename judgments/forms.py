"""Forms of the organiser's pages."""

from django import forms

from judgments.models import Campaign
from judgments.rules.names import fault_of_pseudonym


class StateForm(forms.Form):
    """What is to become of a campaign."""

    state = forms.ChoiceField(choices=[(Campaign.State.OPEN, "open"), (Campaign.State.CLOSED, "closed")])


class InvitationForm(forms.Form):
    """Names of judges to invite, one a line."""

    pseudonyms = forms.CharField(
        label="Judges to invite",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="One name a line. Answers are exported under these names, so pseudonyms are best.",
    )

    def clean_pseudonyms(self) -> list[str]:
        """The names, each once."""
        names = list(dict.fromkeys(" ".join(line.split()) for line in self.cleaned_data["pseudonyms"].splitlines()))
        names = [name for name in names if name]
        if faults := [fault for name in names if (fault := fault_of_pseudonym(name))]:
            raise forms.ValidationError(faults)
        return names
