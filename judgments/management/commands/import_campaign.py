"""Import a campaign from a bundle that export wrote on any installation.

The whole bundle is checked before anything is stored, and existing campaigns never change. Judges keep their
pseudonyms and judgments, but have no accounts here. Example:

  python manage.py import_campaign mytask.zip --as mytask-copy --organiser olga
"""

from pathlib import Path

from judgments.archive.importing import import_campaign
from judgments.management.base import ORGANISER, PlatformCommand, argument
from judgments.management.files import checked_file
from judgments.management.naming import as_called


class Command(PlatformCommand):
    arguments = (
        argument("bundle", type=Path, metavar="BUNDLE", help="the ZIP"),
        argument("--as", dest="slug", metavar="SLUG", help="another short name for the campaign"),
        ORGANISER,
    )

    def run(self, bundle: Path, slug: str | None, organiser: str | None) -> str:
        with checked_file(bundle).open("rb") as file:
            made = import_campaign(bundle.name, file, slug, organiser, self.bar)
        new = " The judgments have new keys, because their keys exist here already." if made.has_new_keys else ""
        let_somebody = f"python manage.py act {made.campaign.slug} add-organiser --username USERNAME"
        nobody = "" if organiser else as_called(f" Nobody organises it here yet.\nNext: {let_somebody}")
        return (
            f"{made.campaign.slug}: {made.segments} sentences, {made.judges} judges, {made.judgments} judgments."
            f"{new}{nobody}"
        )
