"""Screens that depend on the judgments so far, beside screens drawn evenly: pairs resolved, bias, and wrong stops.

Systems, judges and effects of texts are as assumed from the rankings of Grundkiewicz et al. (2015). The texts are the
published outputs of twelve systems and the source, where SHARED_DATA has them; the first way repeats the screens of the
published campaign.

With `adaptive --campaigns 18 --replicates 200`, pairs resolved by weighted reports, of 78 pairs of the published
outputs and of 780 of forty made-up systems (6 campaigns), after so many judgments; in brackets those of the
truly best system:

                  13 systems: 900   1,350      2,250      40 systems: 900   1,350       2,250
    of 2015       12 (3.2)          16 (4.1)   20 (5.0)
    published     14 (4.4)          18 (6.1)   24 (7.2)   17 (3.2)          37 (7.8)    60 (11.7)
    chance        19 (6.5)          26 (7.4)   29 (8.3)   18 (2.0)          34 (4.8)    72 (12.8)
    undecided     19 (6.6)          25 (7.2)   29 (8.2)   30 (6.8)          54 (12.3)   107 (19.2)
    first-ranks   20 (6.9)          23 (7.8)   28 (8.8)   24 (6.0)          41 (10.0)   80 (19.2)

A screen of five shows most of what 13 systems wrote, so nothing is left to favour; of forty it shows an eighth.

`bias --campaigns 160 --replicates 200` (five systems, 300 judgments, 800 campaigns): the largest bias of a weighted
score is 0.006 (standard error 0.001) for `chance`, `undecided` and `first-ranks`, from what Bradley-Terry lends;
without weights it is 0.007 for the last two. Intervals of 95% hold the truth in 95.5, 96.6 and 95.5%.

`stops --campaigns 40 --replicates 200` (equal systems, looked at nine times): in 0 of 40 campaigns of each kind is the
best system said to be known; with the unit `sentence` in up to 6 of 40 with two systems, as judges have tastes.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path
from random import Random

import numpy as np

from judgments.assignment.rules.assigning import SAMPLED, Choice, PlanSettings, choose_next, choose_screens
from judgments.assignment.rules.sampling import CHANCE, FIRST_RANKS, UNDECIDED, Favour
from judgments.assignment.rules.sampling import PUBLISHED as AS_PUBLISHED
from ranking.numbers.tables import StatisticsError, Table
from ranking.stats.ballots import BallotCandidates, Ballots, starts_of, together
from ranking.stats.comparisons.standings import tests_of
from ranking.stats.comparisons.study import (
    ANY_TIME,
    BROADEST,
    DESIGN,
    NO_WEIGHTS,
    ComparisonStudy,
    Covariates,
    Names,
    Parameters,
)
from ranking.stats.power.curves import outcome
from ranking.stats.power.worlds import Assumptions, World, assumed_worlds
from ranking.stats.rankings.methods import METHODS
from ranking.stats.rankings.pair_tests import worth_of_pairs
from ranking.stats.rankings.stopping import Goal, PairOfSystems, standing
from ranking.stats.rankings.uncertainty import complete

METHOD = METHODS["expected-wins"]
JUDGES, SHOWN, FIRST, WAVE, LEVEL = 8, 5, 300, 150, 0.95
POINTS = (600, 900, 1350, 2250)
COPIED = "published campaign"
PUBLISHED = Path(__file__).parent.parent / os.environ.get("SHARED_DATA", "../shared") / "data/gjg15"
MANY = 40
CURVES = ("systems", "screens", "judgments", "pairs", "resolved", "of the best", "wrong", "best found", "off by")
# The bias is the mean of this many times as many campaigns as the share of intervals that cover.
OFTEN = 5
BIAS = ("screens", "weights", "bias", "standard error", "covered")
STOPS = ("systems", "screens", "looks", "stopped")
LOOKS = 9


@dataclass(frozen=True)
class Texts:
    """The candidates of each sentence, and the systems behind all of them."""

    choices: list[Choice]
    candidates: BallotCandidates
    systems: int

    @classmethod
    def of(cls, groups: Sequence[Sequence[Sequence[int]]], systems: int) -> "Texts":
        number, choices, members = count(), [], []
        for place, one in enumerate(groups):
            numbers = tuple(next(number) for _ in one)
            choices.append(Choice(place, "", numbers, tuple(map(len, one))))
            members += one
        everyone = np.array([system for one in members for system in one], dtype=np.int32)
        return cls(choices, BallotCandidates(starts_of(list(map(len, members))), everyone), systems)

    @property
    def groups(self) -> np.ndarray:
        """For each sentence (row) and system its candidate, as in `worlds.texts_of`."""
        found = np.full((len(self.choices), self.systems), -1)
        starts, members = self.candidates.starts, self.candidates.members
        for choice in self.choices:
            for one in choice.candidates:
                found[choice.segment, members[starts[one] : starts[one + 1]]] = one
        return found

    def behind(self) -> dict[int, list[int]]:
        starts, members = self.candidates.starts.tolist(), self.candidates.members.tolist()
        return {one: members[starts[one] : starts[one + 1]] for one in range(len(starts) - 1)}


def published_texts() -> Texts | None:
    from tests.published import outputs

    if not PUBLISHED.exists():
        return None
    columns = [lines.texts for lines in outputs().taking_part()]
    return Texts.of([_alike(row) for row in zip(*columns, strict=True)], len(columns))


def made_texts(systems: int, sentences: int, seed: int) -> Texts:
    """Texts of which a third are the source's, and some are those that others wrote."""
    rng = np.random.default_rng(seed)
    kinds = np.where(rng.random((sentences, systems)) < 0.4, rng.integers(0, 2, (sentences, systems)), -1)
    own = np.where(kinds < 0, 2 + np.arange(systems), kinds)
    return Texts.of([_alike(row) for row in own.tolist()], systems)


