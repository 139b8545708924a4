"""What Django's validators lack."""

from django.core.exceptions import ValidationError
from django.utils.deconstruct import deconstructible

from judgments.rules.authored.prose import prose_fault
from judgments.rules.crowd_platforms import fault_of_return_address


@deconstructible
class RangeValidator:
    """A number from one bound to another, told in one sentence; unlike two comparisons it stops NaN."""

    def __init__(self, least: float, most: float):
        self.least, self.most = least, most

    def __call__(self, value: float) -> None:
        if not self.least <= value <= self.most:
            raise ValidationError(f"must lie between {self.least} and {self.most}, and is {value}.")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RangeValidator) and (self.least, self.most) == (other.least, other.most)

    def __hash__(self) -> int:
        return hash((self.least, self.most))


def check_return_address(template: str) -> None:
    """Workers can be led there."""
    if fault := fault_of_return_address(template):
        raise ValidationError(fault)


def check_prose(markdown: str) -> None:
    """It can be shown on every screen."""
    if fault := prose_fault(markdown):
        raise ValidationError(fault)
