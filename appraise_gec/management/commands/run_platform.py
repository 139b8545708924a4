"""Run the web server and its background workers together."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from appraise_gec.management.processes import Platform, PlatformStopped
from judgments.judges.first_account import first_link
from judgments.management.demo import loading


class Command(BaseCommand):
    """run_platform"""

    help = """Run the web server and its background workers on this machine until Ctrl-C; no service is needed.

For a server of your own see docs/deployment.md.
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000)

    def handle(self, **options: Any) -> str:
        try:
            with Platform(options["port"], self.stderr.write) as platform:
                self.stdout.write(f"\nThe platform is at {platform.address}. Ctrl-C stops it; all work is kept.")
                if link := first_link():
                    self.stdout.write(f"There is no account yet. Make yours at {link}")
                elif password := loading.login():
                    self.stdout.write(f"Sign in as {loading.ORGANISER}, password {password}")
                self.stdout.flush()
                platform.wait()
        except KeyboardInterrupt:
            pass
        except PlatformStopped as reason:
            raise CommandError(str(reason)) from reason
        return "Stopped."
