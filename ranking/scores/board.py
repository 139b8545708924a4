"""Scores of a campaign's systems by all metrics, as a table and figures on the page and as CSV files."""

import json
from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import chain, islice
from typing import Any

from judgments.jobs.turns import outlook
from judgments.models import Campaign, Job
from judgments.rules.files.csv_tables import cells
from ranking.charts.metrics import f_scores
from ranking.charts.shown_tables import ShownTable
from ranking.metrics.scoring import COLUMNS, SCORES, merge_tables
from ranking.models import Metric, ScoringJob
from ranking.numbers.tables import Cell, Table, to_csv

INTERVALS = "score_intervals"
# The jobs of one request are written within this time.
AT_ONCE = timedelta(seconds=2)
LINES_AT_ONCE = 1000
FIGURES = {
    "ratios": (
        "Ratio to people",
        "Each reference is scored as if it were an output, against the others. A ratio of 1 says that a system is as "
        "close to the references as people are to each other.",
    ),
    "error_types": (
        "By error type",
        "How many edits of each type were right (tp), wrong (fp) and missing (fn); precision and recall mean little "
        "for types with few edits.",
    ),
    "f_scores": ("F for every beta", "Beta below 1 favours precision, above 1 recall."),
}


def tables_of(jobs: Iterable[ScoringJob]) -> dict[str, Table]:
    """Tables of all finished jobs; tables of the same name are joined."""
    done = (job.tables_by_name().values() for job in jobs if job.state == Job.State.DONE)
    return {table.name: table for table in merge_tables(chain.from_iterable(done))}


def figures_of(tables: dict[str, Table]) -> list[dict[str, Any]]:
    """Other tables of the scoring jobs, with a sentence on how to read each, and its chart where it has one."""
    charts = {chart.name: chart for chart in f_scores(tables)}
    return [
        {"title": title, "words": words, "table": ShownTable.of(tables[name]), "chart": charts.get(name)}
        for name, (title, words) in FIGURES.items()
        if name in tables
    ]


def board_of(campaign: Campaign, tables: dict[str, Table]) -> dict[str, list]:
    """Scores with a row per system and a column per metric; intervals where the platform computed the scores."""
    intervals: dict[tuple[Cell, Cell], Any] = {}
    if INTERVALS in tables:
        intervals = {(row["metric"], row["system"]): row for row in tables[INTERVALS].dicts()}
    scores: dict[str, dict[str, dict]] = {}
    for metric in Metric.objects.of(campaign).filter(level=Metric.Level.SYSTEM):
        for system, value in zip(metric.systems, json.loads(metric.scores), strict=True):
            known = intervals.get((metric.name, system), {}) if metric.signature else {}
            score = {"value": value, "low": known.get("low"), "high": known.get("high")}
            scores.setdefault(system, {})[metric.name] = score
    names = sorted({name for known in scores.values() for name in known}, key=str.casefold)
    rows = [(system, [known.get(name) for name in names]) for system, known in sorted(scores.items())]
    return {"metrics": names, "rows": rows}


def progress_of(jobs: Iterable[ScoringJob]) -> dict[str, Any]:
    """Combined progress of the jobs that were requested together."""
    known = list(jobs)
    unfinished = [job for job in known if not job.is_over]
    first = min((job.created_at for job in unfinished), default=None)
    together = [job for job in known if first and job.created_at >= first - AT_ONCE]
    running = [job for job in unfinished if job.state == Job.State.RUNNING]
    step = ", ".join(f"{job.metric}: {job.step}" for job in running)
    waiting = len(unfinished) - len(running)
    if waiting:
        step = f"{step}; {waiting} waiting" if step else f"{waiting} waiting for a worker"
    progress = sum(1.0 if job.is_over else job.progress for job in together) / max(len(together), 1)
    ahead = next((outlook(job) for job in unfinished if job.state == Job.State.QUEUED), "")
    return {"step": step, "progress": progress, "over": not unfinished, "ahead": ahead}


def file_names(tables: Iterable[str]) -> list[str]:
    return [f"{name}.csv" for name in (SCORES, *tables)]


def blocks_of(campaign: Campaign, name: str) -> Iterator[str] | None:
    """Write a file in blocks; None if there is no such file."""
    stem = name.removesuffix(".csv")
    if stem == SCORES:
        lines = _score_lines(campaign)
        return iter(lambda: "".join(islice(lines, LINES_AT_ONCE)), "")
    table = tables_of(ScoringJob.objects.of(campaign)).get(stem)
    return iter([to_csv(table)]) if table and name.endswith(".csv") else None


def _score_lines(campaign: Campaign) -> Iterator[str]:
    """All scores, first of systems, then of sentences, which are numbered from 1."""
    yield cells(COLUMNS) + "\n"
    for metric in Metric.objects.of(campaign):
        scores = json.loads(metric.scores)
        numbered = [("", scores)] if metric.level == Metric.Level.SYSTEM else enumerate(scores, 1)
        for number, row in numbered:
            for system, value in zip(metric.systems, row, strict=True):
                yield cells((metric.name, metric.level, system, number, "" if value is None else value)) + "\n"
