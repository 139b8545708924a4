"""Do what the buttons of organisers' pages do. Examples:

python manage.py act mytask change-state --state open
python manage.py act mytask exclude-judge ada --reason "asleep"
python manage.py act mytask exclude-judge --help
"""

from argparse import ArgumentParser, BooleanOptionalAction
from typing import Any

from django import forms
from django.core.management.base import CommandError

from judgments.actions import MODULES, actions_in
from judgments.actions.base import Action, name_of
from judgments.management.base import CAMPAIGN, PlatformCommand
from judgments.models import Campaign


class Command(PlatformCommand):
    arguments = (CAMPAIGN,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        named = parser.add_subparsers(dest="name", metavar="ACTION", required=True)
        for action in actions_in(*MODULES):
            about = " ".join((action.__doc__ or "").split())
            own = named.add_parser(name_of(action).replace("_", "-"), help=about, description=about)
            own.set_defaults(action=action)
            if action.about:
                own.add_argument("subject", metavar=action.about.word.upper())
            for name, field in action.base_fields.items():
                own.add_argument(f"--{name.replace('_', '-')}", dest=f"field_{name}", **_options(field))

    def run(self, campaign: Campaign, action: type[Action], options: dict[str, Any]) -> str:
        about = action.about
        row = self.find(about.rows(campaign), about.word, about.named_by, options["subject"]) if about else None
        form = action(campaign, row, data={name: options[f"field_{name}"] for name in action.base_fields})
        if not form.is_valid():
            faults = (f"--{name.replace('_', '-')}: {fault}" for name, some in form.errors.items() for fault in some)
            raise CommandError("\n".join(faults))
        return form.act()


def _options(field: Any) -> dict[str, Any]:
    """What `ArgumentParser.add_argument` is told about a field."""
    about: dict[str, Any] = {"required": field.required, "help": str(field.help_text or field.label or "")}
    choices: Any = getattr(field, "choices", ())
    match field:
        case forms.BooleanField():
            return about | {"action": BooleanOptionalAction}
        case forms.ChoiceField():
            many = {"nargs": "+"} if isinstance(field, forms.MultipleChoiceField) else {}
            return about | many | {"choices": [value for value, _ in choices]}
        case forms.IntegerField():
            return about | {"type": int, "metavar": "N"}
    return about | {"metavar": "TEXT"}
