"""Collect the texts of the interface, and compile its translations."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

NOT_OURS = ["var", "tests", "benchmarks"]


class Command(BaseCommand):
    """make_translations"""

    help = "Bring locale/*/LC_MESSAGES/django.po up to date with templates and code, and compile them; needs gettext."

    def handle(self, *args: Any, **options: Any) -> str:
        # Without places and wrapping, only lines of messages that changed do change.
        call_command(
            "makemessages",
            all=True,
            extensions=["html", "py"],
            ignore_patterns=list(NOT_OURS),
            no_location=True,
            no_obsolete=True,
            no_wrap=True,
            verbosity=0,
        )
        call_command("compilemessages", ignore_patterns=[".*", *NOT_OURS], verbosity=0)
        return "Translate what is empty or fuzzy in locale/, then make translations again."
