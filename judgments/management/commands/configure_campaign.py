"""Set instructions, onboarding, limits for judges and completion codes; settings that are not given stay as they are.

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
    "instructions": "guidelines in Markdown, shown before the first screen and under every screen",
    "consent": "the consent form in Markdown, which judges accept before they begin, and again when it changes",
    "tutorial": "examples with their expected answers",
    "questions": "a comprehension check before the first screen",
    "rubric": "the scales by which judges rate whole texts; set before screens are assigned",
}
NUMBERS = {
    "pass-share": (float, "share of the questions that a judge must answer correctly (default 0.8)"),
    "most-attempts": (int, "attempts a judge has at the questions (default 2)"),
    "batches-per-judge": (int, "maximum number of batches for one judge"),
    "control-pass-share": (float, "share of controls that a judge must put below the source; set before opening"),
    "least-controls": (int, "controls a judge must have seen before the rule applies (default 3); set before opening"),
    "least-seconds": (float, "minimum median seconds per screen; set before opening"),
    "lease-minutes": (int, "minutes for which an assignment is reserved for its judge (default 30)"),
}
WORDS = {
    "name": "the title that judges see",
    "completion-code": "shown after every batch",
    "failed-code": "shown instead to judges who put too few controls below the source",
    "screened-out-code": "shown to judges who fail the questions",
    "return-address": "link for returning with the code, such as https://app.prolific.com/submissions/complete?cc={code}",
}


class Command(PlatformCommand):
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
