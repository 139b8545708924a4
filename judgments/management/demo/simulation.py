"""Simulated judges, who prefer texts similar to a reference or with merit, with varying reliability."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher


@dataclass(frozen=True)
class SimulatedJudge:
    """`noise` is how far opinions stray from quality, `tie_width` how close two opinions tie; both from 0 to 1."""

    name: str
    noise: float
    tie_width: float


def quality(text: str, references: Sequence[str]) -> float:
    """Similarity to the nearest reference, by words, from 0 to 1."""
    words = text.split()
    return max(SequenceMatcher(None, words, reference.split(), autojunk=False).ratio() for reference in references)


def opinions(
    judge: SimulatedJudge, texts: Sequence[str], merits: Sequence[float], references: Sequence[str], rng: random.Random
) -> list[float]:
    """The judge's opinion of each text; a merit is quality that similarity to a reference misses, such as fluency."""
    return [
        quality(text, references) + merit + rng.gauss(0, judge.noise) for text, merit in zip(texts, merits, strict=True)
    ]


def ranked(judge: SimulatedJudge, thought: Sequence[float]) -> list[int]:
    """Ranks from 1; opinions that are nearly the same tie."""
    ranks = {}
    rank, leader = 0, float("inf")
    for place in sorted(range(len(thought)), key=lambda place: -thought[place]):
        if leader - thought[place] > judge.tie_width:
            rank, leader = rank + 1, thought[place]
        ranks[place] = rank
    return [ranks[place] for place in range(len(thought))]


def scored(thought: Sequence[float]) -> list[int]:
    """Scores from 0 to 100; an opinion of one half is already garbled."""
    return [max(0, min(100, round(200 * (opinion - 0.5)))) for opinion in thought]


def found(judge: SimulatedJudge, share: float, rng: random.Random) -> str:
    """A verdict on a usage that this share of people call an error; judges in doubt answer `unknown`."""
    thought = share + rng.gauss(0, judge.noise) - 0.5
    if abs(thought) < judge.tie_width:
        return "unknown"
    return "error" if thought > 0 else "ok"
