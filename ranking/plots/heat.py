"""Squares of a heat map: nine steps of a scale from orange over nothing to blue, which the colour-blind can tell apart.

Fills stay pale (dark in the dark), so that the text in a square can always be read.
"""

STEPS = 4
KAPPA_STEP = 0.2


def step_around_half(share: float) -> str:
    """The class of a share: half is blank."""
    return _class(round((share - 0.5) * 2 * STEPS))


def step_of_kappa(kappa: float) -> str:
    """The class of a kappa: five steps as usually told, and one for less than chance."""
    return _class(min(STEPS, int(kappa / KAPPA_STEP)) if kappa >= 0 else -2)


def _class(step: int) -> str:
    if step == 0:
        return "cell even"
    return f"cell more{step}" if step > 0 else f"cell less{-step}"
