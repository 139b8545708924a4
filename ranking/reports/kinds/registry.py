"""Kinds of reports; the protocol of a campaign decides the kind of its reports."""

from typing import Any

from judgments.protocols import protocol_named
from judgments.rules.errors import Refused
from ranking.models import Report
from ranking.reports.kinds.comparisons import COMPARISONS
from ranking.reports.kinds.corrections import CORRECTIONS
from ranking.reports.kinds.edits import EDITS
from ranking.reports.kinds.kind import ReportKind
from ranking.reports.kinds.verdicts import VERDICTS

KINDS: dict[str, ReportKind] = {kind.name: kind for kind in (COMPARISONS, VERDICTS, CORRECTIONS, EDITS)}


NO_REPORT = (
    "There is no report for campaigns of this protocol yet. Export the judgments to analyse them with other programs."
)


class NoReportKind(Refused):
    pass


def register(kind: ReportKind) -> None:
    KINDS[kind.name] = kind


def kind_for(protocol: str) -> ReportKind:
    name = protocol_named(protocol).report_kind
    if name is None or name not in KINDS:
        raise NoReportKind(NO_REPORT)
    return KINDS[name]


def kind_of(report: Report) -> ReportKind:
    return kind_for(report.campaign.protocol)


def parameters_of(report: Report) -> Any:
    return kind_of(report).study.parameters.of(report.parameters)
