"""How people call commands: by `python manage.py` in a checkout, by `appraise-gec` where the package is installed."""

import re
import sys
from pathlib import Path

IN_CHECKOUT = re.compile(r"python manage\.py (\w+)")


def program() -> str:
    return Path(sys.argv[0]).name


def as_called(text: str) -> str:
    """A text in which commands stand as in a checkout, as its reader has to type them."""
    if program() == "manage.py":
        return text
    return IN_CHECKOUT.sub(lambda found: f"appraise-gec {found[1].replace('_', '-')}", text)
