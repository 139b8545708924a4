"""Reset the counts of failed sign-ins."""

from typing import Any

from judgments.judges import signing_in
from judgments.management.base import PlatformCommand


class Command(PlatformCommand):
    """forgive_tries"""

    help = """Let everybody try again at once who has to wait after too many wrong passwords.

Whoever forgot the password needs a new one: python manage.py changepassword NAME. Example:

  python manage.py forgive_tries
"""

    def handle(self, **options: Any) -> str:
        count = signing_in.forgive_all()
        return f"Everybody can try again; wrong passwords were counted at {count:,} names and addresses."
