"""From rows to ballots: the only bridge between the database and the statistics."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from judgments.models import Campaign, Judgment, Membership, Screen, Slot, System, SystemOutput
from ranking.stats.ballots import Ballot, Group

ROWS_AT_ONCE = 10_000
BY_NOBODY = "automatic ties"


@dataclass(frozen=True)
class Ballots:
    """All that counts of a campaign, with the names behind the numbers."""

    systems: list[str]
    judges: list[str]
    ballots: list[Ballot]


def ballots_of(campaign: Campaign) -> Ballots:
    """The current judgments of all judges who are not excluded, automatic ties last."""
    systems = list(System.objects.filter(campaign=campaign).judged().order_by("name").values_list("pk", "name"))
    counted = Membership.objects.filter(campaign=campaign, role=Membership.Role.JUDGE, excluded_at=None)
    judges = list(
        counted.filter(seat__judgment__isnull=False).distinct().order_by("pseudonym").values_list("pk", "pseudonym")
    )
    behind = _systems_behind(campaign, {pk: number for number, (pk, _) in enumerate(systems)})
    numbers = {pk: number for number, (pk, _) in enumerate(judges)}
    ballots = list(_judged(campaign, numbers, behind))
    names = [name for _, name in judges]
    if automatic := list(_automatic(campaign, len(judges), behind)):
        ballots += automatic
        names.append(BY_NOBODY)
    return Ballots([name for _, name in systems], names, ballots)


def _systems_behind(campaign: Campaign, numbers: dict[int, int]) -> dict[int, tuple[int, ...]]:
    """The judged systems of each candidate."""
    rows = SystemOutput.objects.filter(system__in=list(numbers)).order_by("candidate", "system__name")
    pairs = rows.values_list("candidate", "system").iterator(ROWS_AT_ONCE)
    return {candidate: tuple(numbers[pk] for _, pk in rows) for candidate, rows in groupby(pairs, key=itemgetter(0))}


def _judged(campaign: Campaign, judges: dict[int, int], behind: dict[int, tuple[int, ...]]) -> Iterator[Ballot]:
    """One ballot a judgment, in the order of submission; a rating of s is a rank of -s."""
    rated = campaign.protocol == Campaign.Protocol.RATING
    name, value, sign = ("rating", "score", -1) if rated else ("placement", "rank", 1)
    rows = (
        Judgment.objects.current()
        .filter(seat__campaign=campaign, seat__judge__in=list(judges))
        .order_by("pk", f"{name}__pk")
        .values_list("pk", "seat__judge", "screen__segment", f"{name}__candidate", f"{name}__{value}")
    )
    for (_, judge, segment), answers in groupby(rows.iterator(ROWS_AT_ONCE), key=itemgetter(0, 1, 2)):
        groups = tuple(
            Group(behind[candidate], sign * rank) for *_, candidate, rank in answers if behind.get(candidate)
        )
        yield Ballot(judges[judge], segment, groups)


def _automatic(campaign: Campaign, judge: int, behind: dict[int, tuple[int, ...]]) -> Iterator[Ballot]:
    screens = Screen.objects.filter(campaign=campaign, automatic=True)
    for slot in Slot.objects.filter(screen__in=screens).select_related("screen").order_by("screen").iterator():
        yield Ballot(judge, slot.screen.segment_id, (Group(behind.get(slot.candidate_id, ()), 1),))
