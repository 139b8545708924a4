"""Rename a system, change its kind, or leave it out of screens and rankings.

Once screens are assigned, only the name can change. Examples:

  python manage.py change_system mytask system-3 --name AMU
  python manage.py change_system mytask REF0 --kind reference
  python manage.py change_system mytask Wren --leave-out
"""

from argparse import ArgumentParser
from typing import Any

from judgments.management.base import CAMPAIGN, PlatformCommand, argument
from judgments.material import systems
from judgments.models import Campaign, System


class Command(PlatformCommand):
    arguments = (
        CAMPAIGN,
        argument("system", metavar="SYSTEM", help="its present name"),
        argument("--name", help="its new name"),
        argument("--kind", choices=System.Kind.values),
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        part = parser.add_mutually_exclusive_group()
        part.add_argument("--leave-out", action="store_false", dest="takes_part", default=None)
        part.add_argument("--take-in", action="store_true", dest="takes_part", default=None)

    def run(self, campaign: Campaign, system: str, options: dict[str, Any]) -> str:
        found = self.find(System.objects.filter(campaign=campaign), "system", "name", system)
        changed = systems.change(found, options["name"], options["kind"], options["takes_part"])
        part = "judges compare it" if changed.takes_part else "judges do not compare it"
        return f"{changed.name} is a {changed.kind}; {part}."
