"""Score outputs by automatic metrics, from plain files of one sentence a line; no database is needed.

References are texts, or an M2 file, or both: then metrics on edits take those of the M2 file, and metrics on texts the
texts. The folder gets metric_scores.csv, signatures.csv, score_intervals.csv and other tables of the metrics. Examples:

  python manage.py score_files --source src.txt --outputs A.txt B.txt --references ref0.txt ref1.txt --out scores/
  python manage.py score_files --outputs A.txt B.txt --m2 gold.m2 --metrics m2,m2:beta=1,i-measure

With people's scores of the outputs, metrics are compared with people: correlations over systems and by sentence, with
and without pairs of identical text, Williams' tests, windows, and correlations without each system. Examples:

  python manage.py score_files ... --human segment-scores.csv --bounds source+error --out scores/
  python manage.py score_files ... --human segment-scores.csv --preset napoles2019 --out scores/
"""

from pathlib import Path
from typing import Any

from judgments.management.base import PlatformCommand, argument
from ranking.management.metrics import (
    ENSEMBLE,
    PEOPLE,
    choices_of,
    chosen_metrics,
    compare_with_people,
    given,
    given_references,
    metrics_argument,
    score_all,
    shown,
    shown_correlations,
    written,
)
from ranking.metrics.scoring import merged, tables_of
from ranking.scores.files import read_lines, read_material, read_outputs
from ranking.scores.texts import metric_errors_refused


class Command(PlatformCommand):
    help = __doc__
    requires_system_checks = ()
    nothing = "Nothing was scored."
    arguments = (
        argument("--source", type=Path, metavar="FILE", help="the source (default: that of the M2 file)"),
        argument("--outputs", type=Path, nargs="+", required=True, metavar="FILE"),
        argument("--references", type=Path, nargs="+", default=[], metavar="FILE", help="files or folders"),
        argument("--m2", type=Path, metavar="FILE", help="an M2 file with the edits of all references"),
        metrics_argument(usual=None),
        ENSEMBLE,
        *PEOPLE,
        argument("--out", type=Path, metavar="DIR", help="where to write tables (default: only to show)"),
    )

    @metric_errors_refused()
    def run(self, outputs: list[Path], human: Path | None, out: Path | None, options: dict[str, Any]) -> str:
        choices = choices_of(options)
        metrics = chosen_metrics(",".join(choices.metrics), options["ensemble"])
        texts, annotated = given_references([*options["references"], *([options["m2"]] if options["m2"] else [])])
        source = read_lines(given(options["source"])) if options["source"] else None
        material = read_material(source, texts, annotated)
        scored = score_all(self, metrics, material, read_outputs([given(path) for path in outputs]))
        self.stdout.write(shown(scored))
        tables = tables_of(scored)
        if human:
            compared = compare_with_people(self, human, scored, choices)
            self.stdout.write(shown_correlations(compared))
            tables = merged([*tables, *compared])
        return written(tables, out) if out else ""
