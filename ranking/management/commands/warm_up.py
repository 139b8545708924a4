import sys

from judgments.management.base import PlatformCommand
from ranking.management import warming


class Command(PlatformCommand):
    help = warming.__doc__

    def run(self) -> None:
        warming.run(self.stdout.write, sys.stderr)
