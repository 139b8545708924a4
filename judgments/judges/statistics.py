"""Statistics of a judge, above all on controls, whose right answers are known."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, Max, OuterRef
from django.db.models.functions import Coalesce

from judgments.judges.rules.statistics import figures
from judgments.models import Assignment, JudgeStatistics, Judgment, Membership
from judgments.models.assignments import LONG_AGO
from judgments.protocols import protocol_of


@dataclass(frozen=True)
class Controls:
    """How many controls a judge has seen, and how many were answered correctly."""

    seen: int
    passed: int

    def passes(self, share: float | None) -> bool | None:
        """Whether at least this share was passed; None if no share is set or no control was seen."""
        if share is None or not self.seen:
            return None
        return self.passed >= share * self.seen


def controls(judge: Membership) -> Controls:
    """The judge's results on controls without repeats. With feedback the first answer counts, otherwise the last.

    If the protocol dismisses judges by controls, skipped controls count as seen.
    """
    protocol = protocol_of(judge.campaign)
    assignments = Assignment.objects.held_by(judge).done().filter(screen__has_control=True, repeats=None)
    answers = Judgment.objects.filter(assignment__in=assignments, skipped=False)
    if judge.campaign.feedback:
        before = {"assignment": OuterRef("assignment"), "revision__lt": OuterRef("revision")}
        answers = answers.exclude(Exists(Judgment.objects.filter(skipped=False, **before)))
    else:
        answers = answers.current()
    passed = protocol.passed_controls(answers).values()
    return Controls(seen=assignments.count() if protocol.stops_failing_judges else len(passed), passed=sum(passed))


def figures_of(judge: Membership, until: datetime) -> dict[str, Any]:
    """Compute the judge's statistics up to a moment; skips count for the time, but not as answers."""
    protocol = protocol_of(judge.campaign)
    judgments = Judgment.objects.current().filter(assignment__judge=judge, assignment__submitted_at__lte=until)
    seconds = list(judgments.order_by().values_list(Coalesce("active_seconds", "wall_seconds"), flat=True))
    answers: dict[int, list[float]] = {}
    for judgment, _, merit in protocol.merits(judgments) if protocol.has_candidates else ():
        answers.setdefault(judgment, []).append(merit)
    seen = controls(judge)
    ends = protocol.scale.ends if protocol.scale else None
    return figures(seconds, answers.values(), ends, seen.seen, seen.passed)


def count_anew(judge: Membership) -> JudgeStatistics:
    # Answers submitted from now on are not in these statistics and count as newer.
    newest = Assignment.objects.held_by(judge).done().aggregate(newest=Max("submitted_at"))["newest"]
    columns = figures_of(judge, newest or LONG_AGO) | {"counted_up_to": newest}
    counted = JudgeStatistics(judge=judge, **columns)
    JudgeStatistics.objects.bulk_create(
        [counted], update_conflicts=True, unique_fields=["judge"], update_fields=columns
    )
    return counted
