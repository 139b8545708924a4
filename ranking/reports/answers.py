"""What a report answers first: a sentence to quote, what it rests on, and what may be claimed."""

from dataclasses import dataclass

from judgments.web.charts.numbers import counted
from ranking.numbers.tables import Table


@dataclass(frozen=True)
class OtherMethod:
    """Another method of the report, and on how many pairs of systems it concludes the same."""

    label: str
    same: int
    pairs: int


@dataclass(frozen=True)
class Answer:
    """The first screenful of a report; `cited` is the method whose ranking is the one to cite."""

    sentence: str
    facts: tuple[str, ...]
    scope: str
    cited: str = ""
    may_say: tuple[str, ...] = ()
    may_not_say: tuple[str, ...] = ()
    others: tuple[OtherMethod, ...] = ()


# Sentences that came without documents are in one.
ONE_DOCUMENT = ("documents", 1)


def facts_of(counts: Table) -> list[str]:
    """Say how much there was: 13 systems, 8 judges."""
    return [counted(int(many), str(what).removesuffix("s")) for what, many in counts.rows if many and (what, many) != ONE_DOCUMENT]
