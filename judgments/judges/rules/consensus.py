"""How far the answers of each judge agree with those of the others on the same texts."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

Outcomes = dict[Hashable, float]


@dataclass(frozen=True)
class Consensus:
    """For each screen of a judge, how many comparisons with other judges agree, of how many; the share by chance."""

    screens: tuple[tuple[int, int], ...]
    chance: float

    def kappa(self, screens: slice = slice(None)) -> float:
        """Cohen's kappa with all other judges together, on all screens or on some."""
        agreeing, comparable = map(sum, zip(*self.screens[screens], strict=True))
        return (agreeing / comparable - self.chance) / (1 - self.chance)


def consensus(answers: Mapping[str, Sequence[Outcomes]]) -> dict[str, Consensus]:
    """Compare the outcomes of each judge's screens with those of all other judges.

    The share by chance is that of two raters with these marginal shares who answer independently (Cohen 1960). Judges
    without comparisons, or who all give one answer, are left out.

    Toy: Ada prefers a to b and finds c and d equal; Ben prefers a to b and c to d. They agree on 1 of 2 pairs. Half of
    her outcomes and all of his are "better", so half is expected by chance, and kappa is 0.
    """
    given: dict[Hashable, dict[str, float]] = defaultdict(dict)
    for judge, screens in answers.items():
        for outcomes in screens:
            for pair, outcome in outcomes.items():
                given[pair][judge] = outcome
    found = {judge: _of_one(judge, screens, given) for judge, screens in answers.items()}
    return {judge: one for judge, one in found.items() if one.chance < 1 and any(of for _, of in one.screens)}


def outcomes(screens: Sequence[tuple[Sequence[int], Sequence[float]]]) -> list[Outcomes]:
    """For each screen (candidates and merits), whether each candidate is better than, equal to or worse than another.

    Where screens have one candidate, the judge's mean stands for the other, so that severe judges can agree too.
    """
    mean = fmean([merits[0] for _, merits in screens if len(merits) == 1] or [0.0])
    return [dict(_of_pairs(*one) if len(one[0]) > 1 else _of_single(*one, mean)) for one in screens]


def _of_pairs(candidates: Sequence[int], merits: Sequence[float]) -> Iterator[tuple[Hashable, float]]:
    for (one, merit), (other, than) in combinations(sorted(zip(candidates, merits, strict=True)), 2):
        yield (one, other), (merit > than) - (merit < than)


def _of_single(candidates: Sequence[int], merits: Sequence[float], mean: float) -> Iterator[tuple[Hashable, float]]:
    yield candidates[0], merits[0] >= mean


def _of_one(judge: str, screens: Sequence[Outcomes], given: Mapping[Hashable, Mapping[str, float]]) -> Consensus:
    compared = []
    own: Counter[float] = Counter()
    others: Counter[float] = Counter()
    for one in screens:
        pairs = [(mine, his) for pair, mine in one.items() for other, his in given[pair].items() if other != judge]
        own.update(mine for mine, _ in pairs)
        others.update(his for _, his in pairs)
        compared.append((sum(mine == his for mine, his in pairs), len(pairs)))
    chance = sum(own[outcome] * others[outcome] for outcome in own) / max(own.total(), 1) ** 2
    return Consensus(tuple(compared), chance)
