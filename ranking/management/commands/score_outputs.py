"""Score the outputs of a campaign by automatic metrics, and store the scores with it for the next report.

References are those of the campaign, or texts or an M2 file given here. Examples:

  python manage.py score_outputs mytask
  python manage.py score_outputs mytask --metrics m2,m2:beta=1,gleu --references gold.m2 --out scores/
"""

import sys
from functools import partial
from pathlib import Path

from judgments.jobs.attempts import run_now
from judgments.management.base import CAMPAIGN, PlatformCommand, argument
from judgments.models import Campaign, Job
from ranking.management.metrics import ENSEMBLE, METRICS_ARGUMENT, chosen_metrics, compiling_told, given_references
from ranking.models import ScoringJob
from ranking.scores import stored
from ranking.scores.board import blocks_of, file_names, tables_of
from ranking.scores.files import UNSPACED, read_material
from ranking.scores.texts import check_language, has_spaces, metric_errors_refused, source_of, usual_metrics


class Command(PlatformCommand):
    help = __doc__
    arguments = (
        CAMPAIGN,
        METRICS_ARGUMENT,
        ENSEMBLE,
        argument("--references", type=Path, nargs="+", metavar="FILE", help="texts, an M2 file, or a folder of them"),
        argument("--out", type=Path, metavar="DIR", help="a folder for the tables"),
    )

    @metric_errors_refused()
    def run(
        self,
        campaign: Campaign,
        metrics: str | None,
        ensemble: Path | None,
        references: list[Path] | None,
        out: Path | None,
    ) -> str:
        material = read_material(source_of(campaign), *given_references(references)) if references else None
        chosen = chosen_metrics(metrics or ",".join(usual_metrics(campaign)), ensemble)
        # An ensemble consists of metrics of its own.
        named = [part for name, metric in chosen.items() for part in (getattr(metric, "parts", None) or [name])]
        check_language(campaign, named)
        if not has_spaces(campaign) and (words := [name for name, metric in chosen.items() if metric.cuts_words]):
            self.stderr.write(f"{', '.join(words)}: {UNSPACED}")
        lines = []
        for job in stored.create_jobs(campaign, list(chosen)):
            with compiling_told(job.metric, sys.stderr):
                run_now(job, partial(stored.score_outputs, material=material, metric=chosen[job.metric]))
            job.refresh_from_db()
            lines.append(job.signature if job.state == Job.State.DONE else f"{job.metric}: {job.error}")
        lines = lines or ["All of these are already being scored."]
        if out:
            out.mkdir(parents=True, exist_ok=True)
            for name in file_names(tables_of(ScoringJob.objects.of(campaign))):
                blocks = blocks_of(campaign, name) or iter(())
                lines.append(self.write_blocks((block.encode() for block in blocks), out / name))
        return "\n".join(lines)
