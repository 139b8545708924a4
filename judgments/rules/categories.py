"""Categories of errors, from which a judge chooses one for an edit."""

from typing import NamedTuple


class Category(NamedTuple):
    """A category's name, and a line that says what belongs to it."""

    name: str
    help: str
