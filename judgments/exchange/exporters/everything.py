"""Everything of a campaign, an object of JSON a line."""

from collections.abc import Iterator

from judgments.archive.rows import ROWS, Carried, settings
from judgments.archive.rules.layout import Row, line
from judgments.exchange.exporters.base import JSON_LINES, Export, Wishes
from judgments.models import Campaign
from judgments.protocols.rows import judges_of


def everything(campaign: Campaign, wishes: Wishes) -> Iterator[str]:
    """The campaign, then the rows of each kind, each saying of which it is."""
    yield line({"what": "campaign", **settings(campaign)})
    carried = Carried.of(campaign)
    for kinds, rows in ROWS.items():
        what = "batch" if kinds == "batches" else kinds.removesuffix("s")
        found = rows(carried)
        for row in _with_names(campaign, found) if wishes.with_names and what == "judge" else found:
            yield line({"what": what, **row})


def _with_names(campaign: Campaign, rows: Iterator[Row]) -> Iterator[Row]:
    known = {judge.pseudonym: judge for judge in judges_of(campaign).values()}
    for row in rows:
        judge = known[row["pseudonym"]]
        yield row | {"user": judge.user, "worker": judge.worker}


EXPORT = Export(
    name="everything.jsonl",
    about="The whole campaign for programs: settings, texts, screens, assignments, every revision of every judgment.",
    content_type=JSON_LINES,
    write=everything,
    marks_excluded=True,
    tells_names=True,
)
