"""What a report answers first: a sentence to quote, what it rests on, and what may be claimed."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from judgments.charts.numbers import number, quantity, span
from ranking.charts.lines import lines_of
from ranking.numbers.tables import Table
from ranking.reports.papers import Paper


@dataclass(frozen=True)
class OtherMethod:
    """Another method of the report, and on how many pairs of systems it concludes the same."""

    label: str
    same: int
    pairs: int


@dataclass(frozen=True)
class Answer:
    """The first screenful of a report.

    `precision` says what the uncertainty consists of and what would reduce it, `fragility` how little decides the first
    place. `cited` is the method whose ranking is the one to cite, `refused` why the method chosen for that could not
    rank, `caution` why conclusions look surer than they are, and `legend` what a line between clusters says.
    """

    sentence: str
    facts: tuple[str, ...]
    scope: str
    agreement: str = ""
    precision: str = ""
    fragility: str = ""
    cited: str = ""
    caution: str = ""
    legend: str = ""
    refused: str = ""
    may_say: tuple[str, ...] = ()
    may_not_say: tuple[str, ...] = ()
    others: tuple[OtherMethod, ...] = ()
    paper: Paper | None = None


def counts_of(tables: Mapping[str, Table]) -> dict[str, int]:
    """How many systems, sentences, judges and so on the numbers rest on."""
    return {line["what"]: line["number"] for line in lines_of(tables, "counts")}


def facts_of(tables: Mapping[str, Table]) -> list[str]:
    """Say how much there was: 13 systems, 8 judges. Sentences that came without documents are in one."""
    counts = counts_of(tables)
    return [
        f"{many:,} skipped" if what == "skipped" else quantity(many, what.removesuffix("s"))
        for what, many in counts.items()
        if many > (what == "documents")
    ]


def describe_excluded(exclusion: Mapping[str, Any], counted: int) -> str:
    """How many judges were excluded, and how; empty if nobody was. `counted` judges were not."""
    by_rule, by_hand = exclusion.get("by_rule", 0), exclusion.get("by_hand", 0)
    if not (excluded := by_rule + by_hand):
        return ""
    said = f"{excluded} of {quantity(counted + excluded, 'judge')} {'was' if excluded == 1 else 'were'} excluded"
    if by_rule and by_hand:
        return f"{said}, {by_rule} by the rule and {by_hand} by the organisers."
    return f"{said} by the {'rule' if by_rule else 'organisers'}."


def describe_doubted(tables: Mapping[str, Table], doubted: Collection[str]) -> str:
    """Which judges wait for an organiser's look, and what changes without each; empty if nobody does."""
    if not doubted:
        return ""
    judges = counts_of(tables).get("judges", len(doubted))
    said = f"{len(doubted)} of {quantity(judges, 'judge')} {'needs' if len(doubted) == 1 else 'need'} a look."
    first = next((line["system"] for line in lines_of(tables, "standings")), "")
    for line in lines_of(tables, "leave_out"):
        if line["left_out"] == "judge" and line["name"] in doubted:
            leads = f"{first} still leads" if line["leader"] == first else f"{line['leader']} leads instead of {first}"
            many = abs(line["largest_move"])
            moves = "gains" if line["largest_move"] < 0 else "loses"
            also = f"{line['system']} {moves} {quantity(many, 'rank')}" if many else "no system moves"
            said += f" Without {line['name']}, {leads}, and {also}."
    return said


def with_interval(line: Mapping[str, Any], column: str) -> str:
    """A number of a line and its interval, such as 0.29 (0.20 to 0.38)."""
    return f"{number(line[column])}{span(line[f'{column}_low'], line[f'{column}_high'])}"
