"""Export a campaign: its judgments in many formats, all of it, its judges, its journal, or one person's data.

{formats}

Judges appear under their pseudonyms. Excluded judges are marked in judgments.csv and everything.jsonl, and are left out
of the other formats unless you add --with-excluded; programs likewise, unless you add --with-programs. Accounts, links,
drafts and crowd platforms' data about workers are left out, but judges.csv has the worker's identifier, which you need
on the platform to pay or reject. person.zip is all data about the person behind a judge, in all campaigns; it shows
which screens were controls, and only the owner of the file can read it. Examples:

  python manage.py export mytask --out judgments.csv
  python manage.py export mytask appraise.xml --out judgments.xml
  python manage.py export mytask campaign.zip --out mytask.zip
  python manage.py export mytask person.zip --judge ada --out ada.zip
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management import CommandError

from judgments.exchange.exporters import EXPORTS, ExportOptions
from judgments.judges import people
from judgments.management.base import CAMPAIGN, OUT, PlatformCommand, argument
from judgments.models import Campaign, JournalEntry
from judgments.privacy.person import Person
from judgments.privacy.takeout import personal_export
from judgments.rules.files.csv_tables import csv_lines
from judgments.rules.files.places import owner_only

ABOUT = {name: export.about for name, export in EXPORTS.items()} | {
    "journal.csv": "who did what, newest first",
    "person.zip": "all data about a person, as JSON",
}


class Command(PlatformCommand):
    help = __doc__.format(formats="\n".join(f"  {name:20} {about}" for name, about in ABOUT.items()))
    arguments = (
        CAMPAIGN,
        argument("name", nargs="?", choices=[*ABOUT], default=next(iter(ABOUT)), metavar="NAME",
                 help="one of the above (default: %(default)s)"),
        OUT,
        argument("--judge", help="the pseudonym of the judge whose person.zip it is"),
        argument("--with-names", action="store_true", help="include user names and worker identifiers"),
        argument("--with-excluded", action="store_true", help="include excluded judges"),
        argument("--with-programs", action="store_true", help="include programs that judge"),
    )  # fmt: skip

    def run(self, campaign: Campaign, name: str, out: Path | None, options: dict[str, Any]) -> str | None:
        if out is None and name.endswith(".zip"):
            raise CommandError(f"{name} is not a text format; write it to a file with --out FILE.")
        if name == "person.zip" and out is not None:
            judge = self.find(people.judges(campaign), "judge", "pseudonym", options["judge"] or "")
            return self.write_blocks(personal_export(Person.of_judge(judge), is_own=False), out, owner_only)
        included = ExportOptions(options["with_names"], options["with_excluded"], options["with_programs"])
        if name.endswith(".csv"):
            return self.write_lines(_lines(campaign, name, included), out)
        blocks = EXPORTS[name].blocks(campaign, included)
        if out is not None:
            return self.write_blocks(blocks, out)
        for block in blocks:
            self.stdout.write(block.decode(), ending="")
        return None


def _lines(campaign: Campaign, name: str, included: ExportOptions) -> Iterable[str]:
    if name == "journal.csv":
        entries = JournalEntry.objects.filter(campaign=campaign).iterator()
        return csv_lines(["at", "actor", "what"], ((one.at.isoformat(), one.actor, one.what) for one in entries))
    return map(str, EXPORTS[name].parts(campaign, included))
