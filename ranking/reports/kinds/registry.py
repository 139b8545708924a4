"""Kinds of reports; the protocol of a campaign decides which there are."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.module_loading import import_string

from judgments.models import Campaign, Membership
from judgments.protocols import protocol_named
from judgments.rules.errors import Refused
from ranking.models import Report
from ranking.numbers.tables import Table
from ranking.reports.answers import COUNT_FIRST, Answer, counts_of, describe_excluded
from ranking.reports.kinds.kind import ReportKind
from ranking.stats.choices import PROGRAMS

# Where each kind is. Its statistics are imported with it, which commands and pages for judges need not wait for.
KINDS = {
    name: f"ranking.reports.kinds.{name}.{name.upper()}"
    for name in ("comparisons", "verdicts", "corrections", "edits", "essays", "programs")
}


class NoReportKind(Refused):
    pass


def kind_named(name: str) -> ReportKind:
    return import_string(KINDS[name])


def kinds_for(protocol: str) -> list[ReportKind]:
    """The kinds of reports on campaigns of a protocol, the most important first; refused if there are none."""
    kinds = [kind_named(name) for name in protocol_named(protocol).report_kinds if name in KINDS]
    if not kinds:
        raise NoReportKind(
            "There is no report for campaigns of this protocol yet. Export the judgments to analyse them with other "
            "programs."
        )
    return kinds


def kinds_offered(campaign: Campaign) -> list[ReportKind]:
    """The kinds for a campaign's protocol, those on programs only where a program has a place."""
    has_programs = Membership.objects.filter(campaign=campaign, role=Membership.Role.PROGRAM).exists()
    return [kind for kind in kinds_for(campaign.protocol) if has_programs or not kind.needs_programs]


def kind_for(protocol: str, name: str = "") -> ReportKind:
    """The kind of this name, or the most important one."""
    kinds = kinds_for(protocol)
    if not name:
        return kinds[0]
    found = next((kind for kind in kinds if kind.name == name), None)
    if found is None:
        offered = ", ".join(kind.name for kind in kinds)
        raise Refused(f"Campaigns of this protocol have no report on {name}; choose from {offered}.")
    return found


def kind_of(report: Report) -> ReportKind:
    return kind_named(report.study)


def answer_of(report: Report, tables: Mapping[str, Table]) -> Answer | None:
    """What a report answers first; if programs judged, it says so before anything else.

    Text for a paper also says how screens were drawn, which answers count, and who was excluded by which rule.
    """
    answer = kind_of(report).answer(tables, report.parameters)
    if answer is None:
        return None
    about = report.exclusion
    by_programs = [about[PROGRAMS]] if about.get(PROGRAMS) else []
    excluded = describe_excluded(about, counts_of(tables).get("judges", 0)) or "No judge was excluded."
    given = (*report.course, *(about.get(what) for what in ("about", "answers", "systems", "rule")), excluded)
    paper = answer.paper
    if paper:
        others = (COUNT_FIRST.sub("In all, ", said) for said in given if said)
        paper = replace(paper, methods=" ".join([*by_programs, paper.methods, *others]))
    return replace(answer, sentence=" ".join([*by_programs, answer.sentence]), paper=paper)


def parameters_of(report: Report) -> Any:
    return kind_of(report).parameters.of(report.parameters)