def _alike(texts: Sequence[object]) -> list[list[int]]:
    groups: dict[object, list[int]] = {}
    for system, text in enumerate(texts):
        groups.setdefault(" ".join(text.split()) if isinstance(text, str) else text, []).append(system)
    return list(groups.values())


Grown = Iterator[tuple[Ballots, np.ndarray]]


def grown(world: World, texts: Texts, sampling: str, seed: int, first: int = FIRST, wave: int = WAVE) -> Grown:
    """The ballots and their weights after the first screens, and after each wave of more."""
    rng, chance = Random(seed), np.random.default_rng(seed)
    settings = PlanSettings(SAMPLED, SHOWN, 1, 20, sampling=sampling, seed=seed)
    judged, weights, offered, minds = None, np.empty(0), 0, None
    even = () if settings.is_adaptive else choose_screens(texts.choices, replace(settings, screens=POINTS[-1]), rng)
    at_once = iter(even)
    while True:
        number = first if judged is None else wave
        if settings.is_adaptive:
            settings, favour = (
                replace(settings, screens=number, sentences_offered=offered),
                _favour(texts, sampling, judged, weights),
            )
            screens, more = choose_next(texts.choices, settings, favour, rng)
            offered += more
        else:
            screens = list(islice(at_once, number))
        blank = _blank(texts, [(screen.segment, screen.candidates) for screen in screens], chance)
        minds = minds or world.minds(blank, chance)
        answered = world.judge(blank, chance, minds)
        judged = answered if judged is None else together(judged, answered)
        weights = np.append(weights, [screen.weight for screen in screens])
        yield judged, weights


def _blank(texts: Texts, screens: Sequence[tuple[int, Sequence[int]]], chance: np.random.Generator) -> Ballots:
    shown = [one for _, one in screens]
    return Ballots(
        systems=texts.systems, judges=JUDGES, documents=len(texts.choices),
        judge=chance.integers(0, JUDGES, len(shown)).astype(np.int32),
        segment=np.array([segment for segment, _ in screens], dtype=np.int32), seconds=np.zeros(len(shown)),
        starts=starts_of([len(one) for one in shown]),
        candidate=np.array([candidate for one in shown for candidate in one], dtype=np.int32),
        merit=np.zeros(sum(map(len, shown))), candidates=texts.candidates,
        document_of=np.arange(len(texts.choices), dtype=np.int32),
    )  # fmt: skip


def _study(judged: Ballots, known: np.ndarray, **chosen: object) -> ComparisonStudy:
    names = Names(tuple(map(str, range(judged.systems))), tuple(map(str, range(judged.judges))))
    parameters = Parameters(methods=(METHOD.name,), replicates=200).with_changes(**chosen)
    return ComparisonStudy(judged, names, parameters, covariates=Covariates(weights=known))


def _favour(texts: Texts, sampling: str, judged: Ballots | None, weights: np.ndarray) -> Favour | None:
    if judged is None:
        return None
    study = _study(judged, weights, weights=DESIGN)
    worth = worth_of_pairs(study.scores(METHOD), complete(study.replicates(METHOD)), LEVEL, sampling == FIRST_RANKS)
    return Favour(worth.tolist(), texts.behind())


