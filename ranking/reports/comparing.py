"""Comparing two reports on one campaign."""

from judgments.models import Job
from judgments.rules.errors import Refused
from ranking.models import Report
from ranking.reports.downloads import tables_named
from ranking.reports.kinds.registry import kind_of
from ranking.stats.comparisons.changes import COMPARED, Changes, Conclusion, compare


def in_order(one: Report, other: Report) -> tuple[Report, Report]:
    earlier, later = sorted((one, other), key=lambda report: (report.created_at, report.pk))
    return earlier, later


def changes_between(earlier: Report, later: Report) -> Changes:
    """Compare two finished reports on one campaign."""
    if earlier.campaign_id != later.campaign_id:
        raise Refused("The two reports are on different campaigns; compare two of the same campaign.")
    if not kind_of(earlier).is_comparable:
        raise Refused("Only reports that rank systems can be compared; open both and set their tables side by side.")
    for report in (earlier, later):
        if report.state != Job.State.DONE:
            raise Refused(
                f"Report {report.pk} is {report.get_state_display()}, so there is nothing to compare yet; "
                "compare two that are ready."
            )
    return compare(_conclusion_of(earlier), _conclusion_of(later))


def _conclusion_of(report: Report) -> Conclusion:
    counted = {
        "judgments": report.judgments,
        "newest_judgment": report.newest_judgment,
        "code": report.signature.rpartition("code:")[2],
    }
    return Conclusion(tables_named(report, COMPARED), report.parameters | counted)
