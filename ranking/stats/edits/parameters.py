"""Parameters of a report on edits: everything except the data that affects its numbers."""

from collections.abc import Mapping
from dataclasses import dataclass

from ranking.stats.unit_choices import UnitChoices

# Categories of edits: ERRANT's, if a parser of the language is installed, or by what becomes of the words.
CATEGORIES = ERRANT, PLAIN = "errant", "plain"


@dataclass(frozen=True)
class EditParameters(UnitChoices):
    categories: str = ERRANT

    @staticmethod
    def _choices() -> dict[str, tuple[str, ...]]:
        return {"categories": CATEGORIES, **UnitChoices._choices()}


PRESETS: Mapping[str, EditParameters] = {"recommended": EditParameters()}
