"""Whole reports, without the database: a study in, tables out, section by section; kernels are compiled beforehand."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from time import perf_counter
from typing import NamedTuple

import numpy as np

from benchmarks.ballots import Shape, made_ballots, published_or_made
from benchmarks.harness import Measured, Row, apart, timed
from benchmarks.replicates import count_once
from ranking.metrics.material import Edit, difference
from ranking.stats.analysis import analyse
from ranking.stats.answers import Answers
from ranking.stats.ballots import Ballots
from ranking.stats.comparisons import SECTIONS as OF_COMPARISONS
from ranking.stats.comparisons.standings import WITHOUT
from ranking.stats.comparisons.study import PRESETS, ComparisonStudy, Covariates, Names, Parameters
from ranking.stats.corrections import SECTIONS as OF_CORRECTIONS
from ranking.stats.corrections.scoring import Corrections
from ranking.stats.corrections.study import PRESETS as CORRECTION_PRESETS
from ranking.stats.corrections.study import CorrectionParameters, CorrectionStudy
from ranking.stats.edits import SECTIONS as OF_EDITS
from ranking.stats.edits.study import EditParameters
from ranking.stats.essays import SECTIONS as OF_ESSAYS
from ranking.stats.essays.study import EssayParameters, EssayStudy
from ranking.stats.metaevaluation.scores import MetricScores, ScoreLevel
from ranking.stats.resampling import draw
from ranking.stats.verdicts import SECTIONS as OF_VERDICTS
from ranking.stats.verdicts.study import PRESETS as VERDICT_PRESETS
from ranking.stats.verdicts.study import VerdictDocument, VerdictNames, VerdictStudy
from studies.edits import EditWorld
from studies.essays import EssayWorld
from tests.services.texts import made_texts

ALONE = ("expected-wins-published",)
THEIRS, OURS = PRESETS["grundkiewicz2015"], PRESETS["recommended"]
# With how many metrics.
REPORTS = {
    "grundkiewicz2015, Expected Wins alone": (THEIRS.with_changes(methods=ALONE), 0),
    "grundkiewicz2015": (THEIRS, 0),
    "recommended": (OURS, 0),
    "recommended, ten metrics": (OURS, 10),
}
IN_SECTIONS = ("grundkiewicz2015", "recommended")
# Verdicts: judges, systems, the share of hard usages, and how often judges are right on easy and on hard ones.
CROWD, EXPERTS, SYSTEMS = 20, 3, 3
HARD, SURE, UNSURE = 0.25, 0.93, 0.6
# Corrections: sentences per document, and categories of edits.
A_DOCUMENT, CATEGORIES = 26, 28


class Reported(NamedTuple):
    """The seconds of each section, and of the reference; and the size, if it is left to chance."""

    sections: dict[str, float]
    reference: float = 0
    size: int = 0


def reports(small: bool) -> list[Row]:
    """Reports on 2,319 rankings; the reference lists every comparison once and counts it in plain Python."""
    ballots, label = published_or_made(small)
    counted = apart(count_once, ballots).value
    rows = [Row.of("reference: count one by one", label, counted, counted.seconds)]
    for name in IN_SECTIONS if small else REPORTS:
        parameters, metrics = REPORTS[name]
        parameters = parameters.with_changes(replicates=200) if small else parameters
        found = apart(of_ballots, partial(repeated, small, 1), parameters, metrics).value
        rows += _rows(name, label, found, counted.seconds, name in IN_SECTIONS)
    return rows


def growth(small: bool) -> list[Row]:
    """CPU of the recommended report on ever more rankings: those published, again and again, then of 50 systems.

    If every system has its own candidate, one makes 10 comparisons, if equal outputs are one candidate about 320.
    """
    times, sizes = ((1,), (100,)) if small else ((1, 100, 1_000), (1_000, 100_000, 1_000_000))
    own = Shape(0, 5, 3, False) if small else Shape(0, 50, 40, False)
    makers = {
        "published": [partial(repeated, small, each) for each in times],
        "candidates of their own": [partial(made_ballots, own._replace(rankings=each)) for each in sizes],
        "equal ones together": [partial(made_ballots, own._replace(rankings=each, collapsed=True)) for each in sizes],
    }
    rows = []
    for kind, every in makers.items():
        counted = apart(count_once, few := every[0]()).value
        for make in every:
            found = apart(of_ballots, make, OURS.with_changes(replicates=200) if small else OURS).value
            plain, size = counted.computed * found.value.size / len(few), f"{found.value.size:,} rankings"
            rows.append(Row(f"reference: count one by one, {kind}", size, plain, counted.megabytes, 1))
            rows.append(Row(f"recommended, {kind}", size, found.computed, found.megabytes, found.computed / plain))
    return rows


def repeated(small: bool, times: int) -> Ballots:
    return (ballots := published_or_made(small)[0]).choose(np.tile(np.arange(len(ballots)), times))


def of_ballots(make: Callable[[], Ballots], parameters: Parameters, metrics: int = 0) -> Measured[Reported]:
    """Report on ballots; making them is not timed."""
    _analysed(_study(made_ballots(Shape(rankings=60)), parameters.with_changes(replicates=200, folds="none"), metrics))
    study = _study(make(), parameters, metrics)
    found = timed(lambda: _analysed(study))
    return found._replace(value=found.value._replace(size=len(study.ballots)))


def _study(ballots: Ballots, parameters: Parameters, metrics: int) -> ComparisonStudy:
    """Metrics give each output a score by chance."""
    names = Names(_numbered("system", ballots.systems), _numbered("judge", ballots.judges))
    scores = np.random.default_rng(1).random((metrics, ballots.segments, ballots.systems))
    scored = (MetricScores(f"metric {number}", ScoreLevel.SENTENCE, one) for number, one in enumerate(scores))
    return ComparisonStudy(ballots, names, parameters, covariates=Covariates(metrics=tuple(scored)))


def verdicts(small: bool) -> list[Row]:
    """Three systems judged by a crowd of 20 and three experts; the reference counts the crowd once, in plain Python."""
    return _grown(of_verdicts, (100,) if small else (1_000, 50_000), "verdicts", "madnani2011")


def of_verdicts(usages: int) -> Measured[Reported]:
    study = made_verdicts(usages)
    crowd = study.crowd_verdicts
    plain = timed(lambda: Counter(zip(crowd.unit.tolist(), crowd.value.tolist(), strict=True)))
    draw(parts=1, replicates=1, seed=0)
    found = timed(lambda: _analysed(study))
    return found._replace(value=found.value._replace(reference=plain.seconds, size=len(crowd.unit)))


def made_verdicts(usages: int, seed: int = 1) -> VerdictStudy:
    """Generate verdicts; half of the usages are errors, and a quarter is hard, where judges often differ."""
    random = np.random.default_rng(seed)
    judges = CROWD + EXPERTS
    truth = random.random(usages) < 0.5
    skill = np.where(random.random(usages) < HARD, UNSURE, SURE)
    finding = np.where(random.random((usages, judges)) < skill[:, None], truth[:, None], ~truth[:, None])
    usage, judge = np.indices(finding.shape)
    nothing = np.zeros(finding.size, dtype=bool)
    cast = Answers(
        usage.ravel(), judge.ravel(), finding.ravel().astype(np.int64), usages, judges,
        seconds=np.full(finding.size, 4.0), is_repeat=nothing, is_control=nothing,
    )  # fmt: skip
    return VerdictStudy(
        verdicts=cast, gold=np.full(usages, np.nan), document=np.arange(usages) % 2,
        is_expert=np.arange(judges) >= CROWD, skipped=np.zeros(judges, dtype=np.int64),
        classes=np.where(random.random((SYSTEMS, usages)) < 0.75, truth, ~truth).astype(float),
        names=VerdictNames(
            _numbered("system", SYSTEMS), _numbered("judge", judges), _numbered("usage", usages),
            (VerdictDocument("essays", "first year"), VerdictDocument("letters", "second year")),
        ),
        parameters=VERDICT_PRESETS["madnani2011"],
    )  # fmt: skip


def corrections(small: bool) -> list[Row]:
    """Measure sizes as in the paper; the reference counts the edits once, in plain Python."""
    sentences, judges = (60, 4) if small else (1312, 10)
    size, rows = f"{judges} x {sentences:,} x {SYSTEMS} systems", []
    for name, preset in CORRECTION_PRESETS.items():
        found = apart(of_corrections, sentences, judges, preset.with_changes(documents=2) if small else preset).value
        reference = found.value.reference
        if not rows:
            rows.append(Row("reference: count the edits once, in Python", size, reference, found.megabytes, 1))
        rows += _rows(name, size, found, reference)
    return rows


def of_corrections(sentences: int, judges: int, parameters: CorrectionParameters) -> Measured[Reported]:
    """Measure the report on generated corrections, and the time to count their edits once."""
    _analysed(CorrectionStudy(made_corrections(60, 4), parameters.with_changes(replicates=200, documents=1), 1))
    made = made_corrections(sentences, judges)
    every = enumerate(made.edits)
    plain = timed(lambda: Counter((judge, edit) for judge, row in every for edits in row for edit in edits or ()))
    found = timed(lambda: _analysed(CorrectionStudy(made, parameters, sentences * judges)))
    return found._replace(value=found.value._replace(reference=plain.seconds))


def made_corrections(sentences: int, judges: int) -> Corrections:
    """Generate judges like systems; the place of an edit determines its category."""
    texts = made_texts(sentences, judges, SYSTEMS)
    return Corrections(
        tuple(texts.source),
        tuple(place // A_DOCUMENT for place in range(sentences)),
        _numbered("judge", judges),
        tuple(tuple(map(_edits, texts.source, column)) for column in texts.outputs),
        _numbered("system", SYSTEMS),
        tuple(map(tuple, texts.references)),
    )


def _edits(text: str, line: str) -> tuple[Edit, ...]:
    found = difference(text.split(), line.split())
    return tuple(Edit(start, end, to, f"category {start % CATEGORIES}") for start, end, to in found)


def _numbered(name: str, number: int) -> tuple[str, ...]:
    return tuple(f"{name} {place}" for place in range(number))


def edits(small: bool) -> list[Row]:
    """Versions of five systems, each sentence judged twice; the reference counts the verdicts once, in plain Python."""
    return _grown(of_edits, (400,) if small else (1_000, 5_000), "verdicts")


def essays(small: bool) -> list[Row]:
    """Versions of four systems, each text rated twice on two scales; the reference counts the numbers once."""
    return _grown(of_essays, (400,) if small else (1_250, 6_250), "ratings")


def _grown(
    report: Callable[[int], Measured[Reported]], sizes: Sequence[int], what: str, preset: str = "recommended"
) -> list[Row]:
    rows = []
    for each in sizes:
        found = apart(report, each).value
        size, reference = f"{found.value.size:,} {what}", found.value.reference
        rows.append(Row("reference: count one by one", size, reference, found.megabytes, 1))
        rows += _rows(preset, size, found, reference)
    return rows


def of_edits(sentences: int) -> Measured[Reported]:
    world = EditWorld(right=(0.8, 0.75, 0.7, 0.6, 0.5), strength=(0.0,) * 5, sentences=sentences, judges=8)
    study = world.campaign(np.random.default_rng(1), EditParameters())
    marks = study.marks
    plain = timed(lambda: Counter(zip(marks.row.tolist(), marks.edit.tolist(), marks.verdict.tolist(), strict=True)))
    draw(parts=1, replicates=1, seed=0)
    found = timed(lambda: _analysed(study))
    return found._replace(value=found.value._replace(reference=plain.seconds, size=len(marks)))


def of_essays(texts: int) -> Measured[Reported]:
    _analysed(_essay_study(60, EssayParameters(replicates=200)))
    study = _essay_study(texts, EssayParameters())
    ballots, numbers = study.ballots, study.numbers.tolist()
    plain = timed(lambda: Counter(
        (version, scale, number)
        for version, row in zip(ballots.candidate.tolist(), numbers, strict=True) for scale, number in enumerate(row)
    ))  # fmt: skip
    found = timed(lambda: _analysed(study))
    return found._replace(value=found.value._replace(reference=plain.seconds, size=study.numbers.size))


def _essay_study(texts: int, parameters: EssayParameters) -> EssayStudy:
    world, rng = EssayWorld(texts=texts, judges=8, unsaid=0), np.random.default_rng(1)
    return world.campaign(rng, parameters, world.draw_judges(rng, world.judges))


SECTIONS = {
    "comparisons": OF_COMPARISONS, "verdicts": OF_VERDICTS, "corrections": OF_CORRECTIONS, "edits": OF_EDITS,
    "essays": OF_ESSAYS,
}  # fmt: skip


def _analysed(study: ComparisonStudy) -> Reported:
    began: list[tuple[str, float]] = []
    made = analyse(study, SECTIONS[study.kind], lambda name, done: began.append((name, perf_counter())))
    if unexpected := made.gaps.keys() - {WITHOUT}:
        raise SystemExit(f"The report has gaps: {unexpected}")
    sections = Counter[str]()
    for (name, start), (_, end) in pairwise([*began, ("", perf_counter())]):
        # A section that takes long names its parts after a comma.
        sections[name.partition(",")[0]] += end - start
    return Reported(sections)


def _rows(what: str, size: str, found: Measured[Reported], reference: float, in_sections: bool = True) -> Iterator[Row]:
    yield Row.of(what, size, found, reference)
    for name, seconds in found.value.sections.items() if in_sections else ():
        yield Row(f"  {name}", size, seconds, found.megabytes, seconds / reference)
