"""Reports on comparisons: their sections in order, and the lossless file format of their studies.

study.json        kind, names, parameters, and other single values
judgments.csv     a line per ballot, with its weight if that of all is known; its answer is `candidate:merit` for each
                  candidate, in the order shown
candidates.csv    the systems of each candidate
sentences.csv     the document of each sentence
distinct.csv      the number of distinct outputs of each sentence
metric_scores.csv the scores by each metric of the systems, or of their outputs for each sentence
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import pairwise
from math import isnan, nan

import numpy as np

from ranking.numbers.spreadsheets import columns_of, undefused, written_lines
from ranking.stats.analysis import Day, Sections, StudyKind, by_day, of_independent
from ranking.stats.ballots import Ballots, Candidates, starts_of
from ranking.stats.comparisons.parameters import PRESETS, Parameters
from ranking.stats.comparisons.sections import (
    compared,
    judges,
    judges_alone,
    metric_correlations,
    metric_rankings,
    metrics,
    standings,
)
from ranking.stats.comparisons.study import Covariates, Names, Study
from ranking.stats.metaevaluation.scores import Level, MetricScores

Rows = Iterable[Sequence[object]]


def written(study: Study) -> dict[str, str]:
    ballots, covariates = study.ballots, study.covariates
    values = {
        "kind": study.kind,
        "systems": study.names.systems,
        "judges": study.names.judges,
        "numbers": {"systems": ballots.systems, "judges": ballots.judges, "documents": ballots.documents},
        "are_ratings": study.are_ratings,
        "parameters": asdict(study.parameters),
        "days": covariates.days,
        "lacking": covariates.lacking,
    }
    systems = list(map(str, ballots.candidates.members.tolist()))
    members = (" ".join(systems[first:after]) for first, after in pairwise(ballots.candidates.starts.tolist()))
    return {
        "study.json": json.dumps(values, ensure_ascii=False, indent=1) + "\n",
        "judgments.csv": written_lines(("judge", "sentence", "seconds", "weight", "answer"), _judgments(study)),
        "candidates.csv": "\n".join(["systems", *members, ""]),
        "sentences.csv": written_lines(("document",), zip(ballots.document_of.tolist(), strict=True)),
        "distinct.csv": written_lines(("distinct",), zip(covariates.distinct.tolist(), strict=True)),
        "metric_scores.csv": written_lines(("metric", "level", "sentence", "scores"), _metrics(covariates.metrics)),
    }


def read(files: Mapping[str, str]) -> Study:
    values = json.loads(files["study.json"])
    judge, segment, seconds, weights, answers = _read_judgments(files["judgments.csv"])
    (documents,) = columns_of(files["sentences.csv"], 1)
    (distinct,) = columns_of(files["distinct.csv"], 1)
    behind = files["candidates.csv"].split("\n")[1:-1]
    rows = _numbers(" ".join(answers).replace(":", " ")).reshape(-1, 2)
    ballots = Ballots(
        **values["numbers"],
        judge=judge,
        segment=segment,
        seconds=seconds,
        starts=starts_of([answer.count(":") for answer in answers]),
        candidate=rows[:, 0].astype(np.int32),
        merit=rows[:, 1].copy(),
        candidates=Candidates(
            starts_of([members.count(" ") + 1 for members in behind]), _numbers(" ".join(behind)).astype(np.int32)
        ),
        document_of=np.array(documents, dtype=np.int32),
    )
    covariates = Covariates(
        np.array(distinct, dtype=np.int64),
        tuple(Day(*day) for day in values["days"]),
        _read_metrics(files["metric_scores.csv"]),
        values["lacking"],
        weights,
    )
    names = Names(tuple(values["systems"]), tuple(values["judges"]))
    return Study(ballots, names, Parameters.of(values["parameters"]), values["are_ratings"], covariates)


def _judgments(study: Study) -> Iterator[tuple]:
    ballots, weights = study.ballots, study.covariates.weights.tolist()
    # There are few merits and many answers, so each merit is formatted once.
    merits, merit_of = np.unique(ballots.merit, return_inverse=True)
    texts = [f":{merit:.17g}" for merit in merits.tolist()]
    answers = [
        candidate + texts[merit]
        for candidate, merit in zip(map(str, ballots.candidate.tolist()), merit_of.tolist(), strict=True)
    ]
    columns = (ballots.judge.tolist(), ballots.segment.tolist(), ballots.seconds.tolist())
    of_ballots = (*columns, weights or [""] * len(ballots), pairwise(ballots.starts.tolist()))
    for judge, segment, seconds, weight, (first, after) in zip(*of_ballots, strict=True):
        yield judge, segment, "" if isnan(seconds) else repr(seconds), weight, " ".join(answers[first:after])


def _read_judgments(text: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, list[str]]:
    """Read column by column, without a list of all rows."""
    number = text.count("\n") - 1
    judge, segment = np.empty(number, dtype=np.int32), np.empty(number, dtype=np.int32)
    seconds, weights, answers = np.full(number, nan), np.full(number, nan), []
    rows = csv.reader(io.StringIO(text))
    next(rows)
    for place, (by, on, time, weight, answer) in enumerate(rows):
        judge[place], segment[place] = int(by), int(on)
        if time:
            seconds[place] = float(undefused(time))
        if weight:
            weights[place] = float(weight)
        answers.append(answer)
    return judge, segment, seconds, weights[~np.isnan(weights)], answers


def _numbers(text: str) -> np.ndarray:
    return np.fromstring(text, sep=" ") if text.strip() else np.empty(0)


def _metrics(metrics: Iterable[MetricScores]) -> Iterator[tuple]:
    for metric in metrics:
        rows = metric.scores if metric.level is Level.SENTENCE else metric.scores[None, :]
        for sentence, row in enumerate(rows.tolist()):
            place = sentence if metric.level is Level.SENTENCE else ""
            yield metric.metric, metric.level.value, place, " ".join(map(repr, row))


def _read_metrics(text: str) -> tuple[MetricScores, ...]:
    found: dict[tuple[str, str], list[list[float]]] = {}
    for metric, level, _, scores in zip(*columns_of(text, 4), strict=True):
        found.setdefault((metric, level), []).append([float(score) for score in scores.split()])
    return tuple(
        MetricScores(metric, Level(level), np.array(rows if level == Level.SENTENCE else rows[0]))
        for (metric, level), rows in found.items()
    )


# What answers first comes first: a page shows it while the rest is computed.
SECTIONS: Sections = {
    "counts": Study.counts,
    "standings": standings.standings,
    "pairs of systems": standings.pairs,
    "agreement": of_independent(judges.agreement),
    "distinct outputs": compared.distinct_outputs,
    "judgments over time": lambda study: by_day(study.covariates.days),
    "comparison counts": compared.comparison_counts,
    "uncertainty": standings.side_by_side,
    "weights": standings.weighted,
    "head to head": compared.head_to_head,
    "judge correlations": of_independent(judges.correlations_of_judges),
    "rankings by single judges": judges_alone.standings_by_judge,
    "reliability": of_independent(judges.reliability),
    "judges": of_independent(judges.judges),
    "leaving out": judges.left_out,
    "accuracy": compared.accuracy,
    "metrics": metric_correlations.metric_correlations,
    "metrics and people in one table": metrics.meta_evaluation,
    "Williams' tests": metrics.williams,
    "windows of metrics": metrics.metric_windows,
    "calibration of ties": metrics.tie_calibration,
    "F-beta": metrics.f_beta,
    "metrics without each system": metrics.metric_leave_out,
    "metrics ranked as people": metric_rankings.metric_rankings,
    "halves of people": metric_rankings.human_ceiling,
    "systems by metrics and people": metrics.metric_scatter,
}
# These take seconds; the full report takes minutes.
AT_A_GLANCE: Sections = {
    "judgments over time": lambda study: by_day(study.covariates.days),
    "standings": standings.standings,
    "pairs of systems": standings.pairs,
    "agreement": judges.agreement_at_a_glance,
}

COMPARISONS = StudyKind(
    Study.kind, f"{__name__}:COMPARISONS", Parameters, PRESETS, SECTIONS, written, read, AT_A_GLANCE
)
