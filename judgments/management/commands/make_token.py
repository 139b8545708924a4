"""Make a token by which a program signs in as a user, and print it.

The token is as good as the user's password: keep it to yourself. The command prints the same token again; --renew
makes another one, and the old one stops working. docs/api.md describes its use. Example:

  python manage.py make_token olga
"""

from judgments.judges import programs
from judgments.management.base import PlatformCommand, argument


class Command(PlatformCommand):
    help = __doc__
    arguments = (
        argument("username", metavar="USERNAME", help="the user as whom the program signs in"),
        argument("--renew", action="store_true", help="make another token; the old one stops working"),
    )

    def run(self, username: str, renew: bool) -> str:
        return programs.token_of(username, renew)
