"""Classes of heat map squares: nine steps from orange through blank to blue, distinct to the colour-blind.

Fills stay pale (dark in dark mode), so that text in a square is always readable.
"""

STEPS = 4
KAPPA_STEP = 0.2
# The largest p-value of each step; the other side has the same steps for 1 - p.
P_STEPS = ((0.001, 4), (0.01, 3), (0.05, 2), (0.1, 1))


def step_around_half(share: float) -> str:
    """Return the class of a share; one half is blank."""
    return _class(round((share - 0.5) * 2 * STEPS))


def step_of_kappa(kappa: float) -> str:
    """Return the class of a kappa: the usual five steps, and one for less than chance."""
    shown = round(kappa, 2)  # so that a kappa printed as .00 gets the class of .00
    return _class(min(STEPS, int(shown / KAPPA_STEP + 1e-9)) if shown >= 0 else -2)


def step_of_p_value(p_value: float) -> str:
    """Return the class of a one-sided p-value: blue if it is small, orange if 1 - p is."""
    for bound, step in P_STEPS:
        if min(p_value, 1 - p_value) <= bound:
            return _class(step if p_value <= bound else -step)
    return _class(0)


def _class(step: int) -> str:
    return f"cell {'more' if step > 0 else 'less'}{abs(step)}" if step else "cell even"
