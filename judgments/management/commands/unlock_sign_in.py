"""Unlock everybody whom the sign-in throttle keeps out after too many wrong passwords.

If users forget their passwords, set new ones: python manage.py changepassword NAME. Example:

  python manage.py unlock_sign_in
"""

from judgments.judges import signing_in
from judgments.management.base import PlatformCommand


class Command(PlatformCommand):
    def run(self) -> str:
        count = signing_in.unlock_sign_in()
        return f"Everybody can try again. Counters reset: {count:,}."
