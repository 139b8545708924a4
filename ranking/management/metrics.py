"""Options and steps that the scoring commands share."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management import CommandError

from judgments.management.base import Argument, PlatformCommand, argument
from judgments.rules.files.names import system_name
from judgments.rules.files.problems import Problem, Problems
from ranking.metrics.base import Metric
from ranking.metrics.catalogue import METRICS, USUAL, ensemble_of, metrics_of
from ranking.metrics.material import Material, MetricError
from ranking.metrics.scoring import SEED, Scored, score
from ranking.numbers.tables import Gap, Table, to_csv, to_markdown
from ranking.scores.files import GivenFile
from ranking.scores.people import read_human
from ranking.stats.choices import LARGEST_SEED
from ranking.stats.metaevaluation.evaluation import PRESETS, Choices, tables_against_people
from ranking.stats.metaevaluation.human_agreement import Sides
from ranking.stats.metaevaluation.tables import SYSTEM

ENSEMBLE = argument("--ensemble", type=Path, metavar="MODEL", help="a model of train_ensemble, to score by it too")
PEOPLE = (
    argument(
        "--human", type=Path, metavar="FILE", help="people's scores as CSV: a column an output, a row a sentence"
    ),
    argument(
        "--bounds", nargs="+", default=[], metavar="NAME",
        help="outputs that are scored but left out of correlations; those named source or reference always are",
    ),
    argument("--hybrids", action="store_true", help="correlate over mixtures of systems too"),
    argument("--seed", type=int, metavar="N", help=f"for mixtures (default: {SEED})"),
    argument("--preset", choices=PRESETS, default="recommended", help="choices of a paper"),
)  # fmt: skip


def metrics_argument(usual: str | None = ",".join(USUAL)) -> Argument:
    about = "separated by commas, settings behind colons, as m2:beta=0.2"
    there = f"(default: {','.join(USUAL)}; there are {', '.join(METRICS)})"
    return argument("--metrics", default=usual, metavar="M2,GLEU,...", help=f"{about} {there}")


def choices_of(options: Mapping[str, Any]) -> Choices:
    """Return the preset with the changed options; bounds named here must exist."""
    preset, names = PRESETS[options["preset"]], {system_name(path.name) for path in options["outputs"]}
    if unknown := sorted(set(options["bounds"]) - names):
        raise CommandError(
            f"There is no output {unknown[0]!r} to be a bound; the outputs are {', '.join(sorted(names))}."
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


def chosen_metrics(requested: str, model: Path | None) -> dict[str, Metric]:
    """Return the requested metrics, and the ensemble of a model."""
    metrics = metrics_of(requested)
    if model:
        ensemble = ensemble_of(model.read_text(encoding="utf-8"))
        metrics[ensemble.name] = ensemble
    return metrics


def given(path: Path) -> GivenFile:
    return GivenFile(path.name, path.read_bytes())


def given_references(paths: Iterable[Path]) -> tuple[list[GivenFile], GivenFile | None]:
    """Read texts, and an M2 file if there is one; a folder stands for its files."""
    files = [file for path in paths for file in (sorted(path.iterdir()) if path.is_dir() else [path])]
    annotated = [file for file in files if file.suffix == ".m2"]
    if len(annotated) > 1:
        raise Problems([Problem(str(annotated[1]), None, "is a second M2 file; give one that has all annotators")])
    texts = [given(file) for file in files if file.suffix != ".m2" and not file.name.startswith(".")]
    return texts, given(annotated[0]) if annotated else None


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
    """Write tables into a folder, and return the closing sentence."""
    out.mkdir(parents=True, exist_ok=True)
    files = {f"{table.name}.csv": to_csv(table) for table in tables}
    for name, text in files.items():
        (out / name).write_text(text, encoding="utf-8", newline="")
    return f"{out}: {', '.join(files)}."


def shown_correlations(tables: Iterable[Table]) -> str:
    """Return the correlations over systems, one a row."""
    table = next(table for table in tables if table.name == "metric_correlations")
    rows = [row for row in table.rows if str(row[1]).startswith(SYSTEM)]
    return to_markdown(Table(table.name, table.columns, tuple(rows)), 3)


def shown(scored: Iterable[Scored]) -> str:
    """Return the scores of whole outputs, one system a row."""
    found = list(scored)
    columns = [(name, one.systems[name]) for one in found for name in one.kept]
    rows = [(system, *(values[number] for _, values in columns)) for number, system in enumerate(found[0].names)]
    return to_markdown(Table.of("scores", ("system", *(name for name, _ in columns)), rows), 4)
