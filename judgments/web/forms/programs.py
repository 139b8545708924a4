"""Forms about programs that judge: their tokens, runs at endpoints, and their prompt."""

from typing import Any

from django import forms

from judgments.programs import runs
from judgments.programs.endpoints import EDIT_DISTANCE, MOST_AT_ONCE
from judgments.programs.running import MOST_SAMPLES, MOST_SEED, Choices
from judgments.web.forms.campaigns import Group

USUAL = Choices("")
SELDOM = ("probes", "samples", "temperature", "seed", "at_once")


class RunForm(forms.Form):
    """What to ask of which endpoint, as which program."""

    endpoint = forms.ChoiceField()
    model = forms.CharField(
        required=False, max_length=200, help_text="As the endpoint names it, such as llama3.1:8b; a rule has none."
    )
    program = forms.CharField(
        required=False,
        max_length=80,
        label="Name in reports",
        help_text="Leave blank for the model's. A program that has judged here goes on where it ended.",
    )
    texts_may_leave = forms.BooleanField(required=False, label="The texts may leave this network")
    most = forms.IntegerField(
        required=False, min_value=1, label="At most so many screens", help_text="Leave blank for all. Try 10 first."
    )
    most_cost = forms.FloatField(required=False, min_value=0, label="At most this cost", help_text="Needs the prices.")
    price_in = forms.FloatField(min_value=0, label="Price of a million tokens sent")
    price_out = forms.FloatField(min_value=0, label="Price of a million tokens written")
    probes = forms.FloatField(
        min_value=0,
        max_value=1,
        label="Share of screens that are probed",
        help_text="These are asked again in the opposite order, with one candidate twice, and in more samples. Such "
        "answers do not count; they show how far to trust the others.",
    )
    samples = forms.IntegerField(min_value=1, max_value=MOST_SAMPLES, label="Samples of a probed screen")
    temperature = forms.FloatField(
        required=False, min_value=0, max_value=2, help_text="Leave blank if the model takes none."
    )
    seed = forms.IntegerField(min_value=0, max_value=MOST_SEED)
    at_once = forms.IntegerField(min_value=1, max_value=MOST_AT_ONCE, label="Requests at the same time")

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        endpoints = runs.offered()
        choices = [(name, f"{name} ({url or 'a rule, no model'})") for name, url in endpoints.items()]
        self.fields["endpoint"] = forms.ChoiceField(choices=choices, help_text="The operator of the site offers these.")
        leaving = [leaves for name in endpoints if (leaves := runs.what_leaves(name))]
        if leaving:
            self.fields["texts_may_leave"].help_text = " ".join(leaving)
        else:
            del self.fields["texts_may_leave"]

    @property
    def group(self) -> Group:
        """The fields, with those folded that are rarely changed."""
        fields = list(self)
        return Group(
            "", [one for one in fields if one.name not in SELDOM], [], [one for one in fields if one.name in SELDOM]
        )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("endpoint") == EDIT_DISTANCE:
            given["model"] = EDIT_DISTANCE
        elif not given.get("model"):
            self.add_error("model", "Name the model.")
        if given.get("most_cost") is not None and not (given.get("price_in") or given.get("price_out")):
            self.add_error("most_cost", "Enter the prices too; without them nothing is known to cost anything.")
        return given

    def asked(self) -> dict[str, Any]:
        """The arguments of a request."""
        given = dict(self.cleaned_data)
        may_leave = given.pop("texts_may_leave", False)
        endpoint, program = given.pop("endpoint"), given.pop("program")
        return {"name": program, "endpoint": endpoint, "choices": Choices(**given), "may_leave": may_leave}
