"""Import judgments collected elsewhere."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.db import transaction

from judgments.campaigns import settings
from judgments.exchange.importers.corrections import record_corrections
from judgments.exchange.importers.rankings import record_judgments
from judgments.exchange.importers.rules import CORRECTIONS, FORMATS
from judgments.exchange.importers.verdicts import record_verdicts
from judgments.management.base import PlatformCommand
from judgments.models import Campaign

VERDICTS = "verdicts-csv"
BY_SENTENCES = "its sentences (import_outputs with --protocol correction)"


class Command(PlatformCommand):
    """import_judgments CAMPAIGN FILE --format FORMAT"""

    help = """Bring rankings that were collected elsewhere into a campaign.

Where the campaign has outputs, every recorded group of systems must agree with them; a file that does not is refused
and the first ten places are named. Where it has none, the rankings are stored by the names of the systems alone.
A file brought in twice adds nothing. Formats:

  appraise-xml   Appraise's ranking results (<ranking-item>)
  pairs-csv      two systems and their ranks a row; rows with one rankingID are one ranking
  wmt-csv        WMT's tables with system1Id ... and system1rank ... columns

Into correction campaigns that have their sentences:

  corrections-m2      M2; each annotator becomes a judge, judge-0 and so on if --judges gives no names
  corrections-text    corrected sentences, one a line, by one judge; or a ZIP of such files, as corrections.zip
  corrections-jsonl   an object a judgment, as corrections.jsonl

Into verdict campaigns that have their usages:

  verdicts-csv        columns judge, instance, finding (error, ok, unknown; empty for a skip), as judgments.csv

Examples:

  python manage.py import_judgments mytask judgments.xml --format appraise-xml
  python manage.py import_judgments mycorrections gold.m2 --format corrections-m2 --judges ada ben
"""

    advice = {"numbered from 0 or from 1": "Say --numbered-from 0 or --numbered-from 1."}

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--organiser", metavar="USERNAME", help="who runs the campaign")
        parser.add_argument(
            "--numbered-from", type=int, choices=[0, 1], help="the first sentence's number, where both would fit"
        )
        parser.add_argument("--judges", nargs="+", default=[], metavar="NAME", help="who has only a number in the file")
        parser.add_argument("--format", required=True, choices=[*FORMATS, *CORRECTIONS, VERDICTS])

    def handle(self, **options: Any) -> str:
        file: Path = options["file"]
        if not file.is_file():
            raise CommandError(f"{file}: there is no such file.")
        with transaction.atomic():
            campaign = self._campaign(options["campaign"], options["format"])
            if options["organiser"]:
                settings.make_organiser(campaign, options["organiser"])
            if options["format"] in CORRECTIONS:
                return self._corrections(campaign, file, options)
            if options["format"] == VERDICTS:
                return self._verdicts(campaign, file)
            brought = record_judgments(
                campaign, file.name, file.read_bytes(), options["format"], options["numbered_from"], self.bar
            )
        for note in brought.notes:
            self.stderr.write(note)
        return (
            f"{campaign.slug}: {brought.added} rankings added, {brought.known} were there already. The file holds "
            f"{brought.added + brought.known} rankings of {brought.segments} sentences by {brought.judges} judges, "
            f"{brought.skipped} of them skipped, with {brought.groups} ranked outputs."
        )

    def _campaign(self, slug: str, file_format: str) -> Campaign:
        """An existing campaign; only rankings can create one, since they need no texts."""
        found = settings.find_or_prepare(slug)
        if file_format in FORMATS or found.pk:
            return settings.configure(found)
        first = "its usages (import_instances)" if file_format == VERDICTS else BY_SENTENCES
        raise CommandError(f"There is no campaign {slug!r}. Make it and bring in {first} first.")

    def _verdicts(self, campaign: Campaign, file: Path) -> str:
        brought = record_verdicts(campaign, file.name, file.read_bytes(), self.bar)
        return (
            f"{campaign.slug}: {brought.added} verdicts added, {brought.known} were there already. The file holds "
            f"{brought.added + brought.known} verdicts on {brought.usages} usages by {brought.judges} judges, "
            f"{brought.skipped} of them skipped; {brought.left_out} rows of excluded judges and programs were left out."
        )

    def _corrections(self, campaign: Campaign, file: Path, options: dict[str, Any]) -> str:
        brought = record_corrections(
            campaign, file.name, file.read_bytes(), options["format"], options["judges"], self.bar
        )
        return (
            f"{campaign.slug}: {brought.added} corrections added, {brought.known} were there already. The file holds "
            f"{brought.added + brought.known} corrections of {brought.sentences} sentences by {brought.judges} judges, "
            f"{brought.skipped} of them skipped, with {brought.edits} edits."
        )
