"""The four questions in simulated campaigns: how often an answer is false, and how much is decided.

Each line has the shares of campaigns in which some answer to a question is false, and what is decided: rivals of eleven
excluded as the best, truly better systems shown to beat the source (`s5`), unequal pairs resolved, boundaries found.
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
DECIDED = ("not the best", "beat source", "pairs", "share of pairs", "boundaries")
COLUMNS = ("systems", "judges", "tastes", "judgments a sentence", "unit", *FALSE, *DECIDED)
SYSTEMS = {
    "groups": World((0.5, 0.2, 0.2, 0.2, 0, 0, 0, 0, -0.2, -0.2, -0.2, -0.7)),
    "all equal": World((0.0,) * 12),
    "evenly spaced": World(tuple(np.linspace(0.5, -0.5, 12).tolist())),
    "nearly equal": World(tuple(np.linspace(0.1, -0.1, 12).tolist())),
    "one clear best": World((0.8, *(0.0,) * 11)),
    "three groups": World((*(0.7,) * 4, *(0.0,) * 4, *(-0.7,) * 4)),
    "fifty": FIFTY,
}
TASTES = {
    "agree": {},
    "tastes of their own": {"taste_spread": 0.3},
    "one direction": {"direction_spread": 0.3},
}
# Systems, judges, tastes, judgments of a sentence; the default of the platform is 8 judges and one judgment.
CELLS = (
    *(("groups", 8, tastes, judged) for tastes in TASTES for judged in (1, 4)),
    *(("all equal", judges, tastes, 1) for tastes in TASTES for judges in (5, 8, 20)),
    *(("all equal", judges, "one direction", 2) for judges in (3, 5, 20)),
    *((systems, 8, "agree", 1) for systems in ("evenly spaced", "nearly equal", "one clear best", "fifty")),
    ("three groups", 8, "agree", 4),
)


def questions(campaigns: int, replicates: int) -> Table:
    rows = [row for cell in CELLS for row in _of_cell(*cell, campaigns, replicates)]
    return Table.of("questions", COLUMNS, rows)


def _of_cell(systems: str, judges: int, tastes: str, judged: int, campaigns: int, replicates: int) -> Iterator[tuple]:
    rng = np.random.default_rng(46)
    world = replace(SYSTEMS[systems], judges=judges, redundancy=judged, **TASTES[tastes])  # type: ignore[arg-type]
    found: dict[Unit, list[tuple]] = {Unit.SENTENCE: [], Unit.SENTENCE_AND_JUDGE: []}
    for _ in range(campaigns):
        study = world.study(world.campaign(world.tastes(rng), rng), replicates)
        for unit, answers in found.items():
            under = study.with_parameters(unit=unit.value)
            answers.append(_answers(world.groups, under.scores(METHOD), under.replicates(METHOD)))
    for unit, answers in found.items():
        yield (systems, judges, tastes, judged, unit.value, *np.mean(np.array(answers, dtype=float), axis=0).tolist())


def _answers(groups: np.ndarray, scores: np.ndarray, replicates: np.ndarray) -> tuple:
    """What is false, and what is decided; of systems that share the first place each may be kept."""
    asked = Questions(scores, replicates, LEVEL)
    out = asked.not_the_best().holding(LEVEL)
    beat = asked.better_than(SOURCE)
    beating, better = beat.system[beat.holding(LEVEL)], np.flatnonzero(groups < groups[SOURCE])
    order = groups[np.argsort(-scores, kind="stable")]
    boundaries = 1 + np.flatnonzero(asked.breaks().holding(LEVEL))
    differ, truly = pair_tests(scores, replicates, LEVEL).better(LEVEL), groups[:, None] < groups
    return (
        out[groups == 0].mean(),
        bool(np.setdiff1d(beating, better).size),
        any(order[:at].max() >= order[at:].min() for at in boundaries),
        bool((differ & ~truly).any()),
        out[groups > 0].sum(),
        np.isin(better, beating).mean() if better.size else np.nan,
        differ.sum(),
        differ[truly].mean() if truly.any() else np.nan,
        len(boundaries),
    )
