"""Choosing the ranking: how well each method predicts judgments that it has not seen, beside what needs no ranking."""

from collections.abc import Iterator

from ranking.numbers.tables import Gap, StatisticsError, Table
from ranking.stats.comparisons.study import Study
from ranking.stats.prediction.accuracy import RECIPES, accuracies, baselines
from ranking.stats.rankings.methods import METHODS


def accuracy(study: Study) -> Iterator[Table | Gap]:
    """Table 4: total order on decisive comparisons, clusters on all of them, and the baselines."""
    chosen = study.parameters
    if chosen.folds == "none":
        return
    recipe = RECIPES[chosen.folds]
    methods = [name for name in chosen.methods if METHODS[name].predicts]
    if not methods:
        raise StatisticsError("None of the methods predicts comparisons; choose Expected Wins or another one of them.")
    found = accuracies(study.ballots, [METHODS[name] for name in methods], chosen.seed, recipe)
    rows: list[tuple] = []
    for name, of in zip(methods, found, strict=True):
        if isinstance(of, StatisticsError):
            yield Gap(f"accuracy of {METHODS[name].label}", str(of))
        else:
            rows.append((name, chosen.folds, of.total.share, of.clustered.share))
    base = baselines(study.ballots, chosen.seed, recipe)
    rows += [
        ("always a tie", chosen.folds, None, base.tie),
        ("majority of each pair", chosen.folds, base.majority_decisive, base.majority),
        ("the best there could be", chosen.folds, base.best_decisive, base.best),
    ]
    yield Table.of("accuracy", ("method", "folds", "total", "clustered"), rows)
