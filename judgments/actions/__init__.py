"""Where modules with actions stand; an app with actions of its own adds them when it is ready."""

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from judgments.actions.base import Action

NAMES = "campaigns", "material", "importing", "judges", "links", "programs"
OF_JUDGMENTS = tuple(f"judgments.actions.{name}" for name in NAMES)
MODULES = [*OF_JUDGMENTS]


def actions_in(*modules: str) -> Iterator[type["Action"]]:
    for module in modules:
        yield from import_module(module).ACTIONS
