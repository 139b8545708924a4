"""The form of runs of programs, as its page shows it."""

from judgments.actions.programs import RunProgram
from judgments.web.forms.campaigns import Group

SELDOM = ("probes", "samples", "temperature", "seed", "at_once")


class RunForm(RunProgram):
    @property
    def group(self) -> Group:
        """The fields, with those folded that are rarely changed."""
        fields = list(self)
        return Group(
            "", [one for one in fields if one.name not in SELDOM], [], [one for one in fields if one.name in SELDOM]
        )
