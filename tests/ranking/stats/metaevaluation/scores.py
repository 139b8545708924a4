"""Scores of metrics for tests: the published ones, and any that there could be."""

from functools import cache
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from ranking.scores.metric_files import read_metric_scores
from tests import published
from tests.shared_data import shared

# Few values, so that equal scores are common.
some_scores = st.lists(st.integers(-3, 3).map(float), min_size=3, max_size=9)


@st.composite
def any_scores(draw) -> tuple[np.ndarray, np.ndarray]:
    """Scores of the same systems by people and by a metric, neither all equal."""
    human = draw(some_scores.filter(lambda scores: len(set(scores)) > 1))
    metric = st.lists(st.integers(-3, 3).map(float), min_size=len(human), max_size=len(human))
    return np.array(human), np.array(draw(metric.filter(lambda scores: len(set(scores)) > 1)))


@st.composite
def any_sentences(draw) -> tuple[np.ndarray, np.ndarray]:
    """Scores of sentences (rows) by people and by a metric; some are missing, many equal, two known."""
    shape = draw(st.integers(1, 5)), draw(st.integers(2, 5))
    cells = st.lists(
        st.one_of(st.integers(0, 3).map(float), st.just(float("nan"))),
        min_size=shape[0] * shape[1], max_size=shape[0] * shape[1],
    )  # fmt: skip
    human, metric = (np.array(draw(cells)).reshape(shape) for _ in range(2))
    for scores in (human, metric):
        scores[0, :2] = np.nan_to_num(scores[0, :2])
    return human, metric


@cache
def published_human() -> np.ndarray:
    """The human scores as the paper prints them, in order of the systems' names."""
    printed = {row["system"]: row["score"] for row in published.golden()["paper"]["table3b"]}
    return np.array([printed[system] for system in published.golden()["systems"]])


@cache
def published_metric(file: str) -> np.ndarray:
    """A metric's scores of the systems, from the files of the paper's authors."""
    content = shared(f"data/gjg15/metrics/{file}").read_bytes()
    (found,) = read_metric_scores(file, content, published.golden()["systems"])
    return found.scores


class PrecisionRecall(NamedTuple):
    precision: np.ndarray
    recall: np.ndarray


@cache
def published_m2(file: str = "scores.m2") -> PrecisionRecall:
    """Precision and recall of the systems, from lines `SYSTEM F P R`."""
    content = shared(f"data/gjg15/metrics/{file}").read_bytes()
    _, precision, recall = read_metric_scores(file, content, published.golden()["systems"], ("F", "P", "R"))
    return PrecisionRecall(precision.scores, recall.scores)
