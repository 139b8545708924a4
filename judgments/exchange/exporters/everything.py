"""A whole campaign: as JSON lines for programs, or as a bundle for another installation."""

from collections.abc import Iterator

from judgments.archive import writing
from judgments.archive.writing import line
from judgments.exchange.exporters.base import JSON_LINES, ZIP, ExportOptions, export
from judgments.models import Campaign
from judgments.protocols.rows import judges_of


@export("everything.jsonl", JSON_LINES, marks_excluded=True, shows_names=True)
def everything(campaign: Campaign, options: ExportOptions) -> Iterator[str]:
    """The whole campaign for programs: settings, texts, screens, assignments, every revision of every judgment."""
    judges = {judge.pseudonym: judge for judge in judges_of(campaign).values()} if options.with_names else {}
    yield line({"what": "campaign", **writing.campaign_row(campaign)})
    for table, rows in writing.rows_by_table(campaign):
        what = "batch" if table.name == "batches" else table.name.removesuffix("s")
        for row in rows:
            if options.with_names and what == "judge":
                row = row | {"user": judges[row["pseudonym"]].username, "worker": judges[row["pseudonym"]].worker}
            yield line({"what": what, **row})


@export("campaign.zip", ZIP, marks_excluded=True)
def bundle(campaign: Campaign, options: ExportOptions) -> Iterator[bytes]:
    """The campaign itself, for another installation to import; without accounts and links."""
    return writing.bundle(campaign)
