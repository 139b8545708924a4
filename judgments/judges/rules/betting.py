"""Tests that may be looked at after every screen: bets against the claim that a judge is careful."""

from collections.abc import Iterable
from math import log1p

# Shares of the capital that are bet: small ones win on small deviations, large ones win fast on large deviations.
STAKES = (0.2, 0.5, 0.95)
# Half of the capital bets from the first screen on. Of the rest, a share enters at each later screen, so that a judge
# who stops being careful is noticed too.
AT_ONCE, LATER = 0.5, 1 / 300


def evidence_against(gains: Iterable[float], alpha: float) -> range | None:
    """The screens, counted from 0, whose evidence first reached 1 / alpha; None if it never did.

    A gain is what a bet of 1 earns on a screen: at least -1, and for a careful judge at most 0 in expectation, whatever
    came before. The capital after n screens, the mean over stakes s and times of entry of (1 + s g_1) ... (1 + s g_n),
    is then a supermartingale that starts at 1, and reaches 1 / alpha at some time with probability at most alpha
    (Ville 1939; Waudby-Smith and Ramdas 2024, Estimating means of bounded random variables by betting, section 4).
    The range begins where the bet of the smallest stake grew from, as in a CUSUM chart (Page 1954).

    Toy: with gains of 1 the capital is 1/2 * (1.2 + 1.5 + 1.95) / 3 + 1/2 = 1.275 after one screen, and after two
    1/2 * (1.2**2 + 1.5**2 + 1.95**2) / 3 + 1/2 = 1.75, and a little more for what entered at the second.
    """
    capital, outside = [0.0] * len(STAKES), 1.0
    growth, first = 0.0, 0
    for screen, gain in enumerate(gains):
        entering = outside * (LATER if screen else AT_ONCE)
        outside -= entering
        capital = [(held + entering) * (1 + stake * gain) for held, stake in zip(capital, STAKES, strict=True)]
        growth += log1p(STAKES[0] * gain)
        if growth <= 0:
            growth, first = 0.0, screen + 1
        if sum(capital) / len(STAKES) + outside >= 1 / alpha:
            return range(first, screen + 1)
    return None
