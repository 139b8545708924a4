"""Show what changed between two reports on one campaign."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import CommandError

from judgments.management.base import PlatformCommand
from ranking.models import Report
from ranking.numbers.tables import to_markdown
from ranking.reports.comparing import changes_between, in_order


class Command(PlatformCommand):
    """compare_reports REPORT OTHER"""

    help = """Say what changed between two reports on one campaign, whichever is older: which choices differ, which
clusters split or joined, which pairs are decided otherwise, and how every system moved, as Markdown.

A report's number stands in its address. Example:

  python manage.py compare_reports 3 5 --out changes.md
"""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("report", type=int, metavar="REPORT", help="the number of a report")
        parser.add_argument("other", type=int, metavar="OTHER", help="the number of another one")
        parser.add_argument("--out", type=Path, metavar="FILE", help="where to write (default: the screen)")

    def handle(self, **options: Any) -> str:
        earlier, later = in_order(self.report(options["report"]), self.report(options["other"]))
        changes = changes_between(earlier, later)
        head = f"From report {earlier.pk} to report {later.pk} on {earlier.campaign.slug}:\n\n"
        said = "".join(f"- {sentence}\n" for sentence in changes.sentences())
        text = f"{head}{said}\n{to_markdown(changes.moves)}"
        if out := options["out"]:
            out.write_text(text, encoding="utf-8", newline="\n")
            return f"{out}: {len(changes.sentences())} sentences and a table."
        return text

    def report(self, pk: int) -> Report:
        found = Report.objects.select_related("campaign").filter(pk=pk).first()
        if found is None:
            raise CommandError(
                f"There is no report {pk}; the number of a report stands in its address, /reports/{pk}/."
            )
        return found
