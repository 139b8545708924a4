"""The share of errors that people would find, from a program's verdicts and how often it finds what people find.

With p the share that the program calls errors, where people gave no verdict, and sensitivity Se and specificity Sp
where both did (Rogan and Gladen 1978),

    share = (p + Sp - 1) / (Se + Sp - 1)

A usage with verdicts of several people counts as an error by the share of them that call it one. The interval is that
of Lang and Reiczigel (2014), which counts the chance in p, Se and Sp: with z the normal quantile, p from (n p + z^2/2)
of n + z^2, and Se and Sp with one success and one failure added,

    share + d -+ z / (Se + Sp - 1) sqrt(p (1 - p) / n + share^2 Se (1 - Se) / n_e + (1 - share)^2 Sp (1 - Sp) / n_o)
    d = 2 z^2 (share Se (1 - Se) / n_e - (1 - share) Sp (1 - Sp) / n_o)

If Se + Sp could be 1, the program does not tell errors from the rest, and nothing follows from its verdicts.

Toy: with p = .35, Se = .9 and Sp = .8, the share is .15 / .7 = .214.
"""

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np

from ranking.numbers.intervals import Interval

NOTHING_KNOWN = Interval(0.0, 1.0)


@dataclass(frozen=True)
class Diagnosed:
    """`usages` are those of the program alone, `errors` and `others` what people decided where both did."""

    apparent: float
    sensitivity: float
    specificity: float
    usages: int
    errors: float
    others: float

    @property
    def share(self) -> float:
        gain = self.sensitivity + self.specificity - 1
        return float(np.clip((self.apparent + self.specificity - 1) / gain, 0, 1)) if gain > 0 else float("nan")

    def tells(self, level: float) -> bool:
        """Whether sensitivity and specificity together are above chance beyond doubt."""
        if min(self.usages, self.errors, self.others) <= 0:
            return False
        spread = sum(p * (1 - p) / (n + 2) for p, n in self._moderated())
        return sum(p for p, _ in self._moderated()) - 1 > NormalDist().inv_cdf((1 + level) / 2) * sqrt(spread)

    def interval(self, level: float) -> Interval:
        if not self.tells(level):
            return NOTHING_KNOWN
        z = NormalDist().inv_cdf((1 + level) / 2)
        (sensitivity, errors), (specificity, others) = self._moderated()
        usages = self.usages + z**2
        apparent = (self.usages * self.apparent + z**2 / 2) / usages
        gain = sensitivity + specificity - 1
        share = (apparent + specificity - 1) / gain
        of_errors = sensitivity * (1 - sensitivity) / (errors + 2)
        of_others = specificity * (1 - specificity) / (others + 2)
        spread = apparent * (1 - apparent) / usages + share**2 * of_errors + (1 - share) ** 2 * of_others
        shifted = share + 2 * z**2 * (share * of_errors - (1 - share) * of_others)
        low, high = np.clip([shifted - z / gain * sqrt(spread), shifted + z / gain * sqrt(spread)], 0, 1)
        return Interval(float(low), float(high))

    def _moderated(self) -> tuple[tuple[float, float], ...]:
        """Sensitivity and specificity with one success and one failure more, and the numbers without these."""
        return tuple(
            ((share * number + 1) / (number + 2), number)
            for share, number in ((self.sensitivity, self.errors), (self.specificity, self.others))
        )


def diagnosed(people: np.ndarray, program: np.ndarray) -> Diagnosed:
    """From the share of people who call each usage an error, and what the program says (1 or 0); NaN where nobody."""
    both, alone = np.isfinite(people) & np.isfinite(program), np.isnan(people) & np.isfinite(program)
    said, found = program[both], people[both]
    errors, others = float(found.sum()), float((1 - found).sum())
    return Diagnosed(
        float(program[alone].mean()) if alone.any() else float("nan"),
        float(found @ said / errors) if errors else float("nan"),
        float((1 - found) @ (1 - said) / others) if others else float("nan"),
        int(alone.sum()), errors, others,
    )  # fmt: skip
