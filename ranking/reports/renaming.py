"""Renaming a judge in the tables, inputs and texts of reports."""

import json
from collections.abc import Iterator
from typing import Any

from django.utils import timezone

from judgments.models import Job, Membership
from judgments.models.jobs import STALE_AFTER
from judgments.privacy.person import PrivacyHook, names_pattern
from ranking.models import Report, ReportInputs, ReportTable
from ranking.reports.downloads import unzipped, zipped

STUDY = "study.json"
# Columns that always name judges, and columns that name a judge if another column says so.
NAMED = {"judge", "other", "expert", "gold"}
NAMED_BY_KIND = {"who": "kind", "name": "left_out"}
JUDGE = "judge"


def rename(judge: Membership, name: str) -> None:
    """Rename a judge in every report of the campaign; an unfinished report starts again."""
    reports = Report.objects.filter(campaign=judge.campaign_id)
    long_ago = timezone.now() - 2 * STALE_AFTER
    # A running attempt has already read the old name: supersede it, and the sweeper queues another.
    reports.filter(state=Job.State.RUNNING).update(state=Job.State.QUEUED, queued_at=long_ago)
    for row in ReportTable.objects.filter(report__in=reports).iterator():
        if _renamed_lines(row, judge.pseudonym, name):
            row.save(update_fields=["rows"])
    for inputs in ReportInputs.objects.filter(report__in=reports).iterator():
        _rename_in_inputs(inputs, judge.pseudonym, name)
    _rename_in_words(reports, judge.pseudonym, name)


def held(judge: Membership) -> Iterator[dict[str, Any]]:
    """Yield rows of reports about a judge."""
    for row in ReportTable.objects.filter(report__campaign=judge.campaign_id).order_by("pk").iterator():
        for line in row.table().dicts():
            if any(line[column] == judge.pseudonym for column in _columns(row.columns, line)):
                yield {"report": row.report_id, "table": row.name, **line}


def _columns(columns: list[str], line: dict[str, Any]) -> list[str]:
    by_kind = [name for name, kind in NAMED_BY_KIND.items() if name in columns and line.get(kind) == JUDGE]
    return [name for name in columns if name in NAMED] + by_kind


def _renamed_lines(row: ReportTable, old: str, new: str) -> bool:
    """Rename cells that hold exactly the old name; return whether there were any."""
    rows, is_changed = json.loads(row.rows), False
    for cells in rows:
        for column in _columns(row.columns, dict(zip(row.columns, cells, strict=True))):
            place = row.columns.index(column)
            if cells[place] == old:
                cells[place], is_changed = new, True
    row.rows = json.dumps(rows)
    return is_changed


def _rename_in_inputs(inputs: ReportInputs, old: str, new: str) -> None:
    files: dict[str, str | bytes] = dict(unzipped(bytes(inputs.content)))
    if STUDY not in files:
        return
    study = json.loads(files[STUDY])
    if old in study.get("judges", ()):
        study["judges"] = [new if name == old else name for name in study["judges"]]
        files[STUDY] = json.dumps(study, ensure_ascii=False, indent=1) + "\n"
        inputs.content = zipped(files)
        inputs.save(update_fields=["content"])


def _rename_in_words(reports: Any, old: str, name: str) -> None:
    pattern = names_pattern({old})
    for report in reports:
        gaps = {what: pattern.sub(name, str(why)) for what, why in report.gaps.items()}
        error = pattern.sub(name, report.error)[:500]
        if (gaps, error) != (report.gaps, report.error):
            Report.objects.filter(pk=report.pk).update(gaps=gaps, error=error)


PRIVACY_HOOK = PrivacyHook("reports", "lines of reports about the person", rename, held)
