"""Comparing two reports on one campaign."""

from dataclasses import dataclass

from judgments.models import Job
from judgments.rules.errors import Refused
from judgments.web.charts.numbers import counted
from ranking.models import Report
from ranking.reports.downloads import tables_named
from ranking.reports.kinds.comparisons.claims import Findings, headline
from ranking.reports.kinds.registry import kind_of
from ranking.stats.comparisons.changes import COMPARED, Changes, Conclusion, compare


def in_order(one: Report, other: Report) -> tuple[Report, Report]:
    earlier, later = sorted((one, other), key=lambda report: (report.created_at, report.pk))
    return earlier, later


@dataclass(frozen=True)
class Summary:
    """The first screenful: what the later report says, what the earlier one said, what changed, and why."""

    now: str
    before: str
    changed: tuple[str, ...]
    why: str

    @property
    def is_same(self) -> bool:
        return self.now == self.before


def changes_between(earlier: Report, later: Report) -> Changes:
    return compare(*_conclusions_of(earlier, later))


def comparison(earlier: Report, later: Report) -> tuple[Changes, Summary | None]:
    """Changes, and their summary unless the reports have no method in common."""
    conclusions = _conclusions_of(earlier, later)
    changes = compare(*conclusions)
    return changes, _summary_of(changes, *conclusions)


def _conclusions_of(earlier: Report, later: Report) -> tuple[Conclusion, Conclusion]:
    """Read two finished reports on one campaign."""
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
    return _conclusion_of(earlier), _conclusion_of(later)


def _summary_of(changes: Changes, *both: Conclusion) -> Summary | None:
    method = next((str(line["method"]) for line in changes.moves.dicts()), "")
    before, now = (_headline_of(one, method) for one in both)
    if not (before and now):
        return None
    moved = [line for line in changes.moves.dicts() if line["method"] == method and line["moved"]]
    changed = (
        (len(changes.pairs.rows), "pair", "separated differently"),
        (len(changes.regroupings[method]), "cluster", "changed"),
        (len(moved), "system", "moved"),
    )
    differ = (f"{name} {now or 'not chosen'} instead of {was or 'not chosen'}" for name, was, now in changes.choices)
    why = "; ".join(differ) or "nothing that was chosen or counted differs"
    return Summary(now, before, tuple(f"{counted(many, what)} {how}" for many, what, how in changed if many), why)


def _headline_of(one: Conclusion, method: str) -> str:
    found = Findings.of(one.tables, method)
    return headline(found) if found.pairs else ""


def _conclusion_of(report: Report) -> Conclusion:
    inputs = {
        "judgments": report.judgments,
        "newest_judgment": report.newest_judgment,
        "code": report.signature.rpartition("code:")[2],
    }
    return Conclusion(tables_named(report, COMPARED), report.parameters | inputs)
