"""Judgments as pairs with their ranks, in the format of shared tasks' scripts."""

from collections.abc import Callable, Iterator
from itertools import combinations

from judgments.exchange.exporters.base import CSV, ExportOptions, compares_candidates, export
from judgments.models import Campaign
from judgments.protocols import protocol_of
from judgments.protocols.rows import judges_of, systems_behind
from judgments.protocols.stream import stream_judgments
from judgments.rules.files.csv_tables import cells

COLUMNS = [
    "srclang", "trglang", "srcIndex", "segmentId", "judgeID", "system1Id", "system1rank", "system2Id", "system2rank",
    "rankingID",
]  # fmt: skip
SOURCE, TARGET = "src", "trg"
# Returns the names to write for the systems behind a candidate: one for each system, or one for all.
Names = Callable[[tuple[str, ...]], tuple[str, ...]]


@export("pairs-expanded.csv", CSV, fits=compares_candidates)
def pairs_expanded(campaign: Campaign, options: ExportOptions) -> Iterator[str]:
    """A row for each pair of systems that a judgment compares, with their ranks; equal outputs are tied."""
    return _pairs(campaign, options, lambda names: tuple(cells([name]) for name in names))


@export("pairs-unexpanded.csv", CSV, fits=compares_candidates)
def pairs_unexpanded(campaign: Campaign, options: ExportOptions) -> Iterator[str]:
    """A row for each pair of versions that a judge saw, each named by all systems behind it."""
    return _pairs(campaign, options, lambda names: (cells([" ".join(names)]),))


def _pairs(campaign: Campaign, options: ExportOptions, to_cells: Names) -> Iterator[str]:
    yield cells(COLUMNS) + "\n"
    judges, protocol = judges_of(campaign), protocol_of(campaign)
    written: dict[tuple[str, ...], tuple[str, ...]] = {}
    behind = systems_behind(campaign, system__takes_part=True)
    judgments = stream_judgments(campaign, options.with_excluded, with_programs=options.with_programs)
    for number, (head, answers) in enumerate(judgments, 1):
        ranked = []
        for answer, rank in zip(answers, protocol.ranks(answers), strict=True):
            names = behind.get(answer.candidate or 0, ())
            if names and names not in written:
                written[names] = to_cells(tuple(f"{campaign.slug}.{name}.{SOURCE}-{TARGET}" for name in names))
            ranked += [(name, rank) for name in written.get(names, ())]
        line, judge = head.position, cells([judges[head.judge].pseudonym]) if head.judge else ""
        first = f"{SOURCE},{TARGET},{line},{line},{judge}"
        for (one, rank), (other, its_rank) in combinations(sorted(ranked), 2):
            yield f"{first},{one},{rank},{other},{its_rank},{number}\n"
