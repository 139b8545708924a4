"""Comparing two reports on one campaign."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from judgments.charts.numbers import quantity, text_list
from judgments.models import Job
from judgments.rules.errors import Refused
from ranking.models import Report
from ranking.numbers.tables import Table
from ranking.reports.answers import Answer
from ranking.reports.downloads import tables_named, tables_of
from ranking.reports.kinds.registry import answer_of, kind_of
from ranking.stats.comparisons.changes import COMPARED, UNDECIDED, Changes, Choice, Conclusion, compare
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
class Side:
    """One of the two reports with what it answers; no answer without a ranking."""

    report: Report
    answer: Answer | None

    @property
    def sentence(self) -> str:
        return self.answer.sentence if self.answer else "This report has no ranking."

    @property
    def method(self) -> str:
        return METHODS[self.answer.cited].label if self.answer else ""


@dataclass(frozen=True)
class Comparison:
    """Both answers, what differs between them, and why."""

    sides: tuple[Side, ...]
    changes: Changes

    @property
    def summary(self) -> str:
        """Count what differs between the rankings to cite."""
        cited = next(iter(self.changes.regroupings), None)
        if cited is None:
            return ""
        numbers = (
            (len(self.changes.pairs.rows), "pair", "separated differently"),
            (len(self.changes.regroupings[cited]), "cluster", "changed"),
            (sum(bool(line["moved"]) for line in self.changes.moves_of(cited)), "system", "moved"),
        )
        return " · ".join(f"{quantity(many, what)} {how}" for many, what, how in numbers if many)

    @property
    def pairs(self) -> str:
        """Count the pairs that each report and both separate; empty if no pair is in both."""
        pairs, both = self.changes.all_pairs.dicts(), self.changes.separated_in_both.values()
        if not pairs:
            return ""
        one, other = (
            f"report {side.report.pk} separates {sum(pair[verdict] != UNDECIDED for pair in pairs):,}"
            for side, verdict in zip(self.sides, ("verdict_before", "verdict"), strict=True)
        )
        same = f"both separate {sum(map(len, both)):,} the same way round"
        return f"Of {quantity(len(pairs), 'pair')}, {one} and {other}; {same}."

    @property
    def reasons(self) -> dict[str, str]:
        """What differs in settings, judgments, exclusions and the program; many settings by their names alone."""
        found: dict[str, list[Choice]] = {}
        for choice in self.changes.choices:
            found.setdefault(INPUTS.get(choice.name, "Settings"), []).append(choice)
        return {reason: "; ".join(_differences(reason, differ)) for reason, differ in found.items()}


def _differences(reason: str, choices: list[Choice]) -> Iterator[str]:
    if len(choices) > MOST_IN_FULL:
        yield text_list([choice.name for choice in choices], most=len(choices))
        return
    for name, before, now in choices:
        what = "" if name == reason.lower() else f"{name} "
        yield f"{what}{now or 'not chosen'} instead of {before or 'not chosen'}"


def changes_between(earlier: Report, later: Report) -> Changes:
    _check(earlier, later)
    return compare(*(_conclusion_of(report, tables_named(report, COMPARED)) for report in (earlier, later)))


def comparison(earlier: Report, later: Report) -> Comparison:
    _check(earlier, later)
    both = [(report, tables_of(report)) for report in (earlier, later)]
    sides = tuple(Side(report, answer_of(report, tables)) for report, tables in both)
    return Comparison(sides, compare(*(_conclusion_of(report, tables) for report, tables in both)))


def _check(earlier: Report, later: Report) -> None:
    """Two finished reports on one campaign can be compared, if they rank systems."""
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


def _conclusion_of(report: Report, tables: Mapping[str, Table]) -> Conclusion:
    """What a report concluded, with the unit that the number of judges allowed in place of the broadest."""
    inputs: dict[str, object] = {
        "judgments": report.judgments,
        "newest_judgment": report.newest_judgment,
        "excluded_judges": report.exclusion.get("excluded", "not recorded"),
        "exclusion_rule": report.exclusion.get("rule", "not recorded"),
        "code": report.signature.rpartition("code:")[2],
    }
    if "standings" in tables:
        inputs["unit"] = tables["standings"].rows[0][1]
    return Conclusion(f"report {report.pk}", tables, report.parameters | inputs)
