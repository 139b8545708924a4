"""Shared by the files of several kinds of studies: columns of numbers, and the systems behind each candidate."""

from collections.abc import Iterable
from math import isfinite, nan
from typing import Any

import numpy as np

from ranking.numbers.spreadsheets import columns_of, written_lines
from ranking.stats.ballots import Candidates, starts_of


def written_columns(columns: tuple[str, ...], *values: np.ndarray) -> str:
    return written_lines(columns, zip(*(map(cell, column.tolist()) for column in values), strict=True))


def cell(value: Any) -> object:
    return "" if isinstance(value, float) and not isfinite(value) else value


def integers(cells: Iterable[str]) -> np.ndarray:
    return np.array(list(cells), dtype=np.int64)


def numbers(cells: Iterable[str]) -> np.ndarray:
    return np.array([float(cell) if cell else nan for cell in cells], dtype=float)


def written_candidates(candidates: Candidates) -> str:
    members = np.split(candidates.members, candidates.starts[1:-1]) if len(candidates.sizes) else []
    return written_lines(("systems",), ((" ".join(map(str, each.tolist())),) for each in members))


def read_candidates(text: str) -> Candidates:
    (members,) = columns_of(text, 1)
    return Candidates(starts_of([len(each.split()) for each in members]), integers(" ".join(members).split()))
