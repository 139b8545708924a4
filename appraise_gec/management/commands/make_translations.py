"""Collect the texts of the interface and compile their translations."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

NOT_OURS = ["var", "tests", "benchmarks"]


class Command(BaseCommand):
    """make_translations"""

    help = "Bring locale/*/LC_MESSAGES/django.po up to date with templates and code, and compile them; needs gettext."

    def handle(self, *args: Any, **options: Any) -> str:
        # Without locations and wrapping, a diff shows only the messages that changed.
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
        return "Translate the empty and fuzzy messages in locale/, then run make_translations again."
