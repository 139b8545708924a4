"""What organisers do to programs that judge."""

from django import forms

from judgments.actions.base import Action, Subject
from judgments.judges import people, programs
from judgments.models import Membership
from judgments.models.programs import LONGEST_PROMPT
from judgments.programs.storing import change_prompt


class EnrolProgram(Action):
    """Give a program a token by which it judges in the API; a new one replaces an earlier one."""

    address = "programs/enrol/"
    page = "programs"
    name = forms.CharField(
        max_length=80, help_text="Used in reports and exports. A program that exists already gets a new token."
    )

    def do(self, name: str) -> str:
        token = programs.enrol(self.campaign, name)
        self.outcome = {"token": token}
        return f"The token of {name}, shown only now: {token}"


class DismissProgram(Action):
    """End a program's access; its judgments stay."""

    about = Subject("program", people.programs, "pseudonym")
    address = "programs/<int:pk>/dismiss/"
    page = "programs"
    subject: Membership

    def do(self) -> str:
        programs.dismiss(self.subject)
        return f"{self.subject.pseudonym} was dismissed. Its judgments stay stored."


class ChangePrompt(Action):
    """Write another version of the prompt of programs; what was asked before keeps its own."""

    address = "programs/prompt/"
    page = "programs"
    has_own_page = True
    text = forms.CharField(
        label="Prompt",
        max_length=LONGEST_PROMPT,
        widget=forms.Textarea(attrs={"rows": 14}),
        help_text="{instructions} stands for the campaign's instructions. The question follows as JSON.",
    )

    def do(self, text: str) -> str:
        prompt = change_prompt(self.campaign, text)
        self.outcome = {"version": prompt.version, "digest": prompt.digest}
        return f"Programs are now asked with version {prompt.version} of the prompt."


ACTIONS = (EnrolProgram, DismissProgram, ChangePrompt)
