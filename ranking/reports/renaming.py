"""Renaming a judge in the tables, inputs and texts of reports; and a report in which no judge has a name."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import count
from typing import Any

from django.utils import timezone

from judgments.models import Job, Membership
from judgments.models.jobs import STALE_AFTER
from judgments.privacy.person import PrivacyHook, names_pattern
from ranking.models import Report, ReportInputs, ReportTable
from ranking.numbers.tables import Table
from ranking.reports.downloads import inputs_of, make_zip, read_zip, tables_of
from ranking.reports.kinds.kind import kind_of
from ranking.stats.analysis import BY_DAY
from ranking.stats.choices import PROGRAMS
from ranking.stats.study_files import STUDY

# New names of judges by the old ones.
Names = Mapping[str, str]
JUDGES = "judges"
# Columns that always name judges, columns that do beside another one (gold may also be a known answer), and columns
# that name a judge if another column says so.
NAMED = {"judge", "other", "expert", "program"}
NAMED_BESIDE = {"gold": "who"}
NAMED_BY_KIND = {"who": "kind", "name": "left_out"}
JUDGE = "judge"


def rename(judge: Membership, name: str) -> None:
    """Rename a judge in every report of the campaign; an unfinished report starts again."""
    reports, names = Report.objects.filter(campaign=judge.campaign_id), {judge.pseudonym: name}
    long_ago = timezone.now() - 2 * STALE_AFTER
    # A running attempt has already read the old name: supersede it, and the sweeper queues another.
    running = Job.objects.filter(campaign=judge.campaign_id, kind=Report.KIND, state=Job.State.RUNNING)
    running.update(state=Job.State.QUEUED, queued_at=long_ago)
    for row in ReportTable.objects.filter(report__in=reports).iterator():
        rows = json.loads(row.rows)
        renamed = with_names(row.columns, rows, names)
        if renamed != rows:
            row.rows = json.dumps(renamed)
            row.save(update_fields=["rows"])
    for inputs in ReportInputs.objects.filter(report__in=reports).iterator():
        files = read_zip(bytes(inputs.content))
        study = files[STUDY].decode() if STUDY in files else "{}"
        with_new_name = study_with_names(study, names)
        if json.loads(with_new_name) != json.loads(study):
            inputs.content = make_zip(files | {STUDY: with_new_name.encode()})
            inputs.save(update_fields=["content"])
    for report in reports:
        words = {
            "gaps": gaps_with_names(report.gaps, names), "error": words_with_names(report.error, names)[:500],
            "exclusion": exclusion_with_names(report.exclusion, names),
        }  # fmt: skip
        if any(getattr(report, column) != value for column, value in words.items()):
            Report.objects.filter(pk=report.pk).update(**words)


def lines_about(judge: Membership) -> Iterator[dict[str, Any]]:
    """Yield rows of reports about a judge."""
    for row in ReportTable.objects.filter(report__campaign=judge.campaign_id).order_by("pk").iterator():
        for line in row.table().dicts():
            if any(line[column] == judge.pseudonym for column in _columns(row.columns, line)):
                yield {"report": row.report_id, "table": row.name, **line}


def _columns(columns: Sequence[str], line: Mapping[str, Any]) -> list[str]:
    by_kind = [name for name, kind in NAMED_BY_KIND.items() if name in columns and line.get(kind) == JUDGE]
    return [name for name in columns if name in NAMED or NAMED_BESIDE.get(name) in columns] + by_kind


def with_names(columns: Sequence[str], rows: Iterable[Sequence[Any]], names: Names) -> list[list[Any]]:
    """Rows of a table in which cells that hold exactly the name of a judge hold the new one."""
    renamed = []
    for cells in rows:
        line = dict(zip(columns, cells, strict=True))
        line |= {column: names.get(line[column], line[column]) for column in _columns(columns, line)}
        renamed.append(list(line.values()))
    return renamed


def study_with_names(study: str, names: Names, **others: Any) -> str:
    """The file `study.json` of any kind of report, with new names of judges, and other values."""

    def change(part: dict[str, Any]) -> dict[str, Any]:
        if isinstance(judges := part.get(JUDGES), list):
            part[JUDGES] = [names.get(name, name) for name in judges]
        return part | {name: value for name, value in others.items() if name in part}

    return json.dumps(json.loads(study, object_hook=change), ensure_ascii=False, indent=1) + "\n"


def judges_in(study: str) -> list[str]:
    """The names of judges in the file `study.json` of any kind of report."""
    found: list[str] = []
    json.loads(study, object_hook=lambda part: found.extend(part[JUDGES]) if type(part.get(JUDGES)) is list else None)
    return found


def gaps_with_names(gaps: Mapping[str, str], names: Names) -> dict[str, str]:
    return {words_with_names(what, names): words_with_names(str(why), names) for what, why in gaps.items()}


def exclusion_with_names(exclusion: Mapping[str, Any], names: Names) -> dict[str, Any]:
    """Only the sentence on programs names somebody."""
    return {what: words_with_names(why, names) if what == PROGRAMS else why for what, why in exclusion.items()}


def words_with_names(text: str, names: Names) -> str:
    """Replace all names at once, so that a new name that another judge had before is not replaced again."""
    if not names:
        return text
    folded = {old.casefold(): new for old, new in names.items()}
    # Only the case of addresses may differ from the name.
    return names_pattern(set(names)).sub(lambda found: names.get(found[0], folded[found[0].casefold()]), text)


@dataclass(frozen=True)
class AnonymousReport:
    """A report to publish: show and write `report`, which is not stored, with `tables`, never those of the database.

    Its gaps name no judge, nor does `metadata()`; `inputs` are the files of its study, and `names` has the anonymous
    name of each pseudonym.
    """

    report: Report
    tables: dict[str, Table]
    inputs: dict[str, str]
    names: dict[str, str]


def anonymous_report(report: Report) -> AnonymousReport:
    """Return a copy without the names of judges; 404 if the report was never computed.

    Judges become `judge 1` ... `judge n`, and programs `program 1` ... The numbers say nothing about who a judge is: a
    report has its judges in the order of their lots, which are drawn when they join and never shown, and its judgments
    sentence by sentence. So nothing in what is published follows the alphabet, the order of joining or that of
    submission. Days would tell who came first, so they are left out.
    """
    inputs = inputs_of(report)
    programs = Membership.objects.filter(campaign=report.campaign_id, role=Membership.Role.PROGRAM)
    are_programs = set(programs.values_list("pseudonym", flat=True))
    numbers = {role: count(1) for role in ("judge", "program")}
    names = {}
    for pseudonym in judges_in(inputs[STUDY]):
        role = "program" if pseudonym in are_programs else "judge"
        names[pseudonym] = f"{role} {next(numbers[role])}"
    tables = {
        name: Table.of(name, table.columns, with_names(table.columns, table.rows, names))
        for name, table in tables_of(report).items()
        if name != BY_DAY
    }
    nameless = copy(report)
    nameless.gaps = gaps_with_names(report.gaps, names)
    nameless.exclusion = exclusion_with_names(report.exclusion, names)
    return AnonymousReport(nameless, tables, inputs | {STUDY: study_with_names(inputs[STUDY], names, days=[])}, names)


def can_reproduce(report: Report, with_texts: bool) -> bool:
    """Whether the inputs of a report may be given away: those of corrections are texts themselves."""
    return with_texts or not kind_of(report).study.holds_texts


PRIVACY_HOOK = PrivacyHook("reports", "lines of reports about the person", rename, lines_about)
