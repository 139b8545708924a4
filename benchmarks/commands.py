"""Whole commands that score, in seconds of CPU from start-up to tables, beside programs that people run instead.

On made texts, and on those published by Grundkiewicz et al. (2015) where SHARED_DATA has them. Ours run from the wheel
that `make build` made, or else from the checkout; they compute scores of sentences, intervals and ratios, too.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from zipfile import ZipFile

from benchmarks.ballots import PUBLISHED
from benchmarks.harness import Measured, Row, command
from ranking.metrics.catalogue import USUAL
from ranking.metrics.errant_parser import installed_model
from ranking.metrics.meteor import installed_wordnet
from tests.services.house import ROOT
from tests.services.texts import Texts, made_texts

RUNS = 3
SIZE, SMALL_SIZE = (1312, 13), (60, 3)
FROM_WHEEL = "from appraise_gec.cli import run; run()"
# errant_parallel with the model that is installed, also if that is the copy on PyPI.
ERRANT_PARALLEL = """
from functools import partial
import errant, spacy
from errant.commands.parallel_to_m2 import main
errant.load = partial(errant.load, nlp=spacy.load("{}", disable=["ner"]))
main()
"""


class Ours(NamedTuple):
    """How `score` is called: what runs it, the words before it, and the variables."""

    name: str
    words: Sequence[str]
    variables: Mapping[str, str]


@contextmanager
def scorers() -> Iterator[list[Ours]]:
    """From the checkout, and from the wheel that was built last, whose kernels are compiled."""
    found = [Ours("checkout", [sys.executable, str(ROOT / "manage.py"), "score"], os.environ)]
    with TemporaryDirectory() as folder:
        if wheels := sorted((ROOT / "dist").glob("appraise_gec-*-cp*.whl"), key=lambda path: path.stat().st_mtime):
            with ZipFile(wheels[-1]) as wheel:
                wheel.extractall(folder)
            words = [sys.executable, "-P", "-c", FROM_WHEEL, "score"]
            found.append(Ours("wheel", words, os.environ | {"PYTHONPATH": folder}))
        yield found


def least(words: Sequence[str], variables: Mapping[str, str], runs: int) -> Measured[str]:
    """The run that computed least, after one that may write compiled code."""
    tried = [command(words, variables) for _ in range(runs + 1)]
    return min(tried[1:], key=lambda one: one.computed)


def commands(small: bool) -> list[Row]:
    metrics, rows = ("bleu", "meteor") if small else (*USUAL, "green"), []
    with scorers() as found:
        for name, texts in _data(small):
            size = f"{name}, {len(texts.source):,} x {len(texts.outputs)}, {len(texts.references)} references"
            with TemporaryDirectory() as folder:
                rows += [row for metric in metrics for row in _beside(found[-1], metric, texts, folder, size, small)]
    return rows


def _data(small: bool) -> Iterator[tuple[str, Texts]]:
    yield "made", made_texts(*(SMALL_SIZE if small else SIZE), references=2)
    if not small and PUBLISHED.exists():

        def lines(path: Path) -> list[str]:
            """One output lacks a line, and no other program knows what to make of that."""
            return [line or "." for line in path.read_text(encoding="utf-8").splitlines()]

        outputs = {path.name: lines(path) for path in sorted((PUBLISHED.parent / "outputs").iterdir())}
        source, references = outputs.pop("INPUT"), sorted(PUBLISHED.parent.glob("references/ref*"))
        yield "published", Texts(source, list(map(lines, references)), list(outputs.values()))


def _beside(ours: Ours, metric: str, texts: Texts, folder: str, size: str, small: bool) -> Iterator[Row]:
    source, references, outputs = texts.written(Path(folder))
    given = "--source", *source, "--outputs", *outputs, "--references", *references, "--out", f"{folder}/tables"
    run = least([*ours.words, *given, "--metrics", metric], ours.variables, 1 if small or metric == "errant" else RUNS)
    yield Row(f"reference: score --metrics {metric}, {ours.name}", size, run.computed, run.megabytes, 1)
    for name, program in _peers(metric, folder, source[0], references, outputs):
        parts = [command([sys.executable, *words], os.environ) for words in program]
        computed, megabytes = sum(part.computed for part in parts), max(part.megabytes for part in parts)
        yield Row(f"{name}, {metric}", size, computed, megabytes, computed / run.computed)


def _peers(
    metric: str, folder: str, source: str, references: Sequence[str], outputs: Sequence[str]
) -> Iterator[tuple[str, Sequence[Sequence[str]]]]:
    """Other programs for a metric that are installed, each with its commands."""
    sacrebleu = "-m", "sacrebleu", *references, "--force", "--quiet", "-i", *outputs, "-m"
    if metric == "bleu":
        yield "sacrebleu", [[*sacrebleu, "bleu", "-tok", "none"]]
    if metric == "chrf++":
        yield "sacrebleu", [[*sacrebleu, "chrf", "--chrf-word-order", "2"]]
    if metric == "meteor":
        wordnet = map(str, filter(None, [installed_wordnet()]))
        yield "NLTK", [["-m", "benchmarks.nltk_meteor", *wordnet, *references, *outputs]]
    if metric == "gleu" and find_spec("gleu"):
        yield "gleu", [["-c", "from gleu.main import gleu; gleu()", "-s", source, "-r", *references, "-o", *outputs]]
    if metric in ("gleu", "green") and find_spec("gec_metrics"):
        theirs = "gleuofficial" if metric == "gleu" else metric
        yield "gec-metrics", [["-m", "benchmarks.gec_metrics_score", theirs, source, *references, *outputs]]
    if metric == "errant":
        align, gold = ("-c", ERRANT_PARALLEL.format(installed_model()), "-orig", source), f"{folder}/m2"
        made = {path: f"{path}.m2" for path in outputs}
        compare = "-m", "errant.commands.compare_m2", "-ref", gold, "-hyp"
        yield (
            "errant",
            [
                [*align, "-cor", *references, "-out", gold],
                *([*align, "-cor", path, "-out", m2] for path, m2 in made.items()),
                *([*compare, m2] for m2 in made.values()),
            ],
        )
