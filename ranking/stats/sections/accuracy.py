"""Choosing the ranking: how well each method foretells judgments that it has not seen, beside what needs no ranking."""

from collections.abc import Iterator

from ranking.stats.ballots import StatisticsError
from ranking.stats.foretelling.accuracy import RECIPES
from ranking.stats.foretelling.accuracy import accuracy as accuracy_of
from ranking.stats.foretelling.baselines import baselines
from ranking.stats.foretelling.foretellers import FORETELLERS
from ranking.stats.study import Study
from ranking.stats.tables import Table


def accuracy(study: Study) -> Iterator[Table]:
    """Table 4: total order on decisive comparisons, clusters on all of them, and the baselines."""
    chosen = study.parameters
    if chosen.folds == "none":
        return
    recipe = RECIPES[chosen.folds]
    methods = [name for name in chosen.methods if name in FORETELLERS]
    if not methods:
        raise StatisticsError("None of the methods foretells comparisons; choose Expected Wins or another one of them.")
    found = {name: accuracy_of(study.ballots, FORETELLERS[name], chosen.seed, recipe) for name in methods}
    rows: list[tuple] = [(name, chosen.folds, of.total.share, of.clustered.share) for name, of in found.items()]
    base = baselines(study.ballots, chosen.seed, recipe)
    rows += [
        ("always a tie", chosen.folds, None, base.tie),
        ("majority of each pair", chosen.folds, base.majority_decisive, base.majority),
        ("the best there could be", chosen.folds, base.best_decisive, base.best),
    ]
    yield Table.of("accuracy", ("method", "folds", "total", "clustered"), rows)
