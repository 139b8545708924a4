"""Score the outputs of a campaign by automatic metrics."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from judgments.management.base import PlatformCommand
from judgments.models import Work
from ranking.management.metrics import add_ensemble, add_metrics, chosen_metrics, given_references
from ranking.metrics.base import Metric
from ranking.metrics.material import Material
from ranking.models import Scoring
from ranking.scores import jobs
from ranking.scores.board import blocks_of, names_of, tables_of
from ranking.scores.files import read_material
from ranking.scores.refusals import metric_errors_refused
from ranking.scores.texts import source_of


class Command(PlatformCommand):
    """score_outputs CAMPAIGN"""

    help = """Score the outputs of a campaign by automatic metrics, and keep the scores with it for the next report.

References are those of the campaign, or texts or an M2 file given here. Examples:

  python manage.py score_outputs mytask
  python manage.py score_outputs mytask --metrics m2,m2:beta=1,gleu --references gold.m2 --out scores/
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_campaign(parser)
        add_metrics(parser)
        add_ensemble(parser)
        parser.add_argument(
            "--references", type=Path, nargs="+", metavar="FILE", help="texts, an M2 file, or a folder of them"
        )
        parser.add_argument("--out", type=Path, metavar="DIR", help="where to write tables too")

    @metric_errors_refused()
    def handle(self, **options: Any) -> str:
        campaign = self.campaign(options["campaign"])
        material = None
        if options["references"]:
            material = read_material(source_of(campaign), *given_references(options["references"]))
        metrics = chosen_metrics(options["metrics"], options["ensemble"])
        asked = jobs.queue(campaign, list(metrics))
        told = [self.score(scoring, material, metrics[scoring.metric]) for scoring in asked]
        if not asked:
            told.append("These are being scored already.")
        if out := options["out"]:
            out.mkdir(parents=True, exist_ok=True)
            for name in names_of(tables_of(Scoring.objects.of(campaign))):
                blocks = blocks_of(campaign, name) or iter(())
                told.append(self.write_blocks((block.encode() for block in blocks), out / name))
        return "\n".join(told)

    def score(self, scoring: Scoring, material: Material | None, metric: Metric) -> str:
        """Carry it out here and now; what came of it."""
        jobs.run(scoring.pk, material, metric)
        done = Scoring.objects.get(pk=scoring.pk)
        return done.signature if done.state == Work.State.DONE else f"{done.metric}: {done.error}"
