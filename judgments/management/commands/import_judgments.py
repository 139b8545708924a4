"""Import judgments that were collected outside the platform.

If the campaign has outputs, systems that the file groups must have identical outputs there; otherwise the file is
refused and its first ten disagreements are listed. If the campaign has no outputs, or --without-texts makes a new one,
rankings are stored by the names of the systems alone. Importing a file again adds nothing. Formats:

  appraise-xml   Appraise's ranking results (<ranking-item>)
  pairs-csv      two systems and their ranks per row; rows with the same rankingID are one ranking
  wmt-csv        WMT's tables with system1Id ... and system1rank ... columns

For correction campaigns that have their sentences:

  corrections-m2      M2; each annotator becomes a judge, named judge-0 and so on unless --judges gives names
  corrections-text    corrected sentences, one per line, by one judge; or a ZIP of such files, like corrections.zip
  corrections-jsonl   one object per judgment, like corrections.jsonl

For verdict campaigns that have their usages:

  verdicts-csv        columns judge, instance, finding (error, ok, unknown; empty for a skip), like judgments.csv

Examples:

  python manage.py import_judgments mytask judgments.xml --format appraise-xml
  python manage.py import_judgments mycorrections gold.m2 --format corrections-m2 --judges ada ben
"""

from pathlib import Path

from django.core.management.base import CommandError
from django.db import transaction

from judgments.campaigns import settings
from judgments.exchange.importers.corrections import record_corrections
from judgments.exchange.importers.rankings import record_judgments
from judgments.exchange.importers.rules import CORRECTIONS, FORMATS
from judgments.exchange.importers.verdicts import record_verdicts
from judgments.management.base import ORGANISER, SLUG, PlatformCommand, argument
from judgments.management.files import checked_file
from judgments.models import Campaign

VERDICTS = "verdicts-csv"
# What a campaign needs before judgments of a format.
FIRST = {
    **dict.fromkeys(FORMATS, "its outputs (import_outputs)"),
    **dict.fromkeys(CORRECTIONS, "its sentences (import_outputs with --protocol correction)"),
    VERDICTS: "its usages (import_instances)",
}


class Command(PlatformCommand):
    help = __doc__
    advice = {"numbered from 0 or from 1": "Add --numbered-from 0 or --numbered-from 1."}
    arguments = (
        SLUG,
        argument("file", type=Path, metavar="FILE"),
        ORGANISER,
        argument("--numbered-from", type=int, choices=[0, 1], help="the first sentence's number, if both are possible"),
        argument("--judges", nargs="+", default=[], metavar="NAME", help="names for judges whom the file only numbers"),
        argument("--format", required=True, choices=[*FIRST]),
        argument("--without-texts", action="store_true", help="make a campaign that knows its systems by name only"),
    )

    def run(
        self, slug: str, file: Path, organiser: str | None, numbered_from: int | None, judges: list[str], format: str,
        without_texts: bool,
    ) -> str:  # fmt: skip
        content = checked_file(file).read_bytes()
        with transaction.atomic():
            campaign = _campaign(slug, format, without_texts)
            if organiser:
                settings.make_organiser(campaign, organiser)
            if format in CORRECTIONS:
                recorded = record_corrections(campaign, file.name, content, format, judges, self.bar)
            elif format == VERDICTS:
                recorded = record_verdicts(campaign, file.name, content, self.bar)
            else:
                recorded = record_judgments(campaign, file.name, content, format, numbered_from, self.bar)
        for note in recorded.notes:
            self.stderr.write(note)
        return f"{campaign.slug}: {recorded}"


def _campaign(slug: str, file_format: str, without_texts: bool) -> Campaign:
    """Return an existing campaign, or for rankings, which can do without texts, a new one."""
    found = settings.find_or_prepare(slug)
    if found.pk or (without_texts and file_format in FORMATS):
        return settings.configure(found)
    advice = f"There is no campaign {slug!r}. Create it by importing {FIRST[file_format]} first"
    if file_format in FORMATS:
        advice += ", or add --without-texts to rank its systems by their names alone"
    raise CommandError(f"{advice}.")
