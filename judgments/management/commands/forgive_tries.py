"""Let everybody who waits after too many wrong passwords try again at once.

A user who forgot the password needs a new one: python manage.py changepassword NAME. Example:

  python manage.py forgive_tries
"""

from judgments.judges import signing_in
from judgments.management.base import PlatformCommand


class Command(PlatformCommand):
    help = __doc__

    def run(self) -> str:
        count = signing_in.forgive_all()
        return f"Everybody can try again; wrong passwords were counted at {count:,} names and addresses."
