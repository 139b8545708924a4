"""What organisers do to programs that judge."""

from typing import Any

from django import forms

from judgments.actions.base import Action, Subject
from judgments.judges import people, programs
from judgments.models import Membership
from judgments.models.programs import LONGEST_PROMPT
from judgments.programs import runs
from judgments.programs.endpoints import EDIT_DISTANCE, MOST_AT_ONCE
from judgments.programs.running import MOST_SAMPLES, MOST_SEED, RunChoices
from judgments.programs.storing import change_prompt


class EnrolProgram(Action):
    """Give a program a token by which it judges in the API; a new one replaces an earlier one."""

    address = "programs/enrol/"
    page = "programs"
    name = forms.CharField(
        max_length=80, help_text="Used in reports and exports. A program that exists already gets a new token."
    )

    def do(self, name: str) -> str:
        had_one = people.programs(self.campaign).filter(pseudonym=name).exists()
        token = programs.enrol(self.campaign, name)
        self.outcome = {"token": token}
        before = f"The token that {name} had before has ended. " if had_one else ""
        return f"{before}The token of {name}, shown only now: {token}"


class DismissProgram(Action):
    """End a program's access; its judgments stay."""

    about = Subject("program", people.programs, "pseudonym")
    address = "programs/<int:pk>/dismiss/"
    page = "programs"
    subject: Membership

    def do(self) -> str:
        programs.dismiss(self.subject)
        return f"{self.subject.pseudonym} has no access any more. Its judgments stay stored."


class ChangePrompt(Action):
    """Write another version of the prompt of programs; what was asked before keeps its own."""

    address = "programs/prompt/"
    page = "programs"
    has_own_page = True
    text = forms.CharField(
        label="Prompt",
        max_length=LONGEST_PROMPT,
        widget=forms.Textarea(attrs={"rows": 14}),
        help_text="Write {instructions} where the campaign's instructions go. The question follows as JSON.",
    )

    def do(self, text: str) -> str:
        prompt = change_prompt(self.campaign, text)
        self.outcome = {"version": prompt.version, "digest": prompt.digest}
        return f"Programs are now asked with version {prompt.version} of the prompt."


class RunProgram(Action):
    """Let a worker ask an endpoint that the operator offers about all screens that the program has not judged."""

    address = "programs/run/"
    page = "programs"
    has_own_page = True
    may_take_long = True
    endpoint = forms.CharField(max_length=80, help_text="The operator of this site offers these.")
    model = forms.CharField(
        required=False, max_length=200, help_text="As the endpoint names it, such as llama3.1:8b; a rule has none."
    )
    program = forms.CharField(
        required=False,
        max_length=80,
        label="Name in reports",
        help_text="Leave blank for the name of the model. A program that has judged here goes on where it stopped.",
    )
    texts_may_leave = forms.BooleanField(required=False, label="The texts may leave this network")
    most = forms.IntegerField(
        required=False, min_value=1, label="Screens at most", help_text="Leave blank for all. Try 10 first."
    )
    most_cost = forms.FloatField(required=False, min_value=0, label="Cost at most", help_text="Enter the prices, too.")
    price_in = forms.FloatField(required=False, min_value=0, label="Price of a million tokens sent")
    price_out = forms.FloatField(required=False, min_value=0, label="Price of a million tokens written")
    probes = forms.FloatField(
        required=False,
        min_value=0,
        max_value=1,
        label="Share of screens to probe",
        help_text="The program is asked about these again: in the opposite order, with one version twice, and in more "
        "samples. These answers do not count; they show how far to trust the others.",
    )
    samples = forms.IntegerField(required=False, min_value=1, max_value=MOST_SAMPLES, label="Samples per probed screen")
    temperature = forms.FloatField(
        required=False, min_value=0, max_value=2, help_text="Leave blank if the model takes none."
    )
    seed = forms.IntegerField(required=False, min_value=0, max_value=MOST_SEED)
    at_once = forms.IntegerField(required=False, min_value=1, max_value=MOST_AT_ONCE, label="Simultaneous requests")

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        endpoints = runs.endpoints_offered()
        choices = [(name, f"{name} ({url or 'a rule, no model'})") for name, url in endpoints.items()]
        self.fields["endpoint"] = forms.ChoiceField(
            choices=choices,
            help_text=self.fields["endpoint"].help_text,
            error_messages={"invalid_choice": f"There is no endpoint %(value)s; choose from {', '.join(endpoints)}."},
        )
        leaving = [leaves for name in endpoints if (leaves := runs.what_leaves(name))]
        if leaving:
            self.fields["texts_may_leave"].help_text = " ".join(leaving)
        else:
            del self.fields["texts_may_leave"]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("endpoint") == EDIT_DISTANCE:
            given["model"] = EDIT_DISTANCE
        elif not given.get("model"):
            self.add_error("model", "Name the model.")
        if given.get("most_cost") is not None and not (given.get("price_in") or given.get("price_out")):
            self.add_error("most_cost", "Enter the prices too; without them the cost is unknown.")
        return given

    def do(self, endpoint: str, model: str, program: str, texts_may_leave: bool = False, **choices: Any) -> str:
        usual: dict[str, Any] = {"temperature": None} if "temperature" in self.data else {}
        chosen = RunChoices(model, **usual | {name: value for name, value in choices.items() if value is not None})
        run = runs.request(self.campaign, self.user, program, endpoint, chosen, texts_may_leave)
        self.job = run
        return f"{run.program.pseudonym} judges as soon as a worker is free."


ACTIONS = (EnrolProgram, DismissProgram, ChangePrompt, RunProgram)
