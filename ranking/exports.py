"""The numbers of a report as files."""

import csv
import io

from django.http import Http404

from ranking.models import ComparisonCount, Report

STANDINGS = "standings.csv"
COMPARISONS = "comparison_counts.csv"
COUNTED = ["rankings", "skipped", "unexpanded", "unexpanded_ties", "expanded", "expanded_ties"]


def csv_file(report: Report, name: str) -> str:
    """The text of one of a report's files."""
    if name == STANDINGS:
        return _written(["method", "rank", "system", "score"], _standings(report))
    if name == COMPARISONS:
        return _written(["judge", *COUNTED], count_rows(report))
    raise Http404(f"There is no file {name} in a report.")


def _standings(report: Report) -> list[list]:
    return [[report.method, row.rank, row.system, repr(row.score)] for row in report.standing_set.all()]


def count_rows(report: Report) -> list[list]:
    """The comparisons of every judge, and of all of them together."""
    counts = list(ComparisonCount.objects.filter(report=report))
    rows = [[row.judge, *(getattr(row, name) for name in COUNTED)] for row in counts]
    return [*rows, ["total", *(sum(getattr(row, name) for row in counts) for name in COUNTED)]]


def _written(header: list[str], rows: list[list]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()
