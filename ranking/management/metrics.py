"""Options and steps shared by the scoring commands; without Django, which takes longer to load than they need."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TextIO

from judgments.management.naming import argument
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problem, Problems
from ranking.metrics.base import Metric
from ranking.metrics.catalogue import ALWAYS, METRICS, ensemble_of, metrics_of
from ranking.metrics.material import Material, MetricError
from ranking.metrics.scoring import Scored, score
from ranking.numbers.kernels import on_compiling
from ranking.scores.files import GivenFile

ENSEMBLE = argument(
    "--ensemble", type=Path, metavar="MODEL", help="a model from train_ensemble, to use as another metric"
)
METRICS_ARGUMENT = argument(
    "--metrics", metavar="M2,GLEU,...",
    help="separated by commas, with settings after a colon, such as m2:beta=0.2"
    f" (default: {','.join(ALWAYS)}, and errant if it is installed; all: {', '.join(METRICS)})",
)  # fmt: skip
BAR_WIDTH = 30
# Seconds between two lines where standard error is not a terminal.
PAUSE = 5


def chosen_metrics(requested: str | None, model: Path | None) -> dict[str, Metric]:
    """Return the requested metrics, or the usual ones, and the ensemble of a model."""
    if requested is None:
        from ranking.metrics.catalogue import USUAL

        requested = ",".join(USUAL)
    metrics = metrics_of(requested)
    if model:
        ensemble = ensemble_of(model.read_text(encoding="utf-8"))
        metrics[ensemble.name] = ensemble
    return metrics


def given_file(path: Path) -> GivenFile:
    return GivenFile(path.name, path.read_bytes())


def given_references(paths: Iterable[Path]) -> tuple[list[GivenFile], GivenFile | None]:
    """Read texts, and an M2 file if there is one; a folder stands for its files."""
    files = [file for path in paths for file in (sorted(path.iterdir()) if path.is_dir() else [path])]
    annotated = [file for file in files if file.suffix == ".m2"]
    if len(annotated) > 1:
        raise Problems([Problem(str(annotated[1]), None, "is a second M2 file; give one that has all annotators")])
    texts = [given_file(file) for file in files if file.suffix != ".m2" and not file.name.startswith(".")]
    return texts, given_file(annotated[0]) if annotated else None


class Bar:
    """The progress of one metric: a bar on a terminal, elsewhere a line every few seconds and at the end."""

    def __init__(self, name: str, stream: TextIO) -> None:
        self.name, self.stream, self.last = name, stream, monotonic()

    def __call__(self, done: int, total: int) -> None:
        is_over = done >= total
        if self.stream.isatty():
            filled = BAR_WIDTH * done // max(total, 1)
            bar = f"[{'#' * filled}{' ' * (BAR_WIDTH - filled)}]"
            self.stream.write(f"\r{bar} {self.name}: {done:,} of {total:,}{chr(10) if is_over else ''}")
        elif is_over or monotonic() - self.last > PAUSE:
            self.last = monotonic()
            self.stream.write(f"{self.name}: {done:,} of {total:,}\n")
        self.stream.flush()


@contextmanager
def compiling_told(name: str, stream: TextIO) -> Iterator[None]:
    """Say so once if Numba compiles anything, which takes long, rather than loads what it compiled before."""
    told = False

    def tell() -> None:
        nonlocal told
        if not told:
            stream.write(f"{name}: compiling, once\n")
            stream.flush()
        told = True

    on_compiling.append(tell)
    try:
        yield
    finally:
        on_compiling.remove(tell)


def score_all(
    metrics: Mapping[str, Metric], material: Material, outputs: Mapping[str, Sequence[str]], errors: TextIO
) -> list[Scored]:
    """Score by every metric; report those that cannot score."""
    scored = []
    for name, metric in metrics.items():
        try:
            with compiling_told(name, errors):
                scored.append(score(metric, material, tuple(outputs), tuple(outputs.values()), Bar(name, errors)))
        except MetricError as reason:
            errors.write(f"{name}: {reason}\n")
    if not scored:
        raise Refused("Nothing was scored.")
    return scored
