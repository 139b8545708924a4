"""The kinds of reports there are; the protocol of a campaign decides the kind of its reports."""

from typing import Any

from judgments.rules.errors import Refused
from ranking.models import Report
from ranking.reports.kinds.comparisons.kind import COMPARISONS
from ranking.reports.kinds.corrections.kind import CORRECTIONS
from ranking.reports.kinds.kind import ReportKind
from ranking.reports.kinds.verdicts.kind import VERDICTS

KINDS: dict[str, ReportKind] = {kind.name: kind for kind in (COMPARISONS, VERDICTS, CORRECTIONS)}


class NoReportKind(Refused):
    """Campaigns of this protocol have no reports."""

    def __init__(self) -> None:
        super().__init__(
            "There is no report for campaigns of this protocol yet. "
            "Export the judgments to analyse them with other programs."
        )


def register(kind: ReportKind) -> None:
    """Have campaigns of the kind's protocols get reports of this kind."""
    KINDS[kind.name] = kind


def kind_for(protocol: str) -> ReportKind:
    """The kind of reports on campaigns of a protocol; raises `NoReportKind` where there is none."""
    for kind in KINDS.values():
        if protocol in kind.protocols:
            return kind
    raise NoReportKind


def kind_of(report: Report) -> ReportKind:
    """The kind of a report."""
    return kind_for(report.campaign.protocol)


def parameters_of(report: Report) -> Any:
    """The parameters of a report as the statistics of its kind take them."""
    return kind_of(report).study.parameters.of(report.parameters)
