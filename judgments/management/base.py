"""The base class of all commands: declarative arguments, look-ups by name, readable errors, a progress bar."""

import os
import sys
from argparse import SUPPRESS, ArgumentParser, BooleanOptionalAction, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from pathlib import Path
from typing import Any

from django import forms
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.db.models import QuerySet
from django.http import Http404

from judgments.actions.fields import FilesField, RowsField, WordsField
from judgments.campaigns import settings as campaign_settings
from judgments.campaigns.presets import PRESETS
from judgments.management.naming import Argument, argument, as_called
from judgments.models import Campaign
from judgments.models.journal import acting
from judgments.protocols.guidance import LANGUAGES, NONE
from judgments.rules.errors import expected_of_database, message_of_expected
from judgments.rules.files.places import refuse_unwritable

# Options that every command of Django has and an organiser never needs; they work, and help does not list them.
OF_DJANGO = {"version", "verbosity", "settings", "pythonpath", "traceback", "no_color", "force_color", "skip_checks"}
BAR_WIDTH = 30
NAMES_SHOWN = 50
Opener = Callable[[str, int], int]
NUMBERS: dict[type, type] = {forms.IntegerField: int, forms.FloatField: float}


def options_of(field: Any) -> dict[str, Any]:
    """What `ArgumentParser.add_argument` is told about a field of a form, which checks the value."""
    help_text = str(field.help_text or field.label or "").replace("%", "%%")
    about: dict[str, Any] = {"required": field.required, "help": help_text}
    choices = [value for value, _ in getattr(field, "choices", ()) if value != ""]
    match field:
        case forms.BooleanField():
            return about | {"action": BooleanOptionalAction}
        case FilesField():
            return about | {"nargs": "+", "type": Path, "metavar": "FILE"}
        case WordsField() | RowsField():
            return about | {"nargs": "+", "metavar": "NAME" if isinstance(field, WordsField) else "ID"}
        case forms.MultipleChoiceField():
            return about | {"nargs": "+", "choices": choices}
        case forms.ChoiceField():
            return about | {"choices": choices}
        case forms.FileField():
            return about | {"type": Path, "metavar": "FILE"}
        case forms.IntegerField():  # and its subclass for other numbers
            return about | {"metavar": "N"}
    return about | {"metavar": "TEXT|@FILE" if isinstance(field.widget, forms.Textarea) else "TEXT"}


def option(name: str, field: Any) -> Argument:
    """The option of a command of its own for a field of an action."""
    number = {"type": NUMBERS[type(field)]} if type(field) in NUMBERS else {}
    return argument(f"--{name.replace('_', '-')}", **options_of(field), **number)


def refuse_faulty(form: forms.Form) -> None:
    """Refuse the options that a form was given, if they are not valid."""
    if not form.is_valid():
        faults = (f"--{name.replace('_', '-')}: {fault}" for name, some in form.errors.items() for fault in some)
        raise CommandError("\n".join(faults))


CAMPAIGN = argument("campaign", metavar="CAMPAIGN", help="the campaign's short name (slug)")
# For a campaign that may not exist yet.
SLUG = argument("slug", metavar="CAMPAIGN", help="the campaign's short name (slug)")
ORGANISER = argument("--organiser", metavar="USERNAME", help="the user who runs the campaign")
NEW_CAMPAIGN = (
    argument("--preset", choices=list(PRESETS), help="the settings of a new campaign (default: recommended)"),
    argument("--name", help="the title of a new campaign"),
    argument("--language", help="the language of the sentences, such as en or pl"),
    argument(
        "--guidance",
        choices=[*LANGUAGES, NONE],
        default="",
        help="the language of the ready-made texts for judges of a new campaign (default: that of the sentences)",
    ),
    ORGANISER,
)
OUT = argument("--out", type=Path, metavar="FILE", help="the file to write (default: standard output)")
OUT_FILE = argument("--out", type=Path, required=True, metavar="FILE", help="the file to write")


