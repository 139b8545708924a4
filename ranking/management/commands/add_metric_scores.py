"""Import scores of automatic metrics, so that reports show how well each agrees with people.

A file holds lines `SYSTEM score` or `SYSTEM score score ...`, or `metric language testset SYSTEM [segment] score` with
tabs, or a table with a column for each system and a row for each sentence. Every system that takes part needs a score.
A metric of the same name is replaced. Name the columns of a file without a header; precision and recall, named P and R,
also give the curve of F over beta. Examples:

  python manage.py add_metric_scores mytask bleu.txt meteor.txt
  python manage.py add_metric_scores mytask m2.txt --columns F P R
"""

from pathlib import Path

from django.db import transaction

from judgments.management.base import CAMPAIGN, PlatformCommand, argument
from judgments.models import Campaign
from ranking.scores.stored import add_metrics


class Command(PlatformCommand):
    help = __doc__
    arguments = (
        CAMPAIGN,
        argument("files", nargs="+", type=Path, metavar="FILE"),
        argument("--columns", nargs="+", default=[], metavar="NAME", help="names of the score columns"),
    )

    @transaction.atomic
    def run(self, campaign: Campaign, files: list[Path], columns: list[str]) -> str:
        added = [
            metric.name
            for file in files
            for metric in add_metrics(campaign, file.name, file.read_bytes(), tuple(columns))
        ]
        return f"{campaign.slug}: scores by {', '.join(added)}. The next report will use them."
