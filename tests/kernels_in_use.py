"""Uses kernels as production does, in every way that changes what they are called with, and writes what comes out:
`python -m tests.kernels_in_use SENTENCES FOLDER [without-numba]`.

It scores outputs of several systems against several references and one against one, makes every kind of report that
counts comparisons by each preset and method, and simulates campaigns. Kernels are those of whichever package `ranking`
comes first on the path.
"""

import csv
import sys

if "without-numba" in sys.argv:
    sys.modules["numba"] = None

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from ranking.management import from_files
from ranking.metrics.catalogue import METRICS
from ranking.metrics.errant_parser import is_installed
from ranking.numbers.tables import Table, to_csv
from ranking.scores.ballots import BallotVersion, number_ballots
from ranking.stats.analysis import analyse
from ranking.stats.comparisons import SECTIONS
from ranking.stats.comparisons.study import PRESETS, ComparisonStudy, Covariates, Names
from ranking.stats.power.curves import curves, outcomes
from ranking.stats.power.worlds import Assumptions, assumed_worlds, worlds_like
from ranking.stats.programs import SECTIONS as OF_PROGRAMS
from ranking.stats.rankings.methods import METHODS
from tests.ranking.stats.power.screens import blank_screens
from tests.ranking.stats.programs import cast
from tests.services.texts import made_texts

# The settings of metrics that change what kernels are called with, or what they do.
SETTINGS = (
    "m2:unchanged=0", "m2:ignore_case_and_space=yes", "m2:tokens=characters", "gleu:order=1:draws=3",
    "gleu:tokens=characters", "chargleu:spaces=no", "green:order=2", "i-measure:mixing=yes",
    "i-measure:mixing=yes:cap=3", "i-measure:tokens=characters", "meteor:synonyms=no", "gotoscorer:weights=none",
    "gotoscorer:edits=errant", "cleme:weights=none", "cleme:edits=errant", "cleme-independent:weights=none",
    "cleme2:weights=length", "cleme2-independent:weights=length",
)  # fmt: skip
SYSTEMS, JUDGES = "ABCDEF", 3


def score(sentences: int, systems: int, references: int, folder: Path) -> None:
    """Score by every metric, and compare all with people's scores over mixtures of systems."""
    (folder / "texts").mkdir(parents=True)
    source, texts, outputs = made_texts(sentences, systems, references).written(folder / "texts")
    words = ["--source", *source, "--references", *texts, "--outputs", *outputs, "--out", str(folder)]
    if systems > 1:
        with (folder / "texts" / "human.csv").open("w") as file:
            rows = csv.writer(file)
            rows.writerow(Path(name).stem for name in outputs)
            rows.writerows(np.random.default_rng(1).integers(0, 9, (sentences, systems)).tolist())
        words += ["--human", str(folder / "texts" / "human.csv"), "--hybrids"]
    metrics = [name for name in (*METRICS, *SETTINGS) if "errant" not in name or is_installed()]
    assert not from_files.main([*words, "--metrics", ",".join(metrics)])


def judged(sentences: int, sign: int) -> Iterator[BallotVersion]:
    """Judges of whom the first sees every other sentence; on each of these, the first two systems wrote the same."""
    random = np.random.default_rng(2)
    for sentence in range(sentences):
        versions = [("A", "B"), *SYSTEMS[2:]] if sentence % 2 else [*SYSTEMS]
        for judge in range(sentence % 2 == 0, JUDGES):
            for place, systems in enumerate(versions):
                merit = sign * float(1 + min(random.integers(0, 4) + place // 2, 4))
                yield BallotVersion((f"judge {judge}", sentence, ""), "", tuple(systems), merit)


def reports(sentences: int) -> Iterator[tuple[str, Table]]:
    """Reports on ranks by each preset, by one with all methods that it allows, and one on scores."""
    by_ranks, by_scores = (number_ballots(list(judged(sentences, sign))) for sign in (-1, 1))
    every = PRESETS["recommended"].with_changes(
        methods=tuple(name for name in METHODS if name != "trueskill-published")
    )
    for name, chosen in {**PRESETS, "every": every}.items():
        ballots, *names = by_scores if name == "napoles2019" else by_ranks
        weights = Covariates(weights=1.0 + np.arange(len(ballots)) % 3)
        study = ComparisonStudy(
            ballots, Names(*names), chosen.with_changes(replicates=200), name == "napoles2019", weights
        )  # fmt: skip
        for table in analyse(study, SECTIONS).tables.values():
            yield f"{name}-{table.name}", table
    pilot, blank = by_ranks[0], blank_screens(len(SYSTEMS), sentences)
    chosen = PRESETS["recommended"].with_changes(replicates=200)
    for kind, worlds in (("like", worlds_like(pilot, 1)), ("assumed", assumed_worlds(Assumptions(), len(SYSTEMS), 1))):
        yield f"power-{kind}", curves(list(outcomes(islice(worlds, 2), blank, [len(blank)], chosen, 1)))
    for kind, of_programs in (("ratings", cast.study(cast.ratings())), ("verdicts", cast.verdicts())):
        for table in analyse(of_programs, OF_PROGRAMS).tables.values():
            yield f"programs-{kind}-{table.name}", table


if __name__ == "__main__":
    size, folder = int(sys.argv[1]), Path(sys.argv[2])
    for systems, references in ((3, 2), (1, 1)):
        score(size, systems, references, folder / f"{systems}-systems")
    for name, table in reports(size):
        (folder / f"{name}.csv").write_text(to_csv(table), encoding="utf-8")
