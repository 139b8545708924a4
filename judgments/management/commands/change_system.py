"""Change a system's name, kind or part in the ranking."""

from argparse import ArgumentParser
from typing import Any

from judgments.management.base import PlatformCommand
from judgments.material import systems
from judgments.models import System


class Command(PlatformCommand):
    """change_system CAMPAIGN SYSTEM"""

    help = """Rename a system, change its kind, or leave it out of screens and rankings.

Once screens are assigned only the name can change. Examples:

  python manage.py change_system mytask system-3 --name AMU
  python manage.py change_system mytask REF0 --kind reference
  python manage.py change_system mytask Wren --leave-out
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        parser.add_argument("system", metavar="SYSTEM", help="its name")
        parser.add_argument("--name", help="another name")
        parser.add_argument("--kind", choices=System.Kind.values)
        part = parser.add_mutually_exclusive_group()
        part.add_argument("--leave-out", action="store_false", dest="takes_part", default=None)
        part.add_argument("--take-in", action="store_true", dest="takes_part", default=None)

    def handle(self, **options: Any) -> str:
        campaign = self.campaign(options["campaign"])
        system = self.named(System.objects.filter(campaign=campaign), "system", "name", options["system"])
        names = ("name", "kind", "takes_part")
        wishes = {name: getattr(system, name) if options[name] is None else options[name] for name in names}
        changed = systems.change(system, **wishes)
        part = "judges compare it" if changed.takes_part else "judges do not compare it"
        return f"{changed.name} is a {changed.kind}; {part}."
