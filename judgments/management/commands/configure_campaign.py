"""Set how a campaign receives its judges and thanks them. What is not named stays as it is.

docs/organisers.md describes the format of tutorials and questions. An empty file or text removes a setting. Examples:

  python manage.py configure_campaign mytask --instructions guidelines.md --consent consent.md
  python manage.py configure_campaign mytask --tutorial examples.txt --questions check.txt
  python manage.py configure_campaign mytask --batches-per-judge 1 --completion-code C1A2 \\
      --return-address 'https://app.prolific.com/submissions/complete?cc={code}'
"""

from pathlib import Path
from typing import Any

from judgments.campaigns import settings
from judgments.management.base import CAMPAIGN, PlatformCommand, argument
from judgments.models import Campaign
from judgments.rules.files.problems import Problems
from judgments.rules.files.text_files import read_text

TEXTS = {
    "instructions": "what judges should know, in Markdown; shown before the first screen and under every one",
    "consent": "what judges agree to before they begin, in Markdown",
    "tutorial": "examples with the answers expected for them",
    "questions": "a comprehension check before the first screen",
}
NUMBERS = {
    "pass-share": (float, "share of the questions to be answered correctly (default 0.8)"),
    "most-attempts": (int, "how often a judge may answer them (default 2)"),
    "batches-per-judge": (int, "the most batches for one judge"),
    "control-pass-share": (float, "share of controls that a judge must put below the source; before opening"),
    "least-controls": (int, "controls that a judge must have met to be checked (default 3); before opening"),
    "least-seconds": (float, "seconds that a screen must take in the median; before opening"),
    "lease-minutes": (int, "how long an assignment waits for its judge until others get it (default 30)"),
}
WORDS = {
    "name": "the title that judges see",
    "completion-code": "shown after every batch",
    "failed-code": "shown instead where too few controls were put below the source",
    "screened-out-code": "shown to those who do not pass the questions",
    "return-address": "where a link leads with the code, such as https://app.prolific.com/submissions/complete?cc={code}",
}


class Command(PlatformCommand):
    help = __doc__
    arguments = (
        CAMPAIGN,
        *(argument(f"--{name}", type=Path, metavar="FILE", help=text) for name, text in TEXTS.items()),
        *(
            argument(f"--{name}", type=kind, metavar="N" if kind is int else "X", help=text)
            for name, (kind, text) in NUMBERS.items()
        ),
        *(argument(f"--{name}", metavar="TEXT", help=text) for name, text in WORDS.items()),
    )

    def run(self, campaign: Campaign, options: dict[str, Any]) -> str:
        names = [name.replace("-", "_") for name in (*TEXTS, *NUMBERS, *WORDS)]
        given = {name: options[name] for name in names if options[name] is not None}
        for name in TEXTS.keys() & given.keys():
            given[name] = _read(given[name])
        settings.configure(campaign, **given)
        changes = [f"{name} removed" if value == "" else f"{name} set" for name, value in given.items()]
        return f"{campaign.slug}: {', '.join(changes) or 'nothing changed'}."


def _read(path: Path) -> str:
    file = read_text(path.name, path.read_bytes())
    if file.problems and path.stat().st_size:
        raise Problems(file.problems)
    return "\n".join(file.lines).strip()
