"""Create a token by which a program signs in as a user."""

from argparse import ArgumentParser
from typing import Any

from judgments.judges import programs
from judgments.management.base import PlatformCommand


class Command(PlatformCommand):
    """make_token USERNAME"""

    help = """Make a token by which a program signs in as a user, and print it.

The token is as good as the user's password: keep it to yourself. Asked again, the same token is printed; --renew makes
another one, and the old one stops working. docs/api.md describes its use. Example:

  python manage.py make_token olga
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", metavar="USERNAME", help="who the program will be")
        parser.add_argument("--renew", action="store_true", help="make another token; the old one loses its worth")

    def handle(self, **options: Any) -> str:
        return programs.token_of(options["username"], options["renew"])
