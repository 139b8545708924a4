"""Print the token with which a program signs in as a user.

Anybody who has the token can act as the user: keep it secret. The command prints the same token every time; --renew
replaces it, and the old one stops working. docs/api.md describes its use. Example:

  python manage.py make_token olga
"""

from judgments.judges import programs
from judgments.management.base import PlatformCommand, argument


class Command(PlatformCommand):
    arguments = (
        argument("username", metavar="USERNAME", help="the user as whom the program signs in"),
        argument("--renew", action="store_true", help="replace the token; the old one stops working"),
    )

    def run(self, username: str, renew: bool) -> str:
        return programs.token_of(username, renew)
