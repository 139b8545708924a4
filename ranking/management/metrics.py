"""Options and steps that the scoring commands share."""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management import CommandError

from judgments.management.base import PlatformCommand
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


def add_metrics(parser: ArgumentParser, usual: str | None = ",".join(USUAL)) -> None:
    parser.add_argument(
        "--metrics",
        default=usual,
        metavar="M2,GLEU,...",
        help=f"separated by commas, settings behind colons, as m2:beta=0.2 (default: {','.join(USUAL)}; "
        f"there are {', '.join(METRICS)})",
    )


def add_people(parser: ArgumentParser) -> None:
    """Options for the comparison with people."""
    parser.add_argument(
        "--human", type=Path, metavar="FILE", help="people's scores: a column an output, a row a sentence, as CSV"
    )
    parser.add_argument(
        "--bounds", nargs="+", default=[], metavar="NAME",
        help="outputs that are scored but left out of correlations; those named source or reference always are",
    )  # fmt: skip
    parser.add_argument("--hybrids", action="store_true", help="correlate over mixtures of systems too")
    parser.add_argument("--seed", type=int, metavar="N", help=f"for mixtures (default: {SEED})")
    parser.add_argument("--preset", choices=PRESETS, default="recommended", help="choices of a paper")


def choices_of(options: Mapping[str, Any]) -> Choices:
    """The preset with the changed options; bounds named here must exist."""
    preset, names = PRESETS[options["preset"]], {system_name(path.name) for path in options["outputs"]}
    if unknown := sorted(set(options["bounds"]) - names):
        raise CommandError(
            f"There is no output {unknown[0]!r} to be a bound; the outputs are {', '.join(sorted(names))}."
        )
    if options["human"] is None and (options["hybrids"] or options["bounds"] or preset.hybrids):
        raise CommandError("What is set against people needs their scores; give the file with --human.")
    seed = preset.seed if options["seed"] is None else options["seed"]
    if not 0 <= seed <= LARGEST_SEED:
        raise CommandError(f"The seed must lie between 0 and {LARGEST_SEED}.")
    asked = options["metrics"]
    return replace(
        preset,
        metrics=tuple(asked.split(",")) if asked else preset.metrics,
        hybrids=preset.hybrids or options["hybrids"],
        bounds=preset.bounds | set(options["bounds"]),
        seed=seed,
    )


def set_against_people(command: PlatformCommand, path: Path, scored: Sequence[Scored], choices: Choices) -> list[Table]:
    """The tables of metrics against people; reports what could not be computed."""
    sentences = len(scored[0].candidates.chosen[0])
    human = read_human(given(path), scored[0].names, sentences, choices.bounds)
    sides = Sides(human, tuple(scored), choices.macro)
    tables = []
    for part in tables_against_people(sides, choices):
        if isinstance(part, Gap):
            command.stderr.write(f"{part.name}: {part.reason}")
        else:
            tables.append(part)
    return tables


def add_ensemble(parser: ArgumentParser) -> None:
    parser.add_argument("--ensemble", type=Path, metavar="MODEL", help="a model of train_ensemble, to score by it too")


def chosen_metrics(asked: str, model: Path | None) -> dict[str, Metric]:
    """The requested metrics, and the ensemble of a model."""
    metrics = metrics_of(asked)
    if model:
        ensemble = ensemble_of(model.read_text(encoding="utf-8"))
        metrics[ensemble.name] = ensemble
    return metrics


def given(path: Path) -> GivenFile:
    return GivenFile(path.name, path.read_bytes())


def given_references(paths: Iterable[Path]) -> tuple[list[GivenFile], GivenFile | None]:
    """Texts, and an M2 file if there is one; a folder stands for its files."""
    files = [file for path in paths for file in (sorted(path.iterdir()) if path.is_dir() else [path])]
    annotated = [file for file in files if file.suffix == ".m2"]
    if len(annotated) > 1:
        raise Problems([Problem(str(annotated[1]), None, "is a second M2 file; give one that has all annotators")])
    texts = [given(file) for file in files if file.suffix != ".m2" and not file.name.startswith(".")]
    return texts, given(annotated[0]) if annotated else None


def score_all(
    command: PlatformCommand, metrics: dict[str, Metric], material: Material, outputs: dict[str, tuple[str, ...]]
) -> list[Scored]:
    """Every requested metric; one that cannot score is reported, and the others go on."""
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
    names = []
    for table in tables:
        (out / f"{table.name}.csv").write_text(to_csv(table), encoding="utf-8", newline="")
        names.append(f"{table.name}.csv")
    return f"{out}: {', '.join(names)}."


def shown_correlations(tables: Iterable[Table]) -> str:
    """The correlations over systems, one a row."""
    table = next(table for table in tables if table.name == "metric_correlations")
    rows = [row for row in table.rows if str(row[1]).startswith(SYSTEM)]
    return to_markdown(Table(table.name, table.columns, tuple(rows)), 3)


def shown(scored: Iterable[Scored]) -> str:
    """The scores of whole outputs, one system a row."""
    found = list(scored)
    columns = [(name, one.systems[name]) for one in found for name in one.kept]
    rows = [(system, *(values[number] for _, values in columns)) for number, system in enumerate(found[0].names)]
    return to_markdown(Table.of("scores", ("system", *(name for name, _ in columns)), rows), 4)
