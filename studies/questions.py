"""The four questions in simulated campaigns: how often an answer is false, and how much is decided.

Each line has the shares of campaigns in which some answer to a question is false, and what is decided: rivals of eleven
excluded as the best, truly better systems shown to beat the source (`s5`), unequal pairs resolved, groups found. Beside
them stands what the tests of all pairs together decide of the same, from the same replicates.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ranking.numbers.tables import Table
from ranking.stats.rankings.methods import METHODS
from ranking.stats.rankings.pair_tests import pair_tests
from ranking.stats.rankings.questions import Questions
from ranking.stats.resampling import Unit
from studies.worlds import FIFTY, World

METHOD, LEVEL, SOURCE = METHODS["expected-wins"], 0.95, 5
FALSE = ("false best", "false source", "false boundary", "false pair")
DECIDED = (
    "not the best", "behind in all pairs", "beat source", "beat it in all pairs", "pairs", "groups", "by all pairs"
)  # fmt: skip
COLUMNS = ("systems", "judges", "tastes", "judgments a sentence", "shown", "unit", *FALSE, *DECIDED)
SYSTEMS = {
    "groups": World((0.5, 0.2, 0.2, 0.2, 0, 0, 0, 0, -0.2, -0.2, -0.2, -0.7)),
    "all equal": World((0.0,) * 12),
    "evenly spaced": World(tuple(np.linspace(0.5, -0.5, 12).tolist())),
    "nearly equal": World(tuple(np.linspace(0.1, -0.1, 12).tolist())),
    "one clear best": World((0.8, *(0.0,) * 11)),
    "three groups": World((*(1.1,) * 4, *(0.0,) * 4, *(-1.1,) * 4)),
    "fifty": FIFTY,
}
TASTES = {
    "agree": {},
    "tastes of their own": {"taste_spread": 0.3},
    "one direction": {"direction_spread": 0.3},
    "kinds of edits": {"direction_spread": 0.3, "directions": 3},
}
# Systems, judges, tastes, judgments of a sentence, outputs shown; the default of the platform is 8 judges, one judgment
# of a sentence and screens of five.
CELLS = (
    *(("groups", 8, tastes, judged, 5) for tastes in TASTES for judged in (1, 4)),
    ("groups", 8, "agree", 4, 2),
    *(("all equal", judges, tastes, 1, 5) for tastes in TASTES for judges in (5, 8, 20)),
    ("all equal", 8, "agree", 2, 2),
    *(("all equal", judges, "one direction", 2, 5) for judges in (3, 5, 20)),
    *((systems, 8, "agree", 1, 5) for systems in ("evenly spaced", "nearly equal", "one clear best", "fifty")),
    *(("three groups", 8, "agree", judged, 5) for judged in (1, 4)),
)


def questions(campaigns: int, replicates: int) -> Table:
    rows = [row for cell in CELLS for row in _of_cell(*cell, campaigns, replicates)]
    return Table.of("questions", COLUMNS, rows)


def _of_cell(
    systems: str, judges: int, tastes: str, judged: int, shown: int, campaigns: int, replicates: int
) -> Iterator[tuple]:
    rng = np.random.default_rng(46)
    world = replace(SYSTEMS[systems], judges=judges, redundancy=judged, shown=shown, **TASTES[tastes])  # type: ignore[arg-type]
    found: dict[Unit, list[tuple]] = {Unit.SENTENCE: [], Unit.SENTENCE_AND_JUDGE: []}
    for _ in range(campaigns):
        study = world.study(world.campaign(world.tastes(rng), rng), replicates)
        for unit, answers in found.items():
            under = study.with_parameters(unit=unit.value)
            answers.append(_answers(world.groups, under.scores(METHOD), under.replicates(METHOD)))
    for unit, answers in found.items():
        yield (
            systems,
            judges,
            tastes,
            judged,
            shown,
            unit.value,
            *np.mean(np.array(answers, dtype=float), axis=0).tolist(),
        )


def _answers(groups: np.ndarray, scores: np.ndarray, replicates: np.ndarray) -> tuple:
    """What is false, and what is decided; of systems that share the first place each may be kept."""
    asked = Questions(scores, replicates, LEVEL)
    out = asked.not_the_best().holding(LEVEL)
    beat = asked.better_than(SOURCE)
    beating, better = beat.system[beat.holding(LEVEL)], np.flatnonzero(groups < groups[SOURCE])
    order_of = np.argsort(-scores, kind="stable")
    order = groups[order_of]
    boundaries = 1 + np.flatnonzero(asked.breaks().holding(LEVEL))
    differ, truly = pair_tests(scores, replicates, LEVEL).better(LEVEL), groups[:, None] < groups
    ranked = differ[np.ix_(order_of, order_of)]
    separated = sum(bool(ranked[:at, at:].all()) for at in range(1, len(ranked)))
    return (
        out[groups == 0].mean(),
        bool(np.setdiff1d(beating, better).size),
        any(order[:at].max() >= order[at:].min() for at in boundaries),
        bool((differ & ~truly).any()),
        out[groups > 0].sum(),
        differ[:, groups > 0].any(axis=0).sum(),
        np.isin(better, beating).mean() if better.size else np.nan,
        differ[better, SOURCE].mean() if better.size else np.nan,
        differ.sum(),
        1 + len(boundaries),
        1 + separated,
    )
