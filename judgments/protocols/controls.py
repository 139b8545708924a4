"""Controls among candidates: the source made worse on purpose, to be put below the source that is shown beside it."""

from collections.abc import Iterable, Iterator, Mapping

from judgments.models import System, SystemOutput
from judgments.protocols.base import Merit


def below_their_source(merits: Iterable[Merit]) -> Iterator[bool]:
    """For each judgment of a control whether it got less than its source."""
    given: dict[int, dict[int, float]] = {}
    for judgment, candidate, merit in merits:
        given.setdefault(judgment, {})[candidate] = merit
    answered = {candidate for answers in given.values() for candidate in answers}
    outputs = SystemOutput.objects.filter(
        candidate__in=answered, system__kind__in=[System.Kind.SOURCE, System.Kind.CONTROL]
    )
    kinds = dict(outputs.order_by("system__kind").values_list("candidate", "system__kind"))
    return (_is_below(answers, kinds) for answers in given.values())


def _is_below(merits: Mapping[int, float], kinds: Mapping[int, str]) -> bool:
    by_kind = {kinds[candidate]: merit for candidate, merit in merits.items() if candidate in kinds}
    return by_kind[System.Kind.CONTROL] < by_kind[System.Kind.SOURCE]
