"""Make a campaign from files, run the platform, and open the browser at the campaign's plan.

The files are those of import_outputs: a table with a column for each system, or a text file for each. With --judges,
screens are assigned with the recommended settings, and the links of so many judges are printed. A platform that runs
already is used. Examples:

  python manage.py open outputs.xlsx
  python manage.py open outputs.xlsx --judges 3
  python manage.py open outputs/ --references gold.m2 --protocol rating
"""

from pathlib import Path
from typing import Any

from django.urls import reverse
from django.utils.text import slugify

from appraise_gec.management.commands.run_platform import PORT, become_platform
from appraise_gec.management.processes import WARM_UP
from judgments.assignment import planning
from judgments.campaigns import settings
from judgments.judges import invitations
from judgments.judges.first_account import owner, owner_link
from judgments.management.base import ORGANISER, argument
from judgments.management.commands.import_outputs import Command as ImportOutputs
from judgments.models import Campaign
from judgments.protocols import PROTOCOLS


class Command(ImportOutputs):
    arguments = (
        *(one for one in ImportOutputs.arguments[1:] if one is not ORGANISER),
        argument("--judges", type=int, default=0, metavar="N", help="assign screens, and print links for N judges"),
        argument("--no-browser", action="store_true", help="print the address, and open no browser"),
        PORT,
        argument(WARM_UP, action="store_true", help="meanwhile compile what reports and metrics need, once"),
    )

    def handle(self, **options: Any) -> None:
        name = options["name"] or Path(options["paths"][0]).resolve().stem.replace("_", " ")
        slug = settings.slug_from(name)
        if slug != slugify(name):
            self.stdout.write(f"A campaign {slugify(name)} exists already, so this one is {slug}.")
        options |= {
            "slug": slug,
            "name": name,
            "protocol": options["protocol"] or next(iter(PROTOCOLS)),
            "preset": options["preset"] or "recommended",
            "organiser": owner().username,
        }
        self.stdout.write(str(super().handle(**options)))
        campaign = Campaign.objects.get(slug=slug)
        lines = []
        if options["judges"]:
            planning.launch(campaign, {})
            made = invitations.invite_new(campaign, options["judges"])
            lines += [f"Link of {one.pseudonym}: {one.url}" for one in made]
        page = reverse("organise" if options["judges"] else "screens", args=[slug])
        become_platform(options["port"], options["warm_up"], lines, owner_link(page), not options["no_browser"])
