"""Apply the exclusion rule."""

from argparse import ArgumentParser
from typing import Any

from judgments.judges import exclusion
from judgments.management.base import PlatformCommand


class Command(PlatformCommand):
    """apply_rule CAMPAIGN"""

    help = """Count anew how every judge has worked, and exclude by the rule that was fixed before opening.

The platform does so for a judge at the end of each batch. This is for judgments that came otherwise, and for answers
that were changed since. Whoever an organiser excluded or included by hand stays so. Example:

  python manage.py apply_rule mytask
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)

    def handle(self, **options: Any) -> str:
        campaign = self.campaign(options["campaign"])
        applied = exclusion.apply_rule(campaign)
        return f"{exclusion.rule_of(campaign)}\n{applied.excluded} excluded, {applied.included} included again."
