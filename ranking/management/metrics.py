"""Options and steps shared by the scoring commands."""

from collections.abc import Iterable
from pathlib import Path

from judgments.management.base import Argument, argument
from judgments.rules.files.problems import Problem, Problems
from ranking.metrics.base import Metric
from ranking.metrics.catalogue import METRICS, USUAL, ensemble_of, metrics_of
from ranking.scores.files import GivenFile

ENSEMBLE = argument(
    "--ensemble", type=Path, metavar="MODEL", help="a model from train_ensemble, to use as another metric"
)


def metrics_argument(usual: str | None = ",".join(USUAL)) -> Argument:
    about = "separated by commas, with settings after a colon, such as m2:beta=0.2"
    there = f"(default: {','.join(USUAL)}; all: {', '.join(METRICS)})"
    return argument("--metrics", default=usual, metavar="M2,GLEU,...", help=f"{about} {there}")


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
