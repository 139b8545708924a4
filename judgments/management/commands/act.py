"""Do what the buttons of organisers' pages do; a text can come from a file, named after an @. Examples:

python manage.py act mytask change-state --state open
python manage.py act mytask exclude-judge ada --reason "asleep"
python manage.py act mytask configure --instructions @guidelines.md --completion-code C1A2
python manage.py act mytask configure --help
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from judgments.actions import MODULES, actions_in
from judgments.actions.base import Action, name_of
from judgments.management.base import CAMPAIGN, PlatformCommand, options_of, refuse_faulty
from judgments.management.files import checked_file
from judgments.models import Campaign
from judgments.rules.files.problems import Problems
from judgments.rules.files.text_files import read_text


class Command(PlatformCommand):
    arguments = (CAMPAIGN,)

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        named = parser.add_subparsers(dest="name", metavar="ACTION", required=True)
        for action in actions_in(*MODULES):
            about = " ".join((action.__doc__ or "").split())
            own = named.add_parser(name_of(action).replace("_", "-"), help=about, description=about)
            own.set_defaults(action=action)
            if action.about:
                kind = int if action.about.named_by == "id" else str
                own.add_argument("subject", metavar=action.about.word.upper(), type=kind)
            for name, field in action.base_fields.items():
                own.add_argument(f"--{name.replace('_', '-')}", dest=f"field_{name}", **options_of(field))

    def run(self, campaign: Campaign, action: type[Action], options: dict[str, Any]) -> str:
        about = action.about
        row = self.find(about.rows(campaign), about.word, about.named_by, options["subject"]) if about else None
        given = {name: options[f"field_{name}"] for name in action.base_fields}
        data = {name: _from_file(value) for name, value in given.items() if value is not None}
        form = action(campaign, row, data=data, files=data)
        refuse_faulty(form)
        form.progress = self.bar
        said = form.act()
        return "\n".join([said, *(f"{name}\t{link}" for name, link in form.outcome.get("links", {}).items())])


def _from_file(value: Any) -> Any:
    """The text of the file that is named after an @; a text that begins with an @ itself is written with two.

    Paths of files are read.
    """
    if isinstance(value, list):
        return [_from_file(one) if isinstance(one, Path) else one for one in value]
    if isinstance(value, Path):
        return SimpleUploadedFile(value.name, checked_file(value).read_bytes())
    if not isinstance(value, str) or not value.startswith("@"):
        return value
    if value.startswith("@@"):
        return value[1:]
    path = Path(value[1:])
    file = read_text(path.name, path.read_bytes())
    if file.problems and path.stat().st_size:
        raise Problems(file.problems)
    return "\n".join(file.lines).strip()
