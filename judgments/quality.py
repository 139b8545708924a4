"""How carefully a judge works: the controls, which are the source made worse on purpose."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models.functions import Coalesce

from judgments.models import Campaign, Judgment, Membership, System, SystemOutput
from judgments.models.answers import BEST_SCORE
from judgments.protocols import PROTOCOLS
from judgments.rules.conduct import Figures, figures


@dataclass(frozen=True)
class Controls:
    """How many controls a judge has seen, and how many of them were put below their source."""

    seen: int
    passed: int

    def meet(self, share: float | None) -> bool | None:
        """Whether at least this share was passed; nothing where nothing is asked or none was seen."""
        if share is None or not self.seen:
            return None
        return self.passed >= share * self.seen


def controls(judge: Membership) -> Controls:
    """The judge's answers to all controls so far."""
    judgments = Judgment.objects.current().filter(seat__judge=judge, screen__has_control=True, skipped=False)
    merits: dict[int, dict[int, float]] = {}
    for judgment, candidate, merit in PROTOCOLS[judge.campaign.protocol].merits(judgments):
        merits.setdefault(judgment, {})[candidate] = merit
    answered = {candidate for given in merits.values() for candidate in given}
    outputs = SystemOutput.objects.filter(
        candidate__in=answered, system__kind__in=[System.Kind.SOURCE, System.Kind.CONTROL]
    )
    kinds = dict(outputs.order_by("system__kind").values_list("candidate", "system__kind"))
    verdicts = [_is_below(given, kinds) for given in merits.values()]
    return Controls(seen=len(verdicts), passed=sum(verdicts))


def figures_of(judge: Membership, until: datetime) -> Figures:
    """How the judge has worked until then, from all current answers; skips take time and answer nothing."""
    protocol = judge.campaign.protocol
    judgments = Judgment.objects.current().filter(seat__judge=judge, seat__submitted_at__lte=until)
    seconds = list(judgments.order_by().values_list(Coalesce("active_seconds", "wall_seconds"), flat=True))
    answers: dict[int, list[float]] = {}
    for judgment, _, merit in PROTOCOLS[protocol].merits(judgments):
        answers.setdefault(judgment, []).append(merit)
    ends = (0.0, float(BEST_SCORE)) if protocol == Campaign.Protocol.RATING else None
    seen = controls(judge)
    return figures(seconds, answers.values(), ends, seen.seen, seen.passed)


def _is_below(merits: dict[int, float], kinds: dict[int, str]) -> bool:
    """Whether the control got less than its source."""
    by_kind = {kinds[candidate]: merit for candidate, merit in merits.items() if candidate in kinds}
    return by_kind[System.Kind.CONTROL] < by_kind[System.Kind.SOURCE]
