"""Scores of systems, overall and by sentence, in the format of the GMEG corpus."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from django.db.models import Count, Max, Sum

from judgments.exchange.exporters.base import CSV, ExportOptions, answers_in, export
from judgments.models import Campaign, Membership, Rating, RecordedOutput, Segment, System, SystemOutput
from judgments.protocols.rows import ROWS_AT_ONCE
from judgments.rules.files.csv_tables import cells, csv_lines

COLUMNS = ["system", "score"]


@export("gmeg-corpus.csv", CSV, fits=answers_in(Rating))
def corpus(campaign: Campaign, options: ExportOptions) -> Iterator[str]:
    """The score of each system: the mean of its sentences."""
    sums: dict[str, float] = defaultdict(float)
    counts: dict[str, int] = defaultdict(int)
    for _, scores in _sentences(campaign, options):
        for name, score in scores.items():
            sums[name] += score
            counts[name] += 1
    names = _systems(campaign)
    yield from csv_lines(
        COLUMNS, ([name, _digits(sums[name] / counts[name]) if counts[name] else ""] for name in names)
    )


@export("gmeg-segments.csv", CSV, fits=answers_in(Rating))
def segments(campaign: Campaign, options: ExportOptions) -> Iterator[str]:
    """A score for each sentence and system, on the lines of the uploaded files; blank if there is none."""
    names = _systems(campaign)
    blank = cells([""] * len(names)) + "\n"
    last = Segment.objects.filter(campaign=campaign).aggregate(last=Max("position"))["last"]
    yield cells(names) + "\n"
    written = 0
    for position, scores in _sentences(campaign, options):
        for _ in range(written, position):
            yield blank
        yield cells(_digits(scores[name]) if name in scores else "" for name in names) + "\n" if scores else blank
        written = position + 1
    for _ in range(written, -1 if last is None else last + 1):
        yield blank


def _systems(campaign: Campaign) -> list[str]:
    return sorted(System.objects.filter(campaign=campaign).judged().values_list("name", flat=True))


def _sentences(campaign: Campaign, options: ExportOptions) -> Iterator[tuple[int, dict[str, float]]]:
    """Yield each line with a sentence, and the mean score of each system for it."""
    totals, recorded = _totals(campaign, options), _recorded(campaign)
    outputs = SystemOutput.objects.filter(system__campaign=campaign, system__takes_part=True)
    rows = outputs.order_by("segment__position").values_list("segment__position", "system__name", "candidate")
    for position, group in groupby(rows.iterator(ROWS_AT_ONCE), key=itemgetter(0)):
        candidates = recorded.get(position, defaultdict(list))
        for _, name, candidate in group:
            candidates[name].append(candidate)
        scored = {name: [totals[one] for one in shown if one in totals] for name, shown in candidates.items()}
        yield position, {name: _mean(found) for name, found in scored.items() if found}


def _mean(totals: Sequence[tuple[float, int]]) -> float:
    return sum(total for total, _ in totals) / sum(count for _, count in totals)


def _recorded(campaign: Campaign) -> dict[int, dict[str, list[int]]]:
    """Return, by line and system, the candidates that only imported judgments show."""
    rows = RecordedOutput.objects.filter(system__campaign=campaign, system__takes_part=True).order_by("candidate")
    found: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for position, name, candidate in rows.values_list("candidate__segment__position", "system__name", "candidate"):
        found[position][name].append(candidate)
    return found


def _totals(campaign: Campaign, options: ExportOptions) -> dict[int, tuple[float, int]]:
    """Return the sum and the number of the scores of each candidate that has one."""
    ratings = Rating.objects.filter(judgment__assignment__campaign=campaign, judgment__current=True)
    ratings = ratings.exclude(judgment__assignment__judge__role=Membership.Role.ADJUDICATOR)
    if not options.with_excluded:
        ratings = ratings.filter(judgment__assignment__judge__excluded_at=None)
    if not options.with_programs:
        ratings = ratings.exclude(judgment__assignment__judge__role=Membership.Role.PROGRAM)
    rows = ratings.values("candidate").annotate(total=Sum("score"), count=Count("pk"))
    counted = rows.order_by("candidate").values_list("candidate", "total", "count")
    return {candidate: (total, count) for candidate, total, count in counted.iterator(ROWS_AT_ONCE)}


def _digits(score: float) -> str:
    """Format a score with all exact digits."""
    return f"{score:.15g}"
