"""The published texts that metrics are tried on: the shared task of 2014 and the learners' essays of GMEG."""

import csv
import json
from functools import cache
from pathlib import Path
from typing import Any

from judgments.rules.files.text_files import read_text
from judgments.rules.texts.m2 import UNCLEAR, read_m2
from ranking.metrics.material import Candidates, Material
from ranking.scores.files import material_of_m2
from tests.shared_data import shared

GMEG_SYSTEMS = ("amu", "lstm", "lstm-r", "marian", "nus", "transformer", "source", "source+error")


@cache
def lines(path: str) -> list[str]:
    return shared(path).read_text(encoding="utf-8").removesuffix("\n").split("\n")


@cache
def m2(path: str, left_out: frozenset[str] = UNCLEAR) -> Material:
    file = shared(path)
    return material_of_m2(read_m2(read_text(file.name, file.read_bytes()), may_overlap=True), left_out)


@cache
def gjg15_systems() -> tuple[str, ...]:
    return tuple(sorted(file.name for file in shared("data/gjg15/outputs").iterdir()))


@cache
def gjg15() -> Candidates:
    """The 13 outputs, in the order of their names."""
    return Candidates.of(gjg15_outputs())


def gjg15_outputs() -> list[list[str]]:
    return [lines(f"data/gjg15/outputs/{name}") for name in gjg15_systems()]


def gjg15_gold(left_out: frozenset[str] = UNCLEAR) -> Material:
    """The edits of both, as the official scores were made with."""
    return m2("data/gjg15/references/gold.m2", left_out)


@cache
def gjg15_texts() -> Material:
    """The same as two plain texts."""
    references = [lines(f"data/gjg15/references/{name}") for name in ("ref0", "ref1")]
    return Material.of_texts(gjg15_gold().source, references)


@cache
def official(metric: str) -> dict[str, str]:
    with Path(shared(f"data/gjg15/metrics/official.{metric}.tsv")).open(encoding="utf-8") as file:
        return {row[3]: row[4] for row in csv.reader(file, delimiter="\t")}


@cache
def gmeg(part: str) -> Candidates:
    """The outputs of six systems, the source and the source with an error, in the order of GMEG_SYSTEMS."""
    return Candidates.of([lines(f"data/gmeg-fce/{part}/{name}") for name in GMEG_SYSTEMS])


@cache
def gmeg_texts(part: str) -> Material:
    """Four references as plain texts."""
    references = [lines(f"data/gmeg-fce/{part}/ref{number}") for number in range(4)]
    return Material.of_texts(lines(f"data/gmeg-fce/{part}/source"), references)


def gmeg_gold(part: str) -> Material:
    """The same as edits that ERRANT made of them."""
    return m2(f"data/gmeg-fce/{part}/gold.m2")


@cache
def golden() -> dict[str, Any]:
    """Scores that other programs computed for these texts."""
    return json.loads(shared("reference/metrics-golden.json").read_text(encoding="utf-8"))
