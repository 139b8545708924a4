"""Statistics of a judge's answers, and the exclusion rule that uses them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any


def figures(
    seconds: Sequence[float | None],
    answers: Iterable[Sequence[float]],
    ends: tuple[float, float] | None,
    controls: int,
    controls_passed: int,
) -> dict[str, Any]:
    """The columns of `JudgeStatistics` from the seconds and merits of each screen, the ends of the scale if any,
    and the controls.

    Toy: a screen with merits 3, 3 and 1 has three pairs and one tie; of the scores 0, 50 and 100 two are extremes.
    """
    timed = [time for time in seconds if time is not None]
    given = list(answers)
    scores = [merit for merits in given for merit in merits] if ends else []
    return {
        "screens": len(seconds),
        "timed": len(timed),
        "total_seconds": sum(timed),
        "median_seconds": median(timed) if timed else None,
        "pairs": sum(_pairs(len(merits)) for merits in given),
        "ties": sum(_pairs(alike) for merits in given for alike in Counter(merits).values()),
        "scores": len(scores),
        "extremes": sum(score in ends for score in scores) if ends else 0,
        "controls": controls,
        "controls_passed": controls_passed,
    }


def _pairs(number: int) -> int:
    return number * (number - 1) // 2


# A median of fewer screens says little about haste.
FEWEST_TIMED = 10
NO_RULE = "No exclusion rule was set; judges are excluded by hand only."


@dataclass(frozen=True)
class ExclusionRule:
    """The criteria that a judge must meet to count; None turns a criterion off.

    If judges compare candidates, a control is the source with errors added; otherwise it has a known right answer.
    """

    pass_share: float | None
    least_controls: int
    least_seconds: float | None
    compares: bool = True

    def sentence(self) -> str:
        """State the rule for a report."""
        parts = []
        if self.pass_share is not None:
            passing = "ranking the control below its source" if self.compares else "giving the known right answer"
            parts.append(
                f"pass fewer than {_percent(self.pass_share)} of their controls (by {passing}; checked from "
                f"{self.least_controls} controls on)"
            )
        if self.least_seconds is not None:
            parts.append(
                f"take less than {self.least_seconds:g} seconds per screen in the median (checked from {FEWEST_TIMED} "
                "screens on)"
            )
        return f"Judges who {' or who '.join(parts)} are excluded." if parts else NO_RULE

    def broken_by(self, *, controls: int, controls_passed: int, timed: int, median_seconds: float | None) -> str | None:
        """The criterion that a judge does not meet, as a text, or None."""
        if fault := self.control_fault(controls, controls_passed):
            return fault
        if self.least_seconds is None or median_seconds is None or timed < FEWEST_TIMED:
            return None
        if median_seconds >= self.least_seconds:
            return None
        return f"rule: {median_seconds:.1f} seconds per screen in the median, less than {self.least_seconds:g}"

    def control_fault(self, controls: int, passed: int) -> str | None:
        """A text about too few correctly answered controls, or None."""
        if self.pass_share is None or controls < max(self.least_controls, 1):
            return None
        if passed >= self.pass_share * controls:
            return None
        how = "below the source" if self.compares else "right"
        return f"rule: {passed} of {controls} controls {how}, fewer than {_percent(self.pass_share)}"


def _percent(share: float) -> str:
    return f"{100 * share:.4g}%"
