"""Import judgments that were collected outside the platform.

Rankings and ratings are matched with the campaign's outputs, which also shows how sentences are numbered. Judgments
that group systems otherwise than their outputs are stored as they are and counted in a note; a file is refused if
nearly all disagree and --numbered-from is not given. With --without-texts, a campaign without outputs knows its systems
by their names alone. --skip-unmatched takes a part of a file that is about more systems or sentences than the campaign
has. Importing a file again adds nothing. Formats:

{formats}

Examples:

  python manage.py import_judgments mytask judgments.xml --format appraise-xml
  python manage.py import_judgments myratings scores.csv --format ratings-csv --lowest 1 --highest 5
  python manage.py import_judgments mycorrections gold.m2 --format corrections-m2 --judges ada ben
  python manage.py import_judgments mymarks annotators/ --format edits-text --skip-unmatched
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.db import transaction

from judgments.actions.importing import JudgmentsReader
from judgments.campaigns import settings
from judgments.exchange.importers.importing import BY_FORMAT, KINDS, import_judgments
from judgments.exchange.importers.rules.naming import CHOOSE_SEPARATOR
from judgments.exchange.importers.rules.recorded import KEEP_FIRST, SKIP_UNMATCHED
from judgments.management.base import ORGANISER, SLUG, PlatformCommand, argument, option, refuse_faulty
from judgments.management.files import pack_files
from judgments.models import Campaign

FORMATS = "\n".join(f"  {name:<19} {about}" for kind in KINDS for name, about in kind.formats.items())


class Command(PlatformCommand):
    help = __doc__.format(formats=FORMATS)
    advice = {
        "numbered from 0 or from 1": "Add --numbered-from 0 or --numbered-from 1.",
        CHOOSE_SEPARATOR: "Add --joined-by with nothing, space, comma or plus.",
        KEEP_FIRST: "Add --keep-first to keep the first verdicts of a judge on a version.",
        SKIP_UNMATCHED: "Add --skip-unmatched to take what fits.",
    }
    arguments = (
        SLUG,
        argument("file", type=Path, metavar="FILE_OR_FOLDER"),
        ORGANISER,
        *(option(name, field) for name, field in JudgmentsReader.base_fields.items()),
    )

    def run(self, slug: str, file: Path, organiser: str | None, options: dict[str, Any]) -> str:
        given = {name: options[name] for name in JudgmentsReader.base_fields if options[name] is not None}
        with transaction.atomic():
            campaign = _campaign(slug, given)
            if organiser:
                settings.make_organiser(campaign, organiser)
            reader = JudgmentsReader(campaign, data=given)
            refuse_faulty(reader)
            imported = import_judgments(campaign, pack_files(file), reader.options(), self.bar)
        for note in imported.notes:
            self.stderr.write(note)
        return f"{campaign.slug}: {imported}"


def _campaign(slug: str, given: Mapping[str, Any]) -> Campaign:
    """Return an existing campaign, or a new one for judgments that can do without texts."""
    found, kind = settings.find_or_prepare(slug), BY_FORMAT[given["format"]]
    if found.pk:
        return found
    if given.get("without_texts") and kind.can_lack_texts:
        return settings.configure(found, protocol=kind.protocols[0].name)
    advice = f"There is no campaign {slug!r}. Create it by importing {kind.needs} first"
    if kind.can_lack_texts:
        advice += ", or add --without-texts to know its systems by their names alone"
    raise CommandError(f"{advice}.")
