"""Import scores of automatic metrics for a campaign's systems."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.db import transaction

from judgments.management.base import PlatformCommand
from ranking.scores.stored import add_metrics


class Command(PlatformCommand):
    """add_metric_scores CAMPAIGN FILE..."""

    help = """Bring in scores of automatic metrics, so that reports say how well each agrees with people.

A file holds lines `SYSTEM score` or `SYSTEM score score ...`, or `metric language testset SYSTEM [segment] score` with
tabs, or a table with a column for each system and a row for each sentence. Every system that takes part needs a score.
A metric of the same name is replaced. Columns of a file without a header can be named; precision and recall, called P
and R, give the curve of F over many betas. Examples:

  python manage.py add_metric_scores mytask bleu.txt meteor.txt
  python manage.py add_metric_scores mytask m2.txt --columns F P R
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--columns", nargs="+", default=[], metavar="NAME", help="what the scores of a line are")

    def handle(self, **options: Any) -> str:
        campaign, columns = self.campaign(options["campaign"]), tuple(options["columns"])
        added = []
        with transaction.atomic():
            for file in options["files"]:
                added += add_metrics(campaign, file.name, file.read_bytes(), columns)
        names = ", ".join(metric.name for metric in added)
        return f"{campaign.slug}: scores by {names}. The next report counts them."
