"""Simulated judges of varying reliability, who prefer texts that are close to a reference or good in another way."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher


@dataclass(frozen=True)
class SimulatedJudge:
    """The standard deviation of the judge's opinions, and the difference below which two tie; quality is 0 to 1."""

    name: str
    noise: float
    tie_width: float


def quality(text: str, references: Sequence[str]) -> float:
    """Return the word-level similarity to the nearest reference, from 0 to 1."""
    words = text.split()
    return max(SequenceMatcher(None, words, reference.split(), autojunk=False).ratio() for reference in references)


def opinions(
    judge: SimulatedJudge, texts: Sequence[str], merits: Sequence[float], references: Sequence[str], rng: random.Random
) -> list[float]:
    """Return the judge's opinion of each text; merits stand for what similarity misses, such as fluency."""
    return [
        quality(text, references) + merit + rng.gauss(0, judge.noise) for text, merit in zip(texts, merits, strict=True)
    ]


def to_ranks(judge: SimulatedJudge, held: Sequence[float]) -> list[int]:
    """Turn opinions into ranks from 1; those within the tie width of the best in their group tie."""
    ranks = {}
    rank, leader = 0, float("inf")
    for place in sorted(range(len(held)), key=lambda place: -held[place]):
        if leader - held[place] > judge.tie_width:
            rank, leader = rank + 1, held[place]
        ranks[place] = rank
    return [ranks[place] for place in range(len(held))]


def to_scores(held: Sequence[float]) -> list[int]:
    """Turn opinions into scores from 0 to 100; an opinion of 0.5 already means garbled."""
    return [max(0, min(100, round(200 * (opinion - 0.5)))) for opinion in held]


def to_verdict(judge: SimulatedJudge, share: float, rng: random.Random) -> str:
    """Return a verdict on a usage that this share of people call an error; judges in doubt answer `unknown`."""
    opinion = share + rng.gauss(0, judge.noise) - 0.5
    if abs(opinion) < judge.tie_width:
        return "unknown"
    return "error" if opinion > 0 else "ok"
