"""Export the judgments of a campaign in one of these formats (default: {default}).

{formats}

Judges appear under their pseudonyms. Excluded judges are marked in judgments.csv and everything.jsonl, and are left out
of the other formats unless you add --with-excluded; programs likewise, unless you add --with-programs. Examples:

  python manage.py export_judgments mytask --out judgments.csv
  python manage.py export_judgments mytask --format appraise.xml --out judgments.xml
"""

from pathlib import Path

from django.core.management import CommandError

from judgments.exchange.exporters import EXPORTS, ExportOptions
from judgments.management.base import CAMPAIGN, OUT, PlatformCommand, argument
from judgments.models import Campaign

# `export_campaign` writes the ZIP of a campaign.
FORMATS = [name for name in EXPORTS if name != "campaign.zip"]
ABOUT = "\n".join(f"  {name:20} {EXPORTS[name].about}" for name in FORMATS)


class Command(PlatformCommand):
    help = __doc__.format(default=FORMATS[0], formats=ABOUT)
    arguments = (
        CAMPAIGN,
        OUT,
        argument("--format", choices=FORMATS, default=FORMATS[0], metavar="NAME", help="one of the formats above"),
        argument("--with-names", action="store_true", help="include user names and worker identifiers"),
        argument("--with-excluded", action="store_true", help="include excluded judges"),
        argument("--with-programs", action="store_true", help="include programs that judge"),
    )

    def run(
        self, campaign: Campaign, out: Path | None, format: str,
        with_names: bool, with_excluded: bool, with_programs: bool,
    ) -> str | None:  # fmt: skip
        export, options = EXPORTS[format], ExportOptions(with_names, with_excluded, with_programs)
        if out is not None and export.name.endswith(".csv"):
            return self.write_lines(map(str, export.parts(campaign, options)), out)
        if out is None and export.name.endswith(".zip"):
            raise CommandError(f"{export.name} is not a text format; write it to a file with --out FILE.")
        blocks = export.blocks(campaign, options)
        if out is not None:
            return self.write_blocks(blocks, out)
        for block in blocks:
            self.stdout.write(block.decode(), ending="")
        return None
