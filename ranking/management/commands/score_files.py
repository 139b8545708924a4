"""Score outputs by automatic metrics, from plain files with a sentence per line; no database is needed.

References are texts, or an M2 file, or both; then metrics on edits read the M2 file, and metrics on texts the texts.
metric_scores.csv, signatures.csv, score_intervals.csv and other tables are written to the folder --out. Examples:

  python manage.py score_files --source src.txt --outputs A.txt B.txt --references ref0.txt ref1.txt --out scores/
  python manage.py score_files --outputs A.txt B.txt --m2 gold.m2 --metrics m2,m2:beta=1,i-measure

With people's scores of the outputs, metrics are compared with people: correlations over systems and by sentence, with
and without pairs of identical text, Williams' tests, windows, and correlations without each system. Examples:

  python manage.py score_files ... --human segment-scores.csv --bounds source+error --out scores/
  python manage.py score_files ... --human segment-scores.csv --preset napoles2019 --out scores/
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management import CommandError

from judgments.management.base import PlatformCommand, argument
from judgments.rules.files.names import system_name
from judgments.rules.texts.m2 import UNCLEAR
from ranking.management.metrics import ENSEMBLE, chosen_metrics, given, given_references, metrics_argument
from ranking.metrics.base import Metric
from ranking.metrics.material import Material, MetricError
from ranking.metrics.scoring import SEED, Scored, merged, score, tables_of
from ranking.numbers.tables import Gap, Table, to_csv, to_markdown
from ranking.scores.files import read_lines, read_material, read_outputs
from ranking.scores.people import read_human
from ranking.scores.texts import metric_errors_refused
from ranking.stats.choices import LARGEST_SEED
from ranking.stats.metaevaluation.evaluation import PRESETS, Choices, tables_against_people
from ranking.stats.metaevaluation.human_agreement import Sides
from ranking.stats.metaevaluation.tables import SYSTEM

PEOPLE = (
    argument(
        "--human", type=Path, metavar="FILE", help="people's scores as CSV: a column per output, a row per sentence"
    ),
    argument(
        "--bounds", nargs="+", default=[], metavar="NAME",
        help="outputs that are scored but left out of correlations; those named source or reference always are",
    ),
    argument("--hybrids", action="store_true", help="correlate over mixtures of systems too"),
    argument("--seed", type=int, metavar="N", help=f"seed of mixtures (default: {SEED})"),
    argument("--preset", choices=PRESETS, default="recommended", help="settings of a paper"),
)  # fmt: skip


class Command(PlatformCommand):
    help = __doc__
    requires_system_checks = ()
    on_problems = "Nothing was scored."
    arguments = (
        argument("--source", type=Path, metavar="FILE", help="the source (default: that of the M2 file)"),
        argument("--outputs", type=Path, nargs="+", required=True, metavar="FILE"),
        argument("--references", type=Path, nargs="+", default=[], metavar="FILE", help="files or folders"),
        argument("--m2", type=Path, metavar="FILE", help="an M2 file with the edits of all references"),
        argument(
            "--apply-unclear", action="store_true",
            help="apply M2 edits of the types Um and UNK to reference texts (default: they change nothing)",
        ),
        metrics_argument(usual=None),
        ENSEMBLE,
        *PEOPLE,
        argument("--out", type=Path, metavar="DIR", help="folder for the tables (default: only print)"),
    )  # fmt: skip

    @metric_errors_refused()
    def run(self, outputs: list[Path], human: Path | None, out: Path | None, options: dict[str, Any]) -> str:
        choices = choices_of(options)
        metrics = chosen_metrics(",".join(choices.metrics), options["ensemble"])
        texts, annotated = given_references([*options["references"], *([options["m2"]] if options["m2"] else [])])
        source = read_lines(given(options["source"])) if options["source"] else None
        left_out = frozenset() if options["apply_unclear"] else UNCLEAR
        material = read_material(source, texts, annotated, left_out)
        scored = score_all(self, metrics, material, read_outputs([given(path) for path in outputs]))
        self.stdout.write(shown(scored))
        tables = tables_of(scored)
        if human:
            compared = compare_with_people(self, human, scored, choices)
            self.stdout.write(shown_correlations(compared))
            tables = merged([*tables, *compared])
        return written(tables, out) if out else ""


def choices_of(options: Mapping[str, Any]) -> Choices:
    """Return the preset with the changed options; bounds named here must exist."""
    preset, names = PRESETS[options["preset"]], {system_name(path.name) for path in options["outputs"]}
    if unknown := sorted(set(options["bounds"]) - names):
        raise CommandError(
            f"There is no output {unknown[0]!r} to use as a bound; the outputs are {', '.join(sorted(names))}."
        )
    if options["human"] is None and (options["hybrids"] or options["bounds"] or preset.hybrids):
        raise CommandError("A comparison with people needs their scores; give the file with --human.")
    seed = preset.seed if options["seed"] is None else options["seed"]
    if not 0 <= seed <= LARGEST_SEED:
        raise CommandError(f"The seed must lie between 0 and {LARGEST_SEED}.")
    return replace(
        preset,
        metrics=tuple(options["metrics"].split(",")) if options["metrics"] else preset.metrics,
        hybrids=preset.hybrids or options["hybrids"],
        bounds=preset.bounds | set(options["bounds"]),
        seed=seed,
    )


def compare_with_people(
    command: PlatformCommand, path: Path, scored: Sequence[Scored], choices: Choices
) -> list[Table]:
    """Return the tables that compare metrics with people; report what could not be computed."""
    sentences = len(scored[0].candidates.chosen[0])
    human = read_human(given(path), scored[0].names, sentences, choices.bounds)
    sides = Sides(human, tuple(scored), choices.macro)
    parts = list(tables_against_people(sides, choices))
    for gap in (part for part in parts if isinstance(part, Gap)):
        command.stderr.write(f"{gap.name}: {gap.reason}")
    return [part for part in parts if isinstance(part, Table)]


def score_all(
    command: PlatformCommand, metrics: dict[str, Metric], material: Material, outputs: dict[str, tuple[str, ...]]
) -> list[Scored]:
    """Score by every metric; report those that cannot score."""
    scored = []
    for name, metric in metrics.items():
        try:
            scored.append(score(metric, material, tuple(outputs), tuple(outputs.values()), command.bar))
        except MetricError as reason:
            command.stderr.write(f"{name}: {reason}")
    if not scored:
        raise CommandError("Nothing was scored.")
    return scored


def written(tables: Iterable[Table], out: Path) -> str:
    """Write tables into a folder, and return the closing message."""
    out.mkdir(parents=True, exist_ok=True)
    files = {f"{table.name}.csv": to_csv(table) for table in tables}
    for name, text in files.items():
        (out / name).write_text(text, encoding="utf-8", newline="")
    return f"{out}: {', '.join(files)}."


def shown_correlations(tables: Iterable[Table]) -> str:
    """Return the correlations over systems, one per row."""
    table = next(table for table in tables if table.name == "metric_correlations")
    return to_markdown(replace(table, rows=tuple(row for row in table.rows if str(row[1]).startswith(SYSTEM))), 3)


def shown(scored: Sequence[Scored]) -> str:
    """Return the scores of whole outputs, a row per system."""
    columns = {name: one.systems[name] for one in scored for name in one.kept}
    rows = zip(scored[0].names, *columns.values(), strict=True)
    return to_markdown(Table.of("scores", ("system", *columns), rows), 4)
