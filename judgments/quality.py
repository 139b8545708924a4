"""How carefully a judge works: the controls, which are the source made worse on purpose."""

from dataclasses import dataclass

from judgments.models import Judgment, Membership, System, SystemOutput
from judgments.protocols import PROTOCOLS


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


def _is_below(merits: dict[int, float], kinds: dict[int, str]) -> bool:
    """Whether the control got less than its source."""
    by_kind = {kinds[candidate]: merit for candidate, merit in merits.items() if candidate in kinds}
    return by_kind[System.Kind.CONTROL] < by_kind[System.Kind.SOURCE]
