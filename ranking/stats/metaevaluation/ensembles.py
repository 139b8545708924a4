"""How well an ensemble predicts held-out scores, and the loss without a system or a domain in training.

Each of 50 folds draws three quarters of the systems and mixtures for training and tests on the rest by Pearson's
correlation (Napoles et al. 2019, section 6.1). Both parts have mixtures of the same systems, so this is optimistic; the
honest test leaves out a system or a domain.

Combinations are chosen by what they are validated on, so the best of them is flattered; unseen domains tell.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ranking.metrics.ensemble import ALPHA, Domain, EnsembleModel, fit, join_domains, matrix
from ranking.numbers.correlation import pearson

FOLDS, TRAINING_SHARE = 50, 0.75


class Ablation(NamedTuple):
    """Mean correlation on the same held-out instances, with and without something in training."""

    domain: str
    without: str
    seen: float
    unseen: float


def cross_validated(domains: Sequence[Domain], seed: int, folds: int = FOLDS) -> dict[str, float]:
    found = [[_tested(train, test) for test in tests] for train, tests in _folds(domains, seed, folds)]
    return dict(zip((domain.name for domain in domains), np.mean(found, axis=0).tolist(), strict=True))


def without_systems(
    domains: Sequence[Domain], names: Sequence[str], seed: int, folds: int = FOLDS
) -> Iterator[Ablation]:
    """For each domain and system, how well its mixtures are predicted with and without it in training."""
    for number, name in enumerate(names):
        seen, unseen = [], []
        for train, tests in _folds(domains, seed, folds):
            less = [domain.without(number) for domain in train]
            touched = [test.choose((test.pairs == number).any(axis=1)) for test in tests]
            seen.append([_tested(train, test) for test in touched])
            unseen.append([_tested(less, test) for test in touched])
        for place, domain in enumerate(domains):
            yield Ablation(domain.name, name, _mean(seen, place), _mean(unseen, place))


def without_domains(domains: Sequence[Domain], seed: int, folds: int = FOLDS) -> Iterator[Ablation]:
    """For each domain, how well it is predicted with it in training, and from the others alone."""
    if len(domains) < 2:
        return
    seen, unseen = [], []
    for train, tests in _folds(domains, seed, folds):
        seen.append([_tested(train, test) for test in tests])
        unseen.append([_tested([*train[:place], *train[place + 1 :]], test) for place, test in enumerate(tests)])
    for place, domain in enumerate(domains):
        yield Ablation(domain.name, domain.name, _mean(seen, place), _mean(unseen, place))


class Combination(NamedTuple):
    """Metrics, how well their ensemble predicts held-out mixtures, and each domain that it has not seen."""

    metrics: tuple[str, ...]
    validated: float
    tested: tuple[float, ...]


def combinations(
    domains: Sequence[Domain], tests: Sequence[Domain], features: Mapping[str, Sequence[str]], seed: int,
    folds: int = FOLDS,
) -> Iterator[Combination]:  # fmt: skip
    """Add one metric after the other, always the one with which the ensemble predicts held-out mixtures best."""
    chosen: tuple[str, ...] = ()

    def validated(metrics: tuple[str, ...]) -> float:
        return float(np.mean(list(cross_validated(_only(domains, metrics, features), seed, folds).values())))

    while len(chosen) < len(features):
        values = {name: validated((*chosen, name)) for name in features if name not in chosen}
        best = max(values, key=values.__getitem__)
        chosen = (*chosen, best)
        train, unseen = _only(domains, chosen, features), _only(tests, chosen, features)
        yield Combination(chosen, values[best], tuple(_tested(train, test) for test in unseen))


def _only(domains: Sequence[Domain], metrics: Sequence[str], features: Mapping[str, Sequence[str]]) -> list[Domain]:
    return [domain.only(name for metric in metrics for name in features[metric]) for domain in domains]


def _folds(domains: Sequence[Domain], seed: int, folds: int) -> Iterator[tuple[list[Domain], list[Domain]]]:
    random = np.random.default_rng(seed)
    for _ in range(folds):
        train, test = [], []
        for domain in domains:
            order = random.permutation(len(domain))
            end = int(TRAINING_SHARE * len(domain))
            train.append(domain.choose(np.sort(order[:end])))
            test.append(domain.choose(np.sort(order[end:])))
        yield train, test


def tested(model: EnsembleModel, test: Domain) -> float:
    return _correlation(model.predict(test.features), test)


def _tested(train: Sequence[Domain], test: Domain) -> float:
    features, human = join_domains(train)
    names = tuple(features)
    return _correlation(fit(matrix(features, names), human, ALPHA).predict(matrix(test.features, names)), test)


def _correlation(predicted: np.ndarray, test: Domain) -> float:
    """Return 0 if either side is constant."""
    if len(test) < 2 or np.ptp(predicted) == 0 or np.ptp(test.human) == 0:
        return 0.0
    return float(pearson(predicted, test.human))


def _mean(found: list[list[float]], place: int) -> float:
    return float(np.mean([fold[place] for fold in found]))
