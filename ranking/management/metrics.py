"""What the commands that score share: metrics by name, and files of references."""

from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path

from django.core.management import CommandError

from judgments.faults import Refused
from judgments.management.base import PlatformCommand
from judgments.rules.problems import Problem, Problems
from ranking.metrics.base import Metric
from ranking.metrics.catalogue import METRICS, USUAL, ensemble_of, metrics_of
from ranking.metrics.files import GivenFile
from ranking.metrics.material import Material
from ranking.metrics.scoring import Scored, score
from ranking.stats.tables import Table, to_csv, to_markdown


def add_metrics(parser: ArgumentParser) -> None:
    """Which metrics."""
    parser.add_argument(
        "--metrics",
        default=",".join(USUAL),
        metavar="M2,GLEU,...",
        help=f"separated by commas, settings behind colons, as m2:beta=0.2 (default: {','.join(USUAL)}; "
        f"there are {', '.join(METRICS)})",
    )


def add_ensemble(parser: ArgumentParser) -> None:
    """A trained model."""
    parser.add_argument("--ensemble", type=Path, metavar="MODEL", help="a model of train_ensemble, to score by it too")


def chosen_metrics(asked: str, model: Path | None) -> dict[str, Metric]:
    """The metrics that are asked for, and the ensemble of a model."""
    metrics = metrics_of(asked)
    if model:
        ensemble = ensemble_of(model.read_text(encoding="utf-8"))
        metrics[ensemble.name] = ensemble
    return metrics


def given(path: Path) -> GivenFile:
    """A file."""
    return GivenFile(path.name, path.read_bytes())


def given_references(paths: Iterable[Path]) -> tuple[list[GivenFile], GivenFile | None]:
    """Texts, and an M2 file where there is one; a folder stands for its files."""
    files = [file for path in paths for file in (sorted(path.iterdir()) if path.is_dir() else [path])]
    annotated = [file for file in files if file.suffix == ".m2"]
    if len(annotated) > 1:
        raise Problems([Problem(str(annotated[1]), None, "is a second M2 file; give one that has all annotators")])
    texts = [given(file) for file in files if file.suffix != ".m2" and not file.name.startswith(".")]
    return texts, given(annotated[0]) if annotated else None


def score_all(
    command: PlatformCommand, metrics: dict[str, Metric], material: Material, outputs: dict[str, tuple[str, ...]]
) -> list[Scored]:
    """Every metric that was asked for; one that cannot score is told, and the rest goes on."""
    scored = []
    for name, metric in metrics.items():
        try:
            scored.append(score(metric, material, tuple(outputs), tuple(outputs.values()), command.bar))
        except Refused as reason:
            command.stderr.write(f"{name}: {reason}")
    if not scored:
        raise CommandError("Nothing was scored.")
    return scored


def written(tables: Iterable[Table], out: Path) -> str:
    """Write tables into a folder; the closing sentence."""
    out.mkdir(parents=True, exist_ok=True)
    names = []
    for table in tables:
        (out / f"{table.name}.csv").write_text(to_csv(table), encoding="utf-8", newline="")
        names.append(f"{table.name}.csv")
    return f"{out}: {', '.join(names)}."


def shown(scored: Iterable[Scored]) -> str:
    """The scores of whole outputs, a row a system."""
    found = list(scored)
    columns = [(name, one.systems[name]) for one in found for name in one.kept]
    rows = [(system, *(values[number] for _, values in columns)) for number, system in enumerate(found[0].names)]
    return to_markdown(Table.of("scores", ("system", *(name for name, _ in columns)), rows), 4)
