"""Remove the scores of a metric."""

from argparse import ArgumentParser
from typing import Any

from judgments.management.base import PlatformCommand
from ranking.models import Metric
from ranking.scores.stored import remove_metric


class Command(PlatformCommand):
    """remove_metric CAMPAIGN METRIC"""

    help = """Forget the scores of a metric; reports that were made keep their numbers. Example:

  python manage.py remove_metric mytask M2
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        parser.add_argument("metric", metavar="METRIC", help="its name")

    def handle(self, **options: Any) -> str:
        campaign = self.campaign(options["campaign"])
        name = self.named(Metric.objects.of(campaign), "metric", "name", options["metric"]).name
        for pk in Metric.objects.of(campaign).filter(name=name).values_list("pk", flat=True):
            remove_metric(campaign, pk)
        return f"The scores by {name} are gone."
