"""Any number of generated rankings as ballots; the same seed gives the same ones.

Systems correct the errors of a sentence as in `texts`; equal outputs are one candidate. A judge sees up to five
candidates of a sentence and ranks them by their quality, with noise. With 13 systems a candidate has about two systems,
and a ranking 47 expanded comparisons, as in the judgments of Grundkiewicz et al. (2015), which are used instead if
SHARED_DATA has them.
"""

import os
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ranking.stats.ballots import BallotCandidates, Ballots
from tests.services.texts import SEED, SENTENCES_A_DOCUMENT

ON_A_SCREEN = 5
MOST_FAULTS = 5
# The probability that a sentence has 1, 2, ... errors.
FAULTS = (0.05, 0.15, 0.3, 0.3, 0.2)
CHANGES = 3
SENTENCES_AT_ONCE = 10_000
RANKINGS_A_SENTENCE = 3.5
ERROR = 0.8
PUBLISHED = Path(__file__).parent.parent / os.environ.get("SHARED_DATA", "../shared") / "data/gjg15/judgments.xml"


class Shape(NamedTuple):
    """Sizes; if `collapsed`, equal outputs are one candidate, else every system has its own."""

    rankings: int = 2319
    systems: int = 13
    judges: int = 8
    collapsed: bool = True

    @property
    def sentences(self) -> int:
        return max(2, int(self.rankings / RANKINGS_A_SENTENCE))


class _Outputs(NamedTuple):
    """Candidates in the order of sentences: the first of each sentence, their systems, their quality."""

    first: np.ndarray
    candidates: BallotCandidates
    merit: np.ndarray


def published_or_made(small: bool) -> tuple[Ballots, str]:
    """Return the published judgments if available, else generated ones of the same shape, or a few if small."""
    if not small and PUBLISHED.exists():
        from tests.ranking.stats.ballots import published_columns

        return (ballots := published_columns()), f"{len(ballots):,} published"
    return (ballots := made_ballots(Shape(rankings=60) if small else Shape())), f"{len(ballots):,} made"


def made_ballots(shape: Shape, seed: int = SEED) -> Ballots:
    rng = np.random.default_rng(seed)
    outputs = _outputs(shape, rng)
    sentence = rng.permutation(np.arange(shape.rankings) % shape.sentences)
    shown, sizes = _shown(outputs.first, sentence, rng)
    merit = np.round(outputs.merit[shown] + rng.normal(0, ERROR, len(shown))).clip(0, ON_A_SCREEN - 1) - ON_A_SCREEN
    return Ballots(
        systems=shape.systems, judges=shape.judges, documents=(shape.sentences - 1) // SENTENCES_A_DOCUMENT + 1,
        judge=rng.integers(0, shape.judges, shape.rankings).astype(np.int32), segment=sentence.astype(np.int32),
        seconds=rng.lognormal(3, 0.7, shape.rankings), starts=_starts(sizes), candidate=shown.astype(np.int32),
        merit=merit, candidates=outputs.candidates,
        document_of=(np.arange(shape.sentences) // SENTENCES_A_DOCUMENT).astype(np.int32),
    )  # fmt: skip


def _outputs(shape: Shape, rng: np.random.Generator) -> _Outputs:
    parts = [
        _some_outputs(min(SENTENCES_AT_ONCE, shape.sentences - at), shape, rng)
        for at in range(0, shape.sentences, SENTENCES_AT_ONCE)
    ]
    numbers, sizes, members, merit = (np.concatenate(each) for each in zip(*parts, strict=True))
    return _Outputs(_starts(numbers), BallotCandidates(_starts(sizes), members), merit)


def _some_outputs(sentences: int, shape: Shape, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Return candidates per sentence, systems per candidate, these systems, and the quality of each candidate."""
    skill = np.linspace(0.05, 0.35, shape.systems)[:, None]
    faults = rng.choice(np.arange(1, MOST_FAULTS + 1), sentences, p=FAULTS)[:, None, None]
    chance = rng.random((sentences, shape.systems, MOST_FAULTS), dtype=np.float32)
    changes = (chance < skill).astype(np.int64) + (chance < skill + 0.05)
    changes[np.broadcast_to(np.arange(MOST_FAULTS) >= faults, changes.shape)] = 0
    text = changes @ CHANGES ** np.arange(MOST_FAULTS)
    if not shape.collapsed:
        text = np.broadcast_to(np.arange(shape.systems), text.shape)
    most = max(CHANGES**MOST_FAULTS, shape.systems)
    known, first, where, sizes = np.unique(
        np.arange(sentences)[:, None] * most + text, return_index=True, return_inverse=True, return_counts=True
    )
    members = np.argsort(where.reshape(-1), kind="stable") % shape.systems
    right = (changes.sum(axis=2) / (CHANGES - 1) / faults[:, 0]).reshape(-1)[first]
    return np.bincount(known // most, minlength=sentences), sizes, members.astype(np.int32), right * (ON_A_SCREEN - 1)


def _shown(first: np.ndarray, sentence: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw the candidates of each screen in the order shown, and return them with their number per screen."""
    there = np.diff(first)[sentence]
    sizes = np.minimum(there, ON_A_SCREEN)
    drawn = np.empty((len(sentence), ON_A_SCREEN), dtype=np.int64)
    for turn in range(ON_A_SCREEN):
        # One of the remaining candidates, numbered without those already drawn.
        place = (rng.random(len(sentence)) * np.maximum(there - turn, 1)).astype(np.int64)
        for taken in np.sort(drawn[:, :turn], axis=1).T:
            place += place >= taken
        drawn[:, turn] = place
    is_there = np.arange(ON_A_SCREEN) < sizes[:, None]
    return (first[sentence][:, None] + drawn)[is_there], sizes


def _starts(sizes: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
