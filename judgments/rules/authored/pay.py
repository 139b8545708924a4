"""What judges are paid, as an organiser writes it: an amount, a currency, and what it is paid for.

0.05 EUR a screen
2 EUR a batch
12.50 GBP an hour
"""

import re
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

RULE = re.compile(r"(?P<amount>\d{1,6}(?:[.,]\d{1,3})?) (?P<currency>\S{1,10}) (?:an?|per) (?P<unit>screen|batch|hour)")
SECONDS_AN_HOUR = 3600
CENT = Decimal("0.01")


class PayUnit(StrEnum):
    SCREEN = "screen"
    BATCH = "batch"
    HOUR = "hour"


class Pay(NamedTuple):
    """An amount for each unit of work."""

    amount: Decimal
    currency: str
    unit: PayUnit

    def for_work(self, screens: int, batches: int, seconds: float) -> str:
        """What somebody earned by so much work, rounded to cents.

        Toy: 0.05 EUR a screen makes 1.50 EUR for 30 screens.
        """
        hours = Decimal(seconds) / SECONDS_AN_HOUR
        worked = {PayUnit.SCREEN: Decimal(screens), PayUnit.BATCH: Decimal(batches), PayUnit.HOUR: hours}
        return f"{(self.amount * worked[self.unit]).quantize(CENT)} {self.currency}"


def read_pay(rule: str) -> Pay | None:
    """None for a rule that cannot be read."""
    found = RULE.fullmatch(rule.strip())
    if found is None:
        return None
    return Pay(Decimal(found["amount"].replace(",", ".")), found["currency"], PayUnit(found["unit"]))
