"""A setting of a campaign is declared once, on its field: its group on the page, its label, and when it is fixed.

The page, the API, commands, bundles and the lock read the declarations in `judgments.models.campaign.SETTINGS`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, NamedTuple, TypeVar


class Fixed(Enum):
    """From when on a setting cannot be changed, because screens or judgments depend on it."""

    NEVER = auto()
    ONCE_OPENED = auto()
    ONCE_ASSIGNED = auto()


class SettingGroup(NamedTuple):
    """The heading under which settings stand, in the order of their fields, and when they are usually fixed."""

    heading: str
    fixed: Fixed = Fixed.NEVER


CAMPAIGN = SettingGroup("Campaign")
PLAN = SettingGroup("Screens and assignments", Fixed.ONCE_ASSIGNED)
ONBOARDING = SettingGroup("What judges read before they begin")
JUDGING = SettingGroup("Judging")
RULE = SettingGroup("Exclusion rule (fixed when the campaign opens)", Fixed.ONCE_OPENED)
COMPLETION = SettingGroup("Codes for crowd platforms")


@dataclass(frozen=True)
class Setting:
    """`is_special` settings are for protocols that name them; `is_folded` ones are seldom changed."""

    group: SettingGroup
    fixed: Fixed
    is_folded: bool
    is_special: bool


Field = TypeVar("Field")


def setting(
    group: SettingGroup,
    label: str = "",
    *,
    fixed: Fixed | None = None,
    is_folded: bool = False,
    is_special: bool = False,
) -> Callable[[Field], Field]:
    """Declare the setting that a field of the model stores; without a label, it is called as the field."""

    def declare(field: Any) -> Any:
        field.setting = Setting(group, fixed or group.fixed, is_folded, is_special)
        # Migrations repeat the argument `verbose_name` of a field, but not this.
        field.verbose_name = label or None
        return field

    return declare
