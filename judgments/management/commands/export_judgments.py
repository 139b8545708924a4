"""Export the judgments of a campaign in one of many formats."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import CommandError

from judgments.exchange.exporters import EXPORTS, Wishes
from judgments.management.base import PlatformCommand

# A campaign as a ZIP has a command of its own.
FORMATS = [name for name in EXPORTS if name != "campaign.zip"]
ABOUT = "\n".join(f"  {name:20} {EXPORTS[name].about}" for name in FORMATS)


class Command(PlatformCommand):
    """export_judgments CAMPAIGN [--format NAME]"""

    help = f"""Write the judgments of a campaign, by default as CSV, one row a candidate; skips are rows without one.

{ABOUT}

Judges appear under their pseudonyms. Those whose answers do not count are marked as excluded in judgments.csv and
everything.jsonl, and left out of the others without --with-excluded; so are programs that judge, unless you say
--with-programs. Examples:

  python manage.py export_judgments mytask --out judgments.csv
  python manage.py export_judgments mytask --format appraise.xml --out judgments.xml
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        self.add_out(parser)
        parser.add_argument("--format", choices=FORMATS, default=FORMATS[0], metavar="NAME", help="one of the above")
        parser.add_argument("--with-names", action="store_true", help="tell user names and names of workers as well")
        parser.add_argument("--with-excluded", action="store_true", help="leave nobody out")
        parser.add_argument("--with-programs", action="store_true", help="with what programs judged")

    def handle(self, **options: Any) -> str | None:
        export = EXPORTS[options["format"]]
        wishes = Wishes(options["with_names"], options["with_excluded"], options["with_programs"])
        campaign, out = self.campaign(options["campaign"]), options["out"]
        if out is not None and export.name.endswith(".csv"):
            return self.write_lines(map(str, export.parts(campaign, wishes)), out)
        if out is None and export.name.endswith(".zip"):
            raise CommandError(f"{export.name} is not a text format; write it to a file with --out FILE.")
        blocks = export.blocks(campaign, wishes)
        if out is not None:
            return self.write_blocks(blocks, out)
        for block in blocks:
            self.stdout.write(block.decode(), ending="")
        return None
