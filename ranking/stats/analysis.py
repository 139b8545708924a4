"""A report's numbers, all of them, from ballots and parameters: pure, so that anybody can make them again.

Each section makes one or more tables. A section that cannot be made leaves a gap with its reason, and the others are
made all the same.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ranking.stats.ballots import Ballots, StatisticsError
from ranking.stats.clusters import RULES
from ranking.stats.comparisons import Counts, count_by_judge
from ranking.stats.head_to_head import holm, mark_of, sentence_tests, sign_tests
from ranking.stats.methods import METHODS, Method
from ranking.stats.parameters import Parameters
from ranking.stats.ranges import shared_ranks, uncertainty
from ranking.stats.resampling import Unit
from ranking.stats.tables import Table
from ranking.stats.tally import Tally, tally

VERSION = "1.0"
Step = Callable[[str, float], None]

STANDINGS = (
    "method", "unit", "cluster", "rank", "system", "score", "score_low", "score_high", "rank_low", "rank_high",
    "p_best",
)  # fmt: skip
COUNTED = ("rankings", "skipped", "unexpanded", "unexpanded_ties", "expanded", "expanded_ties")


@dataclass(frozen=True)
class Names:
    """What the numbers in ballots stand for."""

    systems: tuple[str, ...]
    judges: tuple[str, ...]


@dataclass(frozen=True)
class Study:
    """Ballots to conclude from, by which parameters."""

    ballots: Ballots
    names: Names
    parameters: Parameters

    @cached_property
    def counted(self) -> Tally:
        """The tally that most sections begin with."""
        return tally(self.ballots)

    def signature(self) -> str:
        """The recipe that travels with the numbers."""
        made_of = [f"judgments:{len(self.ballots)}", f"judges:{len(self.names.judges)}"]
        methods = [f"{name}({METHODS[name].recipe})" for name in self.parameters.methods]
        return "|".join([*methods, *made_of, *self.parameters.recipe()[1:], f"code:{VERSION}"])


@dataclass
class Analysis:
    """The tables of a report, and why some of them are missing."""

    tables: dict[str, Table] = field(default_factory=dict)
    gaps: dict[str, str] = field(default_factory=dict)


def analyse(study: Study, step: Step = lambda name, done: None) -> Analysis:
    """Make every section, saying which one and how far."""
    if not len(study.ballots):
        raise StatisticsError("There are no judgments yet. Judge some screens, then make the report again.")
    if study.ballots.systems < 2:
        raise StatisticsError("There is only one system, so there is nothing to compare it with.")
    analysis = Analysis()
    sections = list(SECTIONS.items())
    for place, (name, section) in enumerate(sections):
        step(name, place / len(sections))
        try:
            for table in section(study):
                analysis.tables[table.name] = table
        except StatisticsError as reason:
            analysis.gaps[name] = str(reason)
    return analysis


def _standings(study: Study) -> Iterator[Table]:
    rows, refused = [], []
    for name in study.parameters.methods:
        try:
            rows += _standings_by(study, METHODS[name])
        except StatisticsError as reason:
            refused.append(f"{METHODS[name].label}: {reason}")
    if not rows:
        raise StatisticsError(" ".join(refused))
    yield Table.of("standings", STANDINGS, rows)
    if refused:
        yield Table.of("standings_refused", ("reason",), [[reason] for reason in refused])


def _standings_by(study: Study, method: Method) -> list[tuple]:
    chosen = study.parameters
    scores = method.scores(study.ballots)
    replicates = method.replicates(study.ballots, Unit(chosen.unit), chosen.replicates, chosen.seed, 0)
    found = uncertainty(replicates, chosen.level)
    order = np.lexsort((np.arange(len(scores)), -scores))
    clusters = RULES[chosen.clusters]([found.ranges[place] for place in order])
    ranks = shared_ranks(scores)
    return [
        (method.name, chosen.unit, cluster, ranks[place], study.names.systems[place], scores[place],
         found.low[place], found.high[place], *found.ranges[place], found.p_best[place])
        for cluster, place in zip(clusters, order, strict=True)
    ]  # fmt: skip


def _head_to_head(study: Study) -> Iterator[Table]:
    if study.parameters.test == "sign":
        tests = sign_tests(study.counted)
        p_values = np.array([test.p_value for test in tests])
    else:
        tests = sentence_tests(study.ballots, study.counted)
        once = [number for number, test in enumerate(tests) if test.system < test.opponent]
        corrected = dict(
            zip(
                [(tests[n].system, tests[n].opponent) for n in once],
                holm([tests[n].p_value for n in once]),
                strict=True,
            )
        )
        p_values = np.array([corrected[min(t.system, t.opponent), max(t.system, t.opponent)] for t in tests])
    names = study.names.systems
    rows = [
        (names[test.system], names[test.opponent], test.wins, test.losses, test.ties, test.share, p, mark_of(p))
        for test, p in zip(tests, p_values, strict=True)
    ]
    yield Table.of("head_to_head", ("system", "opponent", "wins", "losses", "ties", "share", "p_value", "mark"), rows)


def _comparison_counts(study: Study) -> Iterator[Table]:
    counts = count_by_judge(study.ballots)
    rows = [(name, *_counted(of)) for name, of in zip(study.names.judges, counts, strict=True)]
    yield Table.of("comparison_counts", ("judge", *COUNTED), [*rows, ("total", *_counted(sum(counts, Counts())))])


def _counted(counts: Counts) -> tuple[int, ...]:
    pairs = (counts.unexpanded, counts.unexpanded_ties, counts.expanded, counts.expanded_ties)
    return (counts.ballots, counts.skipped, *pairs)


SECTIONS: dict[str, Callable[[Study], Iterator[Table]]] = {
    "comparison_counts": _comparison_counts,
    "standings": _standings,
    "head_to_head": _head_to_head,
}
