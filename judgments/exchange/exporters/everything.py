"""A whole campaign: an object of JSON a line for programs, or a bundle for another installation."""

from collections.abc import Iterator

from judgments.archive import writing
from judgments.archive.serialiser import Row, line
from judgments.exchange.exporters.base import JSON_LINES, ZIP, Export, Wishes
from judgments.models import Campaign
from judgments.protocols.rows import judges_of


def everything(campaign: Campaign, wishes: Wishes) -> Iterator[str]:
    """The campaign, then the rows of each kind, each saying of which it is."""
    yield line({"what": "campaign", **writing.settings(campaign)})
    for kind, found in writing.Writer(campaign).kinds():
        what = "batch" if kind.name == "batches" else kind.name.removesuffix("s")
        for row in _with_names(campaign, found) if wishes.with_names and what == "judge" else found:
            yield line({"what": what, **row})


def _with_names(campaign: Campaign, rows: Iterator[Row]) -> Iterator[Row]:
    known = {judge.pseudonym: judge for judge in judges_of(campaign).values()}
    for row in rows:
        judge = known[row["pseudonym"]]
        yield row | {"user": judge.user, "worker": judge.worker}


LINES = Export(
    name="everything.jsonl",
    about="The whole campaign for programs: settings, texts, screens, assignments, every revision of every judgment.",
    content_type=JSON_LINES,
    write=everything,
    marks_excluded=True,
    tells_names=True,
)
BUNDLE = Export(
    name="campaign.zip",
    about="The campaign itself, for another installation to import; without accounts and links.",
    content_type=ZIP,
    write=lambda campaign, wishes: writing.bundle(campaign),
    marks_excluded=True,
)
