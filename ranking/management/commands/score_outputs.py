"""Score the outputs of a campaign with automatic metrics."""

from argparse import ArgumentParser
from functools import partial
from pathlib import Path
from typing import Any

from judgments.jobs.attempts import run_now
from judgments.management.base import PlatformCommand
from judgments.models import Job
from ranking.management.metrics import add_ensemble, add_metrics, chosen_metrics, given_references
from ranking.metrics.base import Metric
from ranking.metrics.material import Material
from ranking.models import ScoringJob
from ranking.scores import scoring_job
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
        jobs = scoring_job.create(campaign, list(metrics))
        told = [self.score(job, material, metrics[job.metric]) for job in jobs]
        if not jobs:
            told.append("These are being scored already.")
        if out := options["out"]:
            out.mkdir(parents=True, exist_ok=True)
            for name in names_of(tables_of(ScoringJob.objects.of(campaign))):
                blocks = blocks_of(campaign, name) or iter(())
                told.append(self.write_blocks((block.encode() for block in blocks), out / name))
        return "\n".join(told)

    def score(self, job: ScoringJob, material: Material | None, metric: Metric) -> str:
        """Run the job in this process; its signature, or why it failed."""
        run_now(job, partial(scoring_job.score_outputs, material=material, metric=metric))
        job.refresh_from_db()
        return job.signature if job.state == Job.State.DONE else f"{job.metric}: {job.error}"
