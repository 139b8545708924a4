"""Write the data of a finished report as a ZIP to publish, without names of judges.

Examples:

  python manage.py release_data 17 --licence cc-by-4.0 --out release.zip
  python manage.py release_data 17 --licence cc0-1.0 --texts --creator "Lovelace, Ada" "An Institute" --out release.zip
"""

from pathlib import Path
from typing import Any

from judgments.management.base import OUT_FILE, PlatformCommand, argument
from ranking.models import Report
from ranking.publishing.facts import LICENCES, OTHER, ReleaseChoices
from ranking.publishing.release import release


class Command(PlatformCommand):
    help = __doc__
    arguments = (
        argument("report", metavar="REPORT", type=int, help="the number of the report, as in the address of its page"),
        argument("--licence", required=True, choices=[*LICENCES, OTHER], help="under which everybody may use the data"),
        argument("--own-licence", default="", metavar="TEXT", help=f"the text of the licence, for {OTHER}"),
        argument("--texts", action="store_true", help="give the texts of the source and of the systems away"),
        argument("--title", default="", help="default: that of the campaign"),
        argument("--description", default="", metavar="TEXT", help="what the data are"),
        argument("--creator", nargs="+", default=[], metavar="NAME", help="whom to cite: 'Lovelace, Ada' is a person"),
        argument("--contact", default="", help="the address of the paper or of a page, or an e-mail address"),
        OUT_FILE,
    )

    def run(self, report: int, out: Path, options: dict[str, Any]) -> str:
        found = self.find(Report.objects.select_related("campaign"), "report", "pk", report)
        same = {name: options[name] for name in ("licence", "own_licence", "title", "description", "contact")}
        chosen = ReleaseChoices(with_texts=options["texts"], creators=tuple(options["creator"]), **same)
        return self.write_blocks([release(found, chosen)], out)
