"""Show what two reports on one campaign answer, and what changed from the older to the newer: which parameters differ,
which clusters split or joined, which pairs have another winner, and how every system moved, as Markdown.

The number of a report is in its address. Example:

  python manage.py compare_reports 3 5 --out changes.md
"""

from pathlib import Path

from judgments.management.base import OUT, PlatformCommand, argument
from ranking.management.reports import find_report
from ranking.numbers.tables import to_markdown
from ranking.reports.comparing import comparison, in_order


class Command(PlatformCommand):
    help = __doc__
    arguments = (
        argument("report", type=int, metavar="REPORT", help="the number of a report"),
        argument("other", type=int, metavar="OTHER", help="the number of the other report"),
        OUT,
    )

    def run(self, report: int, other: int, out: Path | None) -> str:
        earlier, later = in_order(find_report(report), find_report(other))
        compared = comparison(earlier, later)
        changes = compared.changes
        answers = "".join(f"- {side['report'].name}: {side['sentence']}\n" for side in compared.sides)
        head = f"{answers}\nFrom report {earlier.pk} to report {later.pk} on {earlier.campaign.slug}:\n\n"
        sentences = "".join(f"- {sentence}\n" for sentence in changes.sentences())
        text = f"{head}{sentences}\n{to_markdown(changes.moves)}"
        if out:
            out.write_text(text, encoding="utf-8", newline="\n")
            return f"{out}: {len(changes.sentences())} sentences and a table."
        return text
