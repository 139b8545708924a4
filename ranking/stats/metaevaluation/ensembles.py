"""How well an ensemble predicts held-out scores, and the loss without a system or a domain in training.

Each of 50 folds draws three quarters of the systems and mixtures for training and tests on the rest by Pearson's
correlation (Napoles et al. 2019, section 6.1). Both parts have mixtures of the same systems, so this is optimistic; the
honest test leaves out a system or a domain.

Combinations are chosen by what they are validated on, so the best of them is flattered; unseen domains tell.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ranking.metrics.ensemble import ALPHA, Domain, EnsembleModel, fit, join_domains, matrix
from ranking.numbers.correlation import pearson

FOLDS, TRAINING_SHARE = 50, 0.75


def cross_validate(domains: Sequence[Domain], seed: int, folds: int = FOLDS) -> dict[str, float]:
    """Mean correlation on the instances of each domain that were not drawn for training."""
    found = [[_train_and_test(train, test) for test in tests] for train, tests in _folds(domains, seed, folds)]
    return dict(zip((domain.name for domain in domains), np.mean(found, axis=0).tolist(), strict=True))


def without_systems(
    domains: Sequence[Domain], names: Sequence[str], seed: int, folds: int = FOLDS
) -> Iterator[tuple[str, str, float, float]]:
    """For each domain and system, how well its mixtures are predicted with and without it in training."""
    for number, name in enumerate(names):
        found = []
        for train, tests in _folds(domains, seed, folds):
            less = [domain.without(number) for domain in train]
            touched = [test.choose((test.pairs == number).any(axis=1)) for test in tests]
            found.append([[_train_and_test(part, test) for part in (train, less)] for test in touched])
        for place, domain in enumerate(domains):
            yield domain.name, name, *_means(found, place)


def without_domains(
    domains: Sequence[Domain], seed: int, folds: int = FOLDS
) -> Iterator[tuple[str, str, float, float]]:
    """For each domain, how well it is predicted with it in training, and from the others alone."""
    if len(domains) < 2:
        return
    found = []
    for train, tests in _folds(domains, seed, folds):
        others = [[*train[:place], *train[place + 1 :]] for place in range(len(train))]
        both = zip(others, tests, strict=True)
        found.append([[_train_and_test(part, test) for part in (train, less)] for less, test in both])
    for place, domain in enumerate(domains):
        yield domain.name, domain.name, *_means(found, place)


def combinations(
    domains: Sequence[Domain], tests: Sequence[Domain], features: Mapping[str, Sequence[str]], seed: int,
    folds: int = FOLDS,
) -> Iterator[tuple[tuple[str, ...], float, list[float]]]:  # fmt: skip
    """Add one metric after the other, always the one with which the ensemble predicts held-out mixtures best.

    Each combination comes with its mean correlation by cross-validation, and that on each domain it has not seen.
    """

    def limit(every: Sequence[Domain], metrics: Sequence[str]) -> list[Domain]:
        return [domain.only(name for metric in metrics for name in features[metric]) for domain in every]

    def validate(metrics: Sequence[str]) -> float:
        return float(np.mean(list(cross_validate(limit(domains, metrics), seed, folds).values())))

    chosen: tuple[str, ...] = ()
    while len(chosen) < len(features):
        values = {name: validate((*chosen, name)) for name in features if name not in chosen}
        best = max(values, key=values.__getitem__)
        chosen = (*chosen, best)
        train = limit(domains, chosen)
        yield chosen, values[best], [_train_and_test(train, test) for test in limit(tests, chosen)]


def correlation_on(test: Domain, model: EnsembleModel) -> float:
    return _correlation(model.predict(test.features), test)


def _folds(domains: Sequence[Domain], seed: int, folds: int) -> Iterator[tuple[list[Domain], list[Domain]]]:
    """Yield what to train on and what to test on."""
    random = np.random.default_rng(seed)
    for _ in range(folds):
        train, test = [], []
        for domain in domains:
            order, end = random.permutation(len(domain)), int(TRAINING_SHARE * len(domain))
            train.append(domain.choose(np.sort(order[:end])))
            test.append(domain.choose(np.sort(order[end:])))
        yield train, test


def _train_and_test(train: Sequence[Domain], test: Domain) -> float:
    features, human = join_domains(train)
    names = tuple(features)
    return _correlation(fit(matrix(features, names), human, ALPHA).predict(matrix(test.features, names)), test)


def _means(found: list[list[list[float]]], place: int) -> tuple[float, float]:
    """Mean over folds of the correlations of one domain, with something in training and without it."""
    seen, unseen = zip(*(fold[place] for fold in found), strict=True)
    return float(np.mean(seen)), float(np.mean(unseen))


def _correlation(predicted: np.ndarray, test: Domain) -> float:
    """Return 0 if either side is constant."""
    if len(test) < 2 or np.ptp(predicted) == 0 or np.ptp(test.human) == 0:
        return 0.0
    return float(pearson(predicted, test.human))
