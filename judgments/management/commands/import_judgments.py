"""Import judgments that were collected outside the platform.

Rankings and ratings are matched with the campaign's outputs, which also shows how sentences are numbered. Judgments
that group systems otherwise than their outputs are stored as they are and counted in a note; a file is refused if
nearly all disagree and --numbered-from is not given. With --without-texts, a campaign without outputs knows its systems
by their names alone. --skip-unmatched takes a part of a file that is about more systems or sentences than the campaign
has. Importing a file again adds nothing. Formats:

{formats}

Examples:

  python manage.py import_judgments mytask judgments.xml --format appraise-xml
  python manage.py import_judgments myratings scores.csv --format ratings-csv --scale 1 5
  python manage.py import_judgments mycorrections gold.m2 --format corrections-m2 --judges ada ben
  python manage.py import_judgments mymarks annotators/ --format edits-text --skip-unmatched
"""

from collections.abc import Sequence
from pathlib import Path

from django.core.management.base import CommandError
from django.db import transaction

from judgments.campaigns import settings
from judgments.exchange.importers.importing import BY_FORMAT, KINDS, import_judgments
from judgments.exchange.importers.rules.naming import CHOOSE_SEPARATOR, SEPARATORS
from judgments.exchange.importers.rules.recorded import FULL_SCALE, KEEP_FIRST, SKIP_UNMATCHED, ImportOptions
from judgments.management.base import ORGANISER, SLUG, PlatformCommand, argument
from judgments.management.files import pack_files
from judgments.models import Campaign

FORMATS = "\n".join(f"  {name:<19} {about}" for kind in KINDS for name, about in kind.formats.items())


class Command(PlatformCommand):
    help = __doc__.format(formats=FORMATS)
    advice = {
        "numbered from 0 or from 1": "Add --numbered-from 0 or --numbered-from 1.",
        CHOOSE_SEPARATOR: "Add --joined-by with nothing, space, comma or plus.",
        KEEP_FIRST: "Add --duplicates first to keep the first verdicts of a judge on a version.",
        SKIP_UNMATCHED: "Add --skip-unmatched to take what fits.",
    }
    arguments = (
        SLUG,
        argument("file", type=Path, metavar="FILE_OR_FOLDER"),
        ORGANISER,
        argument("--numbered-from", type=int, choices=[0, 1], help="the first sentence's number, if both are possible"),
        argument("--joined-by", default="", choices=[*SEPARATORS],
                 help="what separates the names of systems with one output, if the file leaves it open"),
        argument("--judges", nargs="+", default=[], metavar="NAME", help="names for judges without one"),
        argument("--format", required=True, choices=[*BY_FORMAT]),
        argument("--scale", nargs=2, type=float, default=FULL_SCALE, metavar=("LOWEST", "HIGHEST"),
                 help="the ends of the scale of ratings (default: 0 100)"),
        argument("--duplicates", choices=["refuse", "first"], default="refuse",
                 help="what becomes of a judge's second verdicts on a version, if they differ (edits-text)"),
        argument("--without-texts", action="store_true", help="let a campaign know its systems by name only"),
        argument("--skip-unmatched", action="store_true",
                 help="leave out judgments of outputs that the campaign lacks, and unreadable files of a folder"),
    )  # fmt: skip

    def run(
        self, slug: str, file: Path, organiser: str | None, numbered_from: int | None, judges: list[str], format: str,
        scale: Sequence[float], without_texts: bool, skip_unmatched: bool, joined_by: str,
        duplicates: str,
    ) -> str:  # fmt: skip
        options = ImportOptions(
            format,
            numbered_from,
            tuple(judges),
            (scale[0], scale[1]),
            without_texts,
            skip_unmatched,
            joined_by,
            duplicates == "first",
        )
        with transaction.atomic():
            campaign = _campaign(slug, options)
            if organiser:
                settings.make_organiser(campaign, organiser)
            imported = import_judgments(campaign, pack_files(file), options, self.bar)
        for note in imported.notes:
            self.stderr.write(note)
        return f"{campaign.slug}: {imported}"


def _campaign(slug: str, options: ImportOptions) -> Campaign:
    """Return an existing campaign, or a new one for judgments that can do without texts."""
    found, kind = settings.find_or_prepare(slug), BY_FORMAT[options.file_format]
    if found.pk:
        return found
    if options.without_texts and kind.can_lack_texts:
        return settings.configure(found, protocol=kind.protocols[0].name)
    advice = f"There is no campaign {slug!r}. Create it by importing {kind.needs} first"
    if kind.can_lack_texts:
        advice += ", or add --without-texts to know its systems by their names alone"
    raise CommandError(f"{advice}.")
