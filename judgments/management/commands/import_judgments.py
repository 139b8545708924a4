"""Import judgments that were collected elsewhere into a campaign.

If the campaign has outputs, every recorded group of systems must agree with them; otherwise the file is refused, with
its first ten disagreements. If it has none, the rankings are stored by the names of the systems alone.
A file imported twice adds nothing. Formats:

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
BY_SENTENCES = "its sentences (import_outputs with --protocol correction)"


class Command(PlatformCommand):
    help = __doc__
    advice = {"numbered from 0 or from 1": "Say --numbered-from 0 or --numbered-from 1."}
    arguments = (
        SLUG,
        argument("file", type=Path, metavar="FILE"),
        ORGANISER,
        argument("--numbered-from", type=int, choices=[0, 1], help="the first sentence's number, where both would fit"),
        argument("--judges", nargs="+", default=[], metavar="NAME", help="names for judges whom the file only numbers"),
        argument("--format", required=True, choices=[*FORMATS, *CORRECTIONS, VERDICTS]),
    )

    def run(
        self, slug: str, file: Path, organiser: str | None, numbered_from: int | None, judges: list[str], format: str
    ) -> str:
        content = checked_file(file).read_bytes()
        with transaction.atomic():
            campaign = _campaign(slug, format)
            if organiser:
                settings.make_organiser(campaign, organiser)
            if format in CORRECTIONS:
                done = record_corrections(campaign, file.name, content, format, judges, self.bar)
            elif format == VERDICTS:
                done = record_verdicts(campaign, file.name, content, self.bar)
            else:
                done = record_judgments(campaign, file.name, content, format, numbered_from, self.bar)
        for note in done.notes:
            self.stderr.write(note)
        return f"{campaign.slug}: {done}"


def _campaign(slug: str, file_format: str) -> Campaign:
    """The existing campaign; only rankings can create one, because they need no texts."""
    found = settings.find_or_prepare(slug)
    if file_format in FORMATS or found.pk:
        return settings.configure(found)
    first = "its usages (import_instances)" if file_format == VERDICTS else BY_SENTENCES
    raise CommandError(f"There is no campaign {slug!r}. Create it and import {first} first.")
