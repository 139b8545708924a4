"""Use the corrections of one campaign as references in another, one reference per judge.

Both campaigns need the same sentences on the same lines. Earlier references from that campaign are replaced. Example:

  python manage.py use_corrections mycorrections mytask
"""

from judgments.exchange.references import use_corrections
from judgments.management.base import PlatformCommand, argument


class Command(PlatformCommand):
    arguments = (
        argument("source", metavar="FROM", help="the short name of a correction campaign"),
        argument("target", metavar="TO", help="the short name of the campaign that gets references"),
    )

    def run(self, source: str, target: str) -> str:
        to = self.find_campaign(target)
        used = use_corrections(self.find_campaign(source), to)
        made = ", ".join(used.references)
        return f"{to.slug}: references {made} on {used.sentences} sentences (data:{used.digest})."
