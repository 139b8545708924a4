"""Make a campaign from files, run the platform, and open the browser at the campaign's plan.

The files are those of import_outputs: a table with a column for each system, or a text file for each. With --judges,
screens are assigned with the recommended settings, and the links of so many judges are printed. A platform that runs
already is used.

The name of a published evaluation ({names}) opens that: its files are fetched from where its authors put them, and its
report is made and set beside the paper's. --from takes the files, or the archives, from a folder instead. Examples:

  python manage.py open outputs.xlsx
  python manage.py open outputs.xlsx --judges 3
  python manage.py open outputs/ --references gold.m2 --protocol rating
  python manage.py open gjg15
"""

import shlex
import sys
from contextlib import chdir
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings as site
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils.text import slugify

from appraise_gec.management.commands.run_platform import NO_BROWSER, PORT, become_platform
from appraise_gec.management.processes import WARM_UP
from appraise_gec.published import Evaluation, beside_paper, evaluations, fetch
from judgments.assignment import planning
from judgments.campaigns import settings
from judgments.judges import invitations
from judgments.judges.first_account import owner, owner_link
from judgments.management.base import ORGANISER, argument
from judgments.management.commands.import_outputs import Command as ImportOutputs
from judgments.models import Campaign
from ranking.models import Report
from ranking.numbers.tables import to_markdown
from ranking.reports import downloads


class Command(ImportOutputs):
    help = __doc__.format(names=", ".join(evaluations()))
    arguments = (
        *(one for one in ImportOutputs.arguments[1:] if one is not ORGANISER),
        argument("--judges", type=int, default=0, metavar="N", help="assign screens, and print links for N judges"),
        NO_BROWSER,
        argument(
            "--from", dest="given", type=Path, metavar="FOLDER", help="where the files of a published evaluation are"
        ),
        argument(
            "--agree", action="store_true", help="agree to the terms of a published evaluation, without being asked"
        ),
        PORT,
        argument(WARM_UP, action="store_true", help="meanwhile compile what reports and metrics need, once"),
    )

    def handle(self, **options: Any) -> None:
        (path, *others), known = options["paths"], evaluations()
        if path in known and not others and not Path(path).exists():
            self._open_published(path, known[path], options)
            return
        name = options["name"] or Path(options["paths"][0]).resolve().stem.replace("_", " ")
        slug = settings.slug_from(name)
        if slug != slugify(name):
            self.stdout.write(f"A campaign {slugify(name)} exists already, so this one is {slug}.")
        options |= {"slug": slug, "name": name, "organiser": owner().username}
        self.stdout.write(str(super().handle(**options)))
        campaign = Campaign.objects.get(slug=slug)
        lines = []
        if options["judges"]:
            planning.launch(campaign, {})
            made = invitations.invite_new(campaign, options["judges"])
            lines += [f"Link of {one.pseudonym}: {one.url}" for one in made]
        page = reverse("organise" if options["judges"] else "screens", args=[slug])
        become_platform(options["port"], options["warm_up"], lines, owner_link(page), not options["no_browser"])

    def _open_published(self, name: str, evaluation: Evaluation, options: dict[str, Any]) -> None:
        folder, given = site.DATA_DIR / "published" / name, options["given"]
        self.stdout.write(f"{evaluation.title}\n{evaluation.page}\nLicence: {evaluation.licence}.")
        if not (given or options["agree"] or all((folder / file).exists() for file in evaluation.files)):
            self._ask(evaluation)
        fetch(evaluation, folder, given and given.resolve(), self.stdout.write)
        slug = settings.slug_from(name)
        self.stdout.write(f"In {folder}, for up to two minutes:")
        with chdir(folder):
            for line in evaluation.commands:
                words = shlex.split(line.format(slug=slug))
                self.stdout.write(f"appraise-gec {' '.join(words)}")
                call_command(*words, stdout=self.stdout, stderr=self.stderr)
        settings.make_organiser(Campaign.objects.get(slug=slug), owner().username)
        report = Report.objects.filter(campaign__slug=slug).last()
        if report and (paper := evaluation.paper):
            self.stdout.write(f"{paper['title']}, and the same here:")
            self.stdout.write(to_markdown(beside_paper(paper, downloads.report_file(report, paper["table"])), 3))
        page = reverse("report", args=[report.pk]) if report else reverse("organise", args=[slug])
        become_platform(options["port"], options["warm_up"], [], owner_link(page), not options["no_browser"])

    def _ask(self, evaluation: Evaluation) -> None:
        hosts = sorted({urlsplit(source.url).hostname or "" for source in evaluation.files.values()})
        question = f"Fetch {len(evaluation.files)} files from {' and '.join(hosts)}, under these terms?"
        if not sys.stdin.isatty():
            raise CommandError(f"{question} Add --agree, or --from FOLDER if you have them.")
        if input(f"{question} [y/N] ").strip().lower() not in ("y", "yes"):
            raise CommandError("Nothing was fetched.")