class PlatformCommand(BaseCommand):
    """A command that reports an expected error as a message, with exit status 1.

    Subclasses define `run`. It receives the arguments that its signature names: the campaign as an object, and all
    arguments together as `options`.
    """

    arguments: Iterable[Argument] = ()
    # They look for faults of the code, and import all pages.
    requires_system_checks = ()
    # Advice to print if a problem contains these words.
    advice: Mapping[str, str] = {}
    # Printed before the problems.
    on_problems = "Nothing was stored."
    run: Callable[..., str | None]

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> Any:
        """Describe the command by the docstring of its module, with its line breaks, because it includes examples."""
        self.help = as_called(self.help or sys.modules[type(self).__module__].__doc__ or "")
        parser = super().create_parser(prog_name, subcommand, formatter_class=RawDescriptionHelpFormatter, **kwargs)
        for action in parser._actions:
            if action.dest in OF_DJANGO:
                action.help = SUPPRESS
        return parser

    def add_arguments(self, parser: ArgumentParser) -> None:
        for add_to in self.arguments:
            add_to(parser)

    def handle(self, **options: Any) -> str | None:
        if "campaign" in options:
            options["campaign"] = self.find_campaign(options["campaign"])
        given = {**options, "options": options}
        return self.run(**{name: given[name] for name in signature(self.run).parameters})

    def write_lines(self, lines: Iterable[str], out: Path | None) -> str | None:
        """Write the lines of a table, header first; for a file, return the message to end with."""
        if out is None:
            for line in lines:
                self.stdout.write(line, ending="")
            return None
        refuse_unwritable(out)
        with out.open("w", encoding="utf-8", newline="") as file:
            count = sum(1 for line in lines if file.write(line))
        return f"{out}: {count - 1} rows."

    def write_blocks(self, blocks: Iterable[bytes], out: Path, opener: Opener | None = None) -> str:
        """Write blocks to a file; return the message to end with."""
        refuse_unwritable(out)
        with open(out, "wb", opener=opener) as file:
            size = sum(map(file.write, blocks))
        return f"{out}: {size:,} bytes."

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command; turn expected errors into a `CommandError`."""
        try:
            with acting(lambda: "the command line"):
                return super().execute(*args, **options)
        except BrokenPipeError:
            # The reader closed the pipe, as `head` does; discard the rest of the buffer.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return None
        except Http404 as reason:
            raise CommandError(str(reason)) from reason
        except Exception as error:
            is_of_database = isinstance(error, DatabaseError)
            message = expected_of_database(error) if is_of_database else message_of_expected(error, self.on_problems)
            if not message:
                raise
            advice = [advice for words, advice in self.advice.items() if words in message]
            raise CommandError("\n".join([message, *advice])) from error

    def find_campaign(self, slug: str) -> Campaign:
        return self.find(Campaign.objects.all(), "campaign", "slug", slug)

    def find(self, rows: QuerySet, kind: str, field: str, name: str | int) -> Any:
        row = rows.filter(**{field: name}).first()
        if row is None:
            known = ", ".join(map(str, rows.order_by(field).values_list(field, flat=True)[:NAMES_SHOWN])) or "none yet"
            raise CommandError(f"There is no {kind} {name!r}. {kind.capitalize()}s: {known}.")
        return row

    def bar(self, done: int, total: int) -> None:
        """Draw a progress bar if standard error is a terminal."""
        if not sys.stderr.isatty():
            return
        filled = BAR_WIDTH * done // max(total, 1)
        end = "\n" if done >= total else ""
        sys.stderr.write(f"\r[{'#' * filled}{' ' * (BAR_WIDTH - filled)}] {done} of {total}{end}")
        sys.stderr.flush()


def configure(campaign: Campaign, options: Mapping[str, Any], protocol: str | None) -> None:
    """Apply the options of `NEW_CAMPAIGN`; a new campaign without a preset gets the recommended one."""
    name = options["preset"] or ("" if campaign.pk else "recommended")
    given = (campaign_settings.preset(name, protocol) if name else {}) | ({"protocol": protocol} if protocol else {})
    given |= {name: options[name] for name in ("name", "language") if options[name]}
    if not campaign.pk:
        given = campaign_settings.with_guidance(given, options["guidance"])
    campaign_settings.configure(campaign, **given)
    if options["organiser"]:
        campaign_settings.make_organiser(campaign, options["organiser"])
