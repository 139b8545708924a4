"""How carefully a judge works: the controls, of which it is known how they should be answered."""

from dataclasses import asdict, dataclass
from datetime import datetime

from django.db.models import Exists, Max, OuterRef
from django.db.models.functions import Coalesce

from judgments.judges.rules.statistics import Figures, figures
from judgments.models import Assignment, JudgeStatistics, Judgment, Membership
from judgments.models.counts import LONG_AGO
from judgments.protocols import protocol_of


@dataclass(frozen=True)
class Controls:
    """How many controls a judge has seen, and how many of them were answered as they should be."""

    seen: int
    passed: int

    def meet(self, share: float | None) -> bool | None:
        """Whether at least this share was passed; nothing where nothing is asked or none was seen."""
        if share is None or not self.seen:
            return None
        return self.passed >= share * self.seen


def controls(judge: Membership) -> Controls:
    """The judge's answers to all controls so far, each once; who is told what was expected cannot mend them afterwards.

    Where judges are dismissed by them, a skip is no way around a control.
    """
    protocol = protocol_of(judge.campaign)
    assignments = Assignment.objects.held_by(judge).done().filter(screen__has_control=True, repeats=None)
    answers = Judgment.objects.filter(assignment__in=assignments, skipped=False)
    if judge.campaign.feedback:
        earlier = Judgment.objects.filter(
            assignment=OuterRef("assignment"), skipped=False, revision__lt=OuterRef("revision")
        )
        answers = answers.exclude(Exists(earlier))
    else:
        answers = answers.current()
    passed = list(protocol.passed_controls(answers))
    return Controls(seen=assignments.count() if protocol.dismisses else len(passed), passed=sum(passed))


def feedback_on(judgment: Judgment) -> str:
    """What the judge is told at once, where the organiser wishes so and the right answer is known; else nothing."""
    campaign = judgment.assignment.campaign
    is_told = campaign.feedback and not judgment.skipped and judgment.screen.has_control
    return protocol_of(campaign).feedback(judgment) if is_told else ""


def figures_of(judge: Membership, until: datetime) -> Figures:
    """How the judge has worked until then, from all current answers; skips take time and answer nothing."""
    protocol = protocol_of(judge.campaign)
    judgments = Judgment.objects.current().filter(assignment__judge=judge, assignment__submitted_at__lte=until)
    seconds = list(judgments.order_by().values_list(Coalesce("active_seconds", "wall_seconds"), flat=True))
    answers: dict[int, list[float]] = {}
    for judgment, _, merit in protocol.merits(judgments):
        answers.setdefault(judgment, []).append(merit)
    seen = controls(judge)
    ends = protocol.scale.ends if protocol.scale else None
    return figures(seconds, answers.values(), ends, seen.seen, seen.passed)


def count_anew(judge: Membership) -> Figures:
    """The figures of a judge as they are now, kept for the table of judges."""
    # What is submitted meanwhile is not among the figures, and counted as newer than them.
    newest = Assignment.objects.held_by(judge).done().aggregate(newest=Max("submitted_at"))["newest"]
    found = figures_of(judge, newest or LONG_AGO)
    told = asdict(found) | {"counted_up_to": newest}
    JudgeStatistics.objects.bulk_create(
        [JudgeStatistics(judge=judge, **told)], update_conflicts=True, unique_fields=["judge"], update_fields=told
    )
    return found