def adaptive(campaigns: int, replicates: int) -> Table:
    """Pairs resolved after so many judgments, and those of the truly best system; on more systems, fewer campaigns.

    `off by` is the root of the mean squared error of scores.
    """
    few, many = published_texts() or made_texts(13, 1312, 1), made_texts(MANY, 1312, 1)
    rows = [*_curves(few, campaigns, replicates), *_curves(many, max(1, campaigns // 3), replicates)]
    return Table.of("adaptive", CURVES, rows)


def _curves(texts: Texts, campaigns: int, replicates: int) -> Iterator[tuple]:
    found: dict[tuple[str, int], list[tuple]] = {}
    groups, systems = texts.groups, texts.systems
    pairs = np.array(np.triu_indices(systems, 1))
    for number, world in enumerate(islice(assumed_worlds(Assumptions(), systems, seed=3), campaigns)):
        truth = world.true_scores(groups)
        of_best = (pairs == truth.argmax()).any(axis=0)
        for name, growing in _ways(world, texts, number):
            for judged, weights in growing:
                if len(judged) in POINTS:
                    chosen = _study(judged, weights, replicates=replicates, weights=DESIGN).parameters
                    one = outcome(judged, truth, chosen, Covariates(weights=weights))
                    scores = one.scores if one.scores is not None else np.full(systems, np.nan)
                    error = float(np.sqrt(np.mean((scores - truth) ** 2)))
                    row = (one.rightly.sum() + one.wrongly.sum(), one.rightly[of_best].sum(), one.wrongly.sum(),
                           one.numbers["best_found"], error)  # fmt: skip
                    found.setdefault((name, len(judged)), []).append(row)
                if len(judged) >= POINTS[-1]:
                    break
    yield from ((systems, *key, pairs.shape[1], *np.mean(rows, axis=0)) for key, rows in found.items())


def _ways(world: World, texts: Texts, seed: int) -> Iterator[tuple[str, Grown]]:
    if texts.systems != MANY and (copied := _copied(world, seed)) is not None:
        yield COPIED, copied
    for sampling in (AS_PUBLISHED, CHANCE, UNDECIDED, FIRST_RANKS):
        yield sampling, grown(world, texts, sampling, seed)


def _copied(world: World, seed: int) -> Grown | None:
    """The screens of the published campaign, answered by judges of this world."""
    from tests.ranking.stats.ballots import published_columns

    if not PUBLISHED.exists():
        return None
    judged = world.judge(published_columns(), np.random.default_rng(seed))
    return ((judged.choose(np.arange(point)), np.ones(point)) for point in range(FIRST, POINTS[-1] + 1, WAVE))


def bias(campaigns: int, replicates: int) -> Table:
    """One world of five systems, judged again and again: the largest bias of a score, and how often intervals cover it.

    The standard error is that of the mean of one system's score.
    """
    texts = made_texts(5, 400, 2)
    world = next(assumed_worlds(Assumptions(), texts.systems, seed=4))
    truth, rows = world.true_scores(texts.groups), []
    for sampling in (CHANCE, UNDECIDED, FIRST_RANKS):
        found: dict[str, list[np.ndarray]] = {NO_WEIGHTS: [], DESIGN: []}
        covered: dict[str, list[np.ndarray]] = {NO_WEIGHTS: [], DESIGN: []}
        for number in range(OFTEN * campaigns):
            judged, weights = next(islice(grown(world, texts, sampling, number, 100, 100), 2, None))
            for way in found:
                study = _study(judged, weights, replicates=replicates, weights=way, unit="sentence-and-judge")
                found[way].append(study.scores(METHOD))
                if number < campaigns:
                    low, high = np.quantile(complete(study.replicates(METHOD)), [0.025, 0.975], axis=0)
                    covered[way].append((low <= truth) & (truth <= high))
        for way, scores in found.items():
            error = float((np.std(scores, axis=0) / np.sqrt(len(scores))).max())
            off = float(np.abs(np.mean(scores, axis=0) - truth).max())
            rows.append((sampling, way, off, error, float(np.mean(covered[way]))))
    return Table.of("bias", BIAS, rows)


def stops(campaigns: int, replicates: int) -> Table:
    """Equal systems, looked at after every wave: how often the best one is said to be known."""
    rows: list[tuple] = []
    for systems in (2, 12):
        texts = made_texts(systems, 600, 5)
        world = next(assumed_worlds(Assumptions(), systems, seed=6))
        world = replace(world, abilities=np.zeros(systems))
        for sampling in (CHANCE, UNDECIDED, FIRST_RANKS):
            met = [_stops(world, texts, sampling, number, replicates) for number in range(campaigns)]
            rows.append((systems, sampling, LOOKS, float(np.mean(met))))
    return Table.of("stops", STOPS, rows)


def _stops(world: World, texts: Texts, sampling: str, seed: int, replicates: int) -> bool:
    """Whether the best system is said to be known at any of the looks."""
    for judged, weights in islice(grown(world, texts, sampling, seed), LOOKS):
        study = _study(judged, weights, replicates=replicates, weights=DESIGN, looks=ANY_TIME, unit=BROADEST)
        try:
            scores, drawn = study.scores(METHOD), complete(study.replicates(METHOD))
        except StatisticsError:
            continue
        tests = tests_of(study, scores, drawn)
        better = tests.better(LEVEL)
        pairs = [
            PairOfSystems(str(one), str(other), 0.0, 1.0, bool(better[one, other]), False)
            for one in np.argsort(-scores)
            for other in range(len(scores))
            if one != other and scores[one] >= scores[other]
        ]
        if standing(Goal.BEST, pairs, len(judged)).is_reached:
            return True
    return False
