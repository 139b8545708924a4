"""Comparing two reports on one campaign."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from judgments.charts.numbers import quantity, text_list
from judgments.models import Job
from judgments.rules.errors import Refused
from ranking.models import Report
from ranking.numbers.tables import Table
from ranking.reports.downloads import tables_of
from ranking.reports.kinds.kind import answer_of, kind_of
from ranking.stats.comparisons.changes import COMPARED, UNDECIDED, Changes, Conclusion, compare
from ranking.stats.rankings.methods import METHODS

# What a report says about its inputs, by the reason for a difference; everything else is a setting.
INPUTS = {
    "judgments": "Judgments",
    "newest judgment": "Judgments",
    "excluded judges": "Exclusions",
    "exclusion rule": "Exclusions",
    "code": "Program",
}
MOST_IN_FULL = 3


def in_order(one: Report, other: Report) -> tuple[Report, Report]:
    earlier, later = sorted((one, other), key=lambda report: (report.created_at, report.pk))
    return earlier, later


@dataclass(frozen=True)
class Comparison:
    """Both answers, what differs between them, and why.

    A side is a report with what it answers, the sentence, and the label of its method; no answer without a ranking.
    """

    sides: tuple[dict[str, Any], ...]
    changes: Changes

    @property
    def summary(self) -> str:
        """Count what differs between the rankings to cite."""
        if not self.changes.rankings:
            return ""
        cited = self.changes.rankings[0]
        numbers = (
            (len(self.changes.pairs.rows), "pair", "separated differently"),
            (len(cited.regroupings), "cluster", "changed"),
            (sum(bool(line["moved"]) for line in cited.lines), "system", "moved"),
        )
        return " · ".join(f"{quantity(many, what)} {how}" for many, what, how in numbers if many)

    @property
    def pairs(self) -> str:
        """Count the pairs that each report and both separate; empty if no pair is in both."""
        pairs, both = self.changes.all_pairs.dicts(), self.changes.separated_in_both.values()
        if not pairs:
            return ""
        one, other = (
            f"report {side['report'].pk} separates {sum(pair[verdict] != UNDECIDED for pair in pairs):,}"
            for side, verdict in zip(self.sides, ("verdict_before", "verdict"), strict=True)
        )
        same = f"both separate {sum(map(len, both)):,} the same way round"
        return f"Of {quantity(len(pairs), 'pair')}, {one} and {other}; {same}."

    @property
    def reasons(self) -> dict[str, str]:
        """What differs in settings, judgments, exclusions and the program; many settings by their names alone."""
        found: dict[str, dict[str, str]] = {}
        for name, (before, now) in self.changes.choices.items():
            reason = INPUTS.get(name, "Settings")
            what = "" if name == reason.lower() else f"{name} "
            in_full = f"{what}{now or 'not chosen'} instead of {before or 'not chosen'}"
            found.setdefault(reason, {})[name] = in_full
        return {
            reason: text_list([*differ], most=len(differ)) if len(differ) > MOST_IN_FULL else "; ".join(differ.values())
            for reason, differ in found.items()
        }


def comparison(earlier: Report, later: Report) -> Comparison:
    reports = earlier, later
    tables = [tables_of(report) for report in reports]
    changes, sides = changes_between(earlier, later, tables), []
    for report, own in zip(reports, tables, strict=True):
        answer = answer_of(report, own)
        sentence, method = (answer.sentence, METHODS[answer.cited].label) if answer else ("", "")
        sentence = sentence or "This report has no ranking."
        sides.append({"report": report, "answer": answer, "sentence": sentence, "method": method})
    return Comparison(tuple(sides), changes)


def changes_between(earlier: Report, later: Report, tables: Sequence[Mapping[str, Table]] = ()) -> Changes:
    """Compare two finished reports on one campaign, if they rank systems; read what is compared unless it is given."""
    if earlier.campaign_id != later.campaign_id:
        raise Refused("The two reports are on different campaigns; compare two of the same campaign.")
    if not (kind_of(earlier).is_comparable and kind_of(later).is_comparable):
        raise Refused("Only reports that rank systems can be compared; open both and set their tables side by side.")
    for report in (earlier, later):
        if report.state != Job.State.DONE:
            raise Refused(
                f"Report {report.pk} is {report.get_state_display()}, so there is nothing to compare yet; "
                "compare two that are ready."
            )
    conclusions, tables = [], tables or [tables_of(report, COMPARED) for report in (earlier, later)]
    for report, own in zip((earlier, later), tables, strict=True):
        inputs: dict[str, object] = {
            "judgments": report.judgments,
            "newest_judgment": report.newest_judgment,
            "excluded_judges": report.exclusion.get("excluded", "not recorded"),
            "exclusion_rule": report.exclusion.get("rule", "not recorded"),
            "code": report.signature.rpartition("code:")[2],
        }
        if "standings" in own:
            # The unit that the number of judges allowed, in place of the broadest.
            inputs["unit"] = own["standings"].rows[0][1]
        conclusions.append(Conclusion(f"report {report.pk}", own, report.parameters | inputs))
    return compare(*conclusions)
