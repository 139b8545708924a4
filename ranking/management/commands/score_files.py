import sys
from typing import Any

from judgments.management.base import PlatformCommand
from ranking.management import from_files
from ranking.scores.texts import metric_errors_refused


class Command(PlatformCommand):
    help = from_files.__doc__
    on_problems = from_files.ON_PROBLEMS
    arguments = from_files.ARGUMENTS

    @metric_errors_refused()
    def run(self, options: dict[str, Any]) -> str:
        return from_files.run(options, self.stdout.write, sys.stderr)
