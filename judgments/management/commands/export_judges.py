"""Export the judges of a campaign as CSV: their origin, their progress, and the codes they were shown.

The column worker is the identifier on the crowd platform, which you need there to pay or reject. Example:

  python manage.py export_judges mytask --out judges.csv
"""

from pathlib import Path

from judgments.judges import people
from judgments.management.base import CAMPAIGN, OUT, PlatformCommand
from judgments.models import Campaign


class Command(PlatformCommand):
    arguments = (CAMPAIGN, OUT)

    def run(self, campaign: Campaign, out: Path | None) -> str | None:
        return self.write_lines(people.judges_csv(campaign), out)
