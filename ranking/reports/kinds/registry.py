"""Kinds of reports; the protocol of a campaign decides the kind of its reports."""

from typing import Any

from judgments.protocols import protocol_named
from judgments.rules.errors import Refused
from ranking.models import Report
from ranking.reports.kinds.comparisons.kind import COMPARISONS
from ranking.reports.kinds.corrections.kind import CORRECTIONS
from ranking.reports.kinds.kind import ReportKind
from ranking.reports.kinds.verdicts.kind import VERDICTS

KINDS: dict[str, ReportKind] = {kind.name: kind for kind in (COMPARISONS, VERDICTS, CORRECTIONS)}


class NoReportKind(Refused):
    def __init__(self) -> None:
        super().__init__(
            "There is no report for campaigns of this protocol yet. "
            "Export the judgments to analyse them with other programs."
        )


def register(kind: ReportKind) -> None:
    KINDS[kind.name] = kind


def kind_for(protocol: str) -> ReportKind:
    """The kind of reports on campaigns of a protocol; raises `NoReportKind` where there is none."""
    name = protocol_named(protocol).report_kind
    if name is None or name not in KINDS:
        raise NoReportKind
    return KINDS[name]


def kind_of(report: Report) -> ReportKind:
    return kind_for(report.campaign.protocol)


def parameters_of(report: Report) -> Any:
    return kind_of(report).study.parameters.of(report.parameters)
