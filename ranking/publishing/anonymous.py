"""A report in which no judge has a name: `judge 1` ... `judge n`, and `program 1` ... for programs.

The numbers say nothing about who a judge is: a report has its judges in the order of their lots, which are drawn when
they join and never shown, and its judgments sentence by sentence. So nothing in what is published follows the alphabet,
the order of joining or that of submission. Days would tell who came first, so they are left out.
"""

from copy import copy
from dataclasses import dataclass
from itertools import count

from judgments.models import Membership
from ranking.models import Report
from ranking.numbers.tables import Table
from ranking.reports.downloads import inputs_of, tables_of
from ranking.reports.kinds.registry import kind_of
from ranking.reports.renaming import exclusion_with_names, gaps_with_names, judges_in, study_with_names, with_names
from ranking.stats.analysis import BY_DAY
from ranking.stats.study_files import STUDY


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
    """Return a copy without the names of judges; 404 if the report was never computed."""
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
