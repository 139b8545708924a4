"""Run the web server and its background workers together."""

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from appraise_gec.management.processes import GREETING, WARM_UP
from judgments.judges.first_account import first_link
from judgments.management.demo import loading


class Command(BaseCommand):
    """run_platform"""

    help = """Run the web server and its background workers on this machine until Ctrl-C; no service is needed.

For a server of your own see docs/deployment.md.
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument(WARM_UP, action="store_true", help="meanwhile compile what reports and metrics need, once")

    def handle(self, **options: Any) -> None:
        greeting = ""
        if link := first_link():
            greeting = f"There is no account yet. Make yours at {link}"
        elif password := loading.login():
            greeting = f"Sign in as {loading.ORGANISER}, password {password}"
        # A process of its own without Django, which would take 80 MB as long as the platform runs. Not as an argument,
        # because everybody on the machine can read those.
        os.environ[GREETING] = greeting
        sys.stdout.flush()
        words = [sys.executable, "-m", "appraise_gec.management.processes", str(options["port"])]
        words += [WARM_UP] if options["warm_up"] else []
        os.execv(sys.executable, words)  # noqa: S606 (no shell is wanted) # nosec B606
