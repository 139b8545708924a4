"""How people call commands: by `python manage.py` in a checkout, by `appraise-gec` where the package is installed.

Commands that score files use this without Django, which takes longer to load than they need.
"""

import re
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from operator import methodcaller
from pathlib import Path
from typing import Any

Argument = Callable[[ArgumentParser], Any]
IN_CHECKOUT = re.compile(r"python manage\.py (\w+)")


def argument(*flags: str, **options: Any) -> Argument:
    """Declare an argument with the parameters of `ArgumentParser.add_argument`."""
    return methodcaller("add_argument", *flags, **options)


def program() -> str:
    return Path(sys.argv[0]).name


def as_called(text: str) -> str:
    """A text in which commands stand as in a checkout, as its reader has to type them."""
    if program() == "manage.py":
        return text
    return IN_CHECKOUT.sub(lambda found: f"appraise-gec {found[1].replace('_', '-')}", text)
