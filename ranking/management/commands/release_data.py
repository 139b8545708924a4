"""Write the data of a finished report as a ZIP to publish, without names of judges, or send them to a host of data.

Zenodo gets a draft and the Hugging Face Hub a private dataset, with a token from ZENODO_TOKEN or HF_TOKEN; nothing is
public before you press a button there.

Examples:

  python manage.py release_data 17 --licence cc-by-4.0 --out release.zip
  python manage.py release_data 17 --licence cc0-1.0 --texts --creator "Lovelace, Ada" "An Institute" --out release.zip
  python manage.py release_data 17 --licence cc-by-4.0 --to zenodo --dry-run
  python manage.py release_data 17 --licence cc-by-4.0 --to hub --repository my-institute/my-data
"""

from pathlib import Path
from typing import Any

from judgments.management.base import CommandError, PlatformCommand, argument
from judgments.models.journal import note
from ranking.management.reports import find_report
from ranking.publishing.deposits import HOSTS, HUB, Deposit, HubDeposit, ZenodoDeposit
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
        argument("--out", type=Path, metavar="FILE", help="the file to write"),
        argument("--to", choices=HOSTS, help="the host to send a draft to"),
        argument("--repository", default="", metavar="OWNER/NAME", help="the dataset on the Hub, new or private"),
        argument("--dry-run", action="store_true", help="say what would be sent where; send and write nothing"),
    )

    def run(self, report: int, out: Path | None, options: dict[str, Any]) -> str:
        host, repository, is_dry = options["to"], options["repository"], options["dry_run"]
        if not (out or host) or (is_dry and not host):
            raise CommandError("Say where to: --out FILE, --to zenodo or --to hub; --dry-run goes with --to.")
        if (host == HUB) != bool(repository):
            raise CommandError("--repository OWNER/NAME goes with --to hub, and --to hub needs it.")
        found = find_report(report)
        same = {name: options[name] for name in ("licence", "own_licence", "title", "description", "contact")}
        chosen = ReleaseChoices(with_texts=options["texts"], creators=tuple(options["creator"]), **same)
        content = release(found, chosen)
        said = [self.write_blocks([content], out)] if out and not is_dry else []
        if host:
            deposit: Deposit = HubDeposit(repository, content) if host == HUB else ZenodoDeposit(found, chosen, content)
            said.append(deposit.describe() if is_dry else deposit.send())
            if not is_dry:
                note(found.campaign, f"sent the data of report {report} to {host}, where only its owner sees them")
        return "\n".join(said)
