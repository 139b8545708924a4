"""Export all data about the person behind a judge, in all campaigns, as a ZIP of JSON.

Judges can download their own data from the page "Your data"; this file also shows which screens were controls.
Only the owner of the file can read it. Example:

  python manage.py export_person mytask ada --out ada.zip
"""

from pathlib import Path

from judgments.management.base import CAMPAIGN, JUDGE, OUT_FILE, PlatformCommand
from judgments.models import Membership
from judgments.privacy.person import Person
from judgments.privacy.takeout import personal_export
from judgments.rules.files.places import owner_only


class Command(PlatformCommand):
    arguments = (CAMPAIGN, JUDGE, OUT_FILE)

    def run(self, judge: Membership, out: Path) -> str:
        return self.write_blocks(personal_export(Person.behind(judge), is_own=False), out, owner_only)
