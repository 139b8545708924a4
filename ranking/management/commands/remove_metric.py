"""Remove the scores of a metric; existing reports keep their numbers. Example:

python manage.py remove_metric mytask M2
"""

from judgments.management.base import CAMPAIGN, PlatformCommand, argument
from judgments.models import Campaign
from ranking.models import Metric
from ranking.scores.stored import remove_metric


class Command(PlatformCommand):
    help = __doc__
    arguments = (CAMPAIGN, argument("metric", metavar="METRIC", help="its name"))

    def run(self, campaign: Campaign, metric: str) -> str:
        name = self.find(Metric.objects.of(campaign), "metric", "name", metric).name
        for pk in Metric.objects.of(campaign).filter(name=name).values_list("pk", flat=True):
            remove_metric(campaign, pk)
        return f"Removed the scores by {name}."
