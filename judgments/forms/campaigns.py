"""What an organiser says of a campaign as a whole."""

from django import forms

from judgments.models import Campaign


class StateForm(forms.Form):
    """What is to become of a campaign."""

    state = forms.ChoiceField(choices=[(Campaign.State.OPEN, "open"), (Campaign.State.CLOSED, "closed")])
