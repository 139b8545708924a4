"""Simulated ratings of whole texts whose truth is known: do intervals hold it, are equal systems kept together?

A judge's impression of a version is the system's quality plus normal effects of the text, of the text for this system,
of the judge, of the judge for this system, and noise; the rating is the next of the numbers from 1 to `points`. Errors
are a Poisson number about the system's mean, moved by the text and by how much the judge marks.

With `--campaigns 15 --replicates 200`, 4 systems, 4 to 50 texts and 2 to 10 judges who differ, 95% intervals of means
hold the truth in 0.90 to 0.98 of cases, of weighted errors in 0.87 to 0.98, by setting (15 campaigns each). No two of
four equal systems are separated in 0.87 to 1 of the campaigns.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ranking.numbers.tables import Table
from ranking.stats.ballots import BallotCandidates, Ballots
from ranking.stats.essays.study import EssayParameters, EssayStudy, ScaleName, SeverityName
from ranking.stats.essays.systems import MEAN, WEIGHTED, measures_of_errors, measures_on
from ranking.stats.resampling import Unit

EQUAL = "equal systems, none separated"
COVERAGE = ("texts", "judges", "unit", "number", "intervals", "hold the truth", "mean width")
CASES = ((4, 2), (10, 2), (10, 5), (30, 5), (50, 10))
SCALES = ("form", "flow")
SEVERITIES = (SeverityName("minor", 1.0), SeverityName("major", 5.0))
MAJOR = 0.2  # the share of errors


@dataclass(frozen=True)
class Judges:
    """What judges add to each system (column) on each scale, and by what they multiply the number of errors."""

    added: np.ndarray
    marking: np.ndarray


@dataclass(frozen=True)
class EssayWorld:
    quality: tuple[float, ...] = (3.2, 2.9, 2.6, 2.0)
    errors: tuple[float, ...] = (2.0, 3.0, 4.0, 6.0)
    points: int = 4
    text_spread: float = 0.5
    own_spread: float = 0.3
    judge_spread: float = 0.4
    taste_spread: float = 0.2
    noise: float = 0.5
    texts: int = 30
    judges: int = 5
    redundancy: int = 2
    unsaid: float = 0.05

    @property
    def systems(self) -> int:
        return len(self.quality)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"s{number}" for number in range(self.systems))

    def draw_judges(self, rng: np.random.Generator, number: int) -> Judges:
        own = self.judge_spread * rng.standard_normal((number, 1, len(SCALES)))
        taste = self.taste_spread * rng.standard_normal((number, self.systems, len(SCALES)))
        return Judges(own + taste, np.exp(self.judge_spread * rng.standard_normal(number) / 2))

    def draw_texts(self, rng: np.random.Generator, number: int) -> np.ndarray:
        own = self.text_spread * rng.standard_normal((number, 1, len(SCALES)))
        return own + self.own_spread * rng.standard_normal((number, self.systems, len(SCALES)))

    def rated(self, rng: np.random.Generator, texts: np.ndarray, added: np.ndarray) -> np.ndarray:
        impression = np.array(self.quality)[:, None] + texts + added + self.noise * rng.standard_normal(texts.shape)
        return np.clip(np.round(impression), 1, self.points)

    def campaign(self, rng: np.random.Generator, parameters: EssayParameters, judges: Judges) -> EssayStudy:
        texts, each = self.draw_texts(rng, self.texts), min(self.redundancy, self.judges)
        judge = np.argsort(rng.random((self.texts, self.judges)), axis=1)[:, :each].ravel()
        segment = np.repeat(np.arange(self.texts), each)
        numbers = self.rated(rng, texts[segment], judges.added[judge]).reshape(-1, len(SCALES))
        unsaid = rng.random(numbers.shape) < self.unsaid
        mean = np.array(self.errors) * np.exp(texts[segment][:, :, 0]) * judges.marking[judge][:, None]
        shares = np.array([1 - MAJOR, MAJOR])
        ballots = Ballots(
            systems=self.systems, judges=self.judges, documents=self.texts, judge=judge, segment=segment,
            seconds=np.full(len(segment), 300.0), starts=np.arange(len(segment) + 1) * self.systems,
            candidate=(segment[:, None] * self.systems + np.arange(self.systems)).ravel(),
            merit=numbers.mean(axis=1),
            candidates=BallotCandidates(
                np.arange(self.texts * self.systems + 1), np.tile(np.arange(self.systems), self.texts)
            ),
            document_of=np.arange(self.texts),
        )  # fmt: skip
        return EssayStudy(
            ballots, tuple(ScaleName(name, 1, self.points) for name in SCALES), np.where(unsaid, np.nan, numbers),
            unsaid, SEVERITIES, rng.poisson(mean.reshape(-1, 1) * shares).astype(float),
            np.zeros(len(segment), dtype=bool), self.names, tuple(f"j{number}" for number in range(self.judges)),
            parameters,
        )  # fmt: skip

    def truth(self, rng: np.random.Generator, judges: Judges) -> Mapping[str, np.ndarray]:
        """Of many texts, rated by these judges, or by many if there are many."""
        number = 20_000
        judge, texts = rng.integers(0, len(judges.marking), number), self.draw_texts(rng, number)
        means = self.rated(rng, texts, judges.added[judge]).mean(axis=0)
        weight = sum(share * one.weight for share, one in zip((1 - MAJOR, MAJOR), SEVERITIES, strict=True))
        marked = (np.exp(texts[:, :, 0]) * judges.marking[judge][:, None]).mean(axis=0)
        return {
            **dict(zip(SCALES, means.T, strict=True)),
            WEIGHTED: np.array(self.errors) * marked * weight,
        }


def essays(campaigns: int, replicates: int) -> Table:
    """How often intervals of mean scores and of weighted errors hold the truth.

    And how often no two of four equal systems are separated, on any of two scales and by errors.
    """
    rows = []
    for texts, judges in CASES:
        world = EssayWorld(texts=texts, judges=judges)
        for unit in (Unit.SENTENCE, Unit.SENTENCE_AND_JUDGE) if judges >= 5 else (Unit.SENTENCE,):
            rows += _coverage(world, EssayParameters(replicates=replicates, unit=unit.value), campaigns)
    return Table.of("essays", COVERAGE, rows)


def _coverage(world: EssayWorld, parameters: EssayParameters, campaigns: int) -> list[tuple]:
    rng = np.random.default_rng(1)
    alone = parameters.unit == Unit.SENTENCE
    everybody = world.truth(rng, world.draw_judges(rng, 5000))
    equal = replace(
        world, quality=(2.7,) * world.systems, errors=(3.0,) * world.systems, taste_spread=0 if alone else 0.2
    )
    held: dict[str, list[tuple[bool, float]]] = {}
    for _ in range(campaigns):
        judges = world.draw_judges(rng, world.judges)
        truth = world.truth(rng, judges) if alone else everybody
        study = world.campaign(rng, parameters, judges)
        for about, (lines, _) in _lines(study):
            for system, _, _, low, high, *_ in lines:
                held.setdefault(WEIGHTED if about == WEIGHTED else MEAN, []).append(
                    (low <= truth[about][world.names.index(system)] <= high, high - low)
                )
        study = equal.campaign(rng, parameters, equal.draw_judges(rng, world.judges))
        pairs = [pair for _, (_, of_pairs) in _lines(study) for pair in of_pairs]
        widths = [high - low for *_, low, high, _, _ in pairs if low is not None and high is not None]
        held.setdefault(EQUAL, []).append((not any(pair[-1] for pair in pairs), max(widths, default=np.nan)))
    cells = ((name, *zip(*found, strict=True)) for name, found in held.items())
    return [
        (world.texts, world.judges, parameters.unit, name, len(is_held), float(np.mean(is_held)), float(np.mean(width)))
        for name, is_held, width in cells
    ]


def _lines(study: EssayStudy) -> Iterator[tuple[str, tuple[list[tuple], list[tuple]]]]:
    for scale, name in enumerate(SCALES):
        yield name, measures_on(study, scale, MEAN)
    yield WEIGHTED, measures_of_errors(study, np.array([one.weight for one in SEVERITIES]))
