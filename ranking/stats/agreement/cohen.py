"""Cohen's kappa (1960) of two who say yes or no of the same: how far they agree beyond what chance would give.

With P(A) the share on which they agree, and a and b their shares of yes,

    kappa = (P(A) - P(E)) / (1 - P(E))    P(E) = a b + (1 - a) (1 - b)

Toy: both say yes to 1 of 4, one of them alone to 1 more: P(A) = 3/4, P(E) = 1/2 1/4 + 1/2 3/4 = 1/2, kappa = 1/2.
"""

import numpy as np

Numbers = float | np.ndarray


def beyond_chance(agreed: Numbers, yes: Numbers, others_yes: Numbers) -> np.ndarray:
    """Kappa of shares, one or many at a time; NaN where chance explains all, or where nothing is known."""
    expected = np.asarray(yes * others_yes + (1 - yes) * (1 - others_yes))
    return np.divide(agreed - expected, 1 - expected, out=np.full(expected.shape, np.nan), where=expected < 1)


def kappa(one: np.ndarray, other: np.ndarray) -> float | None:
    """Of two rows of 1 and 0, or of true and false; None where chance explains all."""
    found = float(beyond_chance(float((one == other).mean()), float(one.mean()), float(other.mean())))
    return found if np.isfinite(found) else None
