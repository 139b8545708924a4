"""Where a judge's answers are opposite to those of most others, shown after a batch and never with names."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from judgments.models import Assignment, Completion, Judgment, Membership, Screen, Slot
from judgments.protocols import protocol_of
from judgments.protocols.base import Opinion
from judgments.rules.errors import Refused
from judgments.rules.majority import questions_opposed
from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.diff import Piece, compare

MOST_SHOWN, MOST_READ = 10, 200


class ShownVersion(NamedTuple):
    """A candidate: its number on the screen, its text with marks, and the rank or score from each judge."""

    number: int
    pieces: tuple[Piece, ...]
    values: list[float | None]


@dataclass(frozen=True)
class Contested:
    """A screen with opposite answers: its versions, or what each judge, or most of them, `said` of its usage.

    For a judge, `opposite` has pairs of numbers of versions, first the one that most others find better. For an
    organiser, `share` is that of the pairs of judges who are opposite, on average over the questions.
    """

    assignment: Assignment
    versions: list[ShownVersion]
    said: list[tuple[str, str]]
    opposite: list[tuple[int, int]] = field(default_factory=list)
    share: float = 0.0


@transaction.atomic
def give_feedback(judge: Membership) -> None:
    """From now on the judge sees the differences in all finished batches, and changes there are made after feedback."""
    if not judge.campaign.majority_feedback:
        raise Refused(gettext("This campaign does not show where others answered differently."))
    finished = Completion.objects.filter(judge=judge, feedback_at=None)
    # Locked as when an answer is stored, so that each is clearly from before or from after.
    answered = Assignment.objects.held_by(judge).filter(batch__in=finished.values("batch")).order_by("pk")
    list(answered.select_for_update(of=("self",)))
    finished.update(feedback_at=timezone.now())


def differences(judge: Membership) -> list[Contested]:
    """The screens with the most opposite answers, of those answered last in batches with feedback.

    Controls are left out because judges must not recognise them, repeats because they measure self-agreement.
    """
    seen = Completion.objects.filter(judge=judge).exclude(feedback_at=None).values("batch")
    mine = Assignment.objects.held_by(judge).done().filter(batch__in=seen, repeats=None, screen__has_control=False)
    newest = mine.select_related("campaign", "screen__segment", "screen__usage").order_by("-submitted_at")[:MOST_READ]
    assignments = {assignment.screen_id: assignment for assignment in newest}
    protocol = protocol_of(judge.campaign)
    own = Judgment.objects.newest().filter(assignment__in=assignments.values(), skipped=False)
    others = Judgment.objects.comparable().filter(screen__in=assignments).exclude(assignment__judge=judge)
    opinions, of_others = protocol.opinions(own), protocol.opinions(others)
    by_screen: dict[int, list[Opinion]] = defaultdict(list)
    for pk, screen in others.values_list("pk", "screen"):
        by_screen[screen] += [of_others[pk]] if pk in of_others else []
    found = []
    for pk, screen in own.filter(pk__in=opinions).values_list("pk", "screen"):
        if opposite := questions_opposed(opinions[pk].sides, [other.sides for other in by_screen[screen]]):
            found.append((assignments[screen], opinions[pk], opposite))
    found = sorted(found, key=lambda one: (-len(one[2]), one[0].pk))[:MOST_SHOWN]
    slots = slots_on(assignment.screen_id for assignment, _, _ in found)
    contested = []
    for assignment, opinion, opposite in found:
        shown = [slots[assignment.screen_id][position] for position in assignment.shown_positions()]
        number = {slot.candidate_id: place for place, slot in enumerate(shown, 1)}
        pairs = [pair if side > 0 else pair[::-1] for pair, side in opposite.items() if pair]
        numbers = sorted((number[better], number[worse]) for better, worse in pairs)
        most = [one.text for one in by_screen[assignment.screen_id] if one.sides.items() >= opposite.items()]
        said = [] if pairs else [(opinion.text, most[0])]
        contested.append(Contested(assignment, versions(assignment.screen, shown, [opinion]), said, numbers))
    return contested


def slots_on(screens: Iterable[int]) -> dict[int, dict[int, Slot]]:
    """The slots of screens by position, in one query."""
    found: dict[int, dict[int, Slot]] = defaultdict(dict)
    for slot in Slot.objects.filter(screen__in=list(screens)).select_related("candidate"):
        found[slot.screen_id][slot.position] = slot
    return found


def versions(screen: Screen, slots: Sequence[Slot], opinions: Sequence[Opinion]) -> list[ShownVersion]:
    source = normalise(screen.segment.text or "")
    values = [[opinion.values.get(slot.candidate_id) for opinion in opinions] for slot in slots]
    texts = [compare(source, slot.candidate.text or "") for slot in slots]
    return [ShownVersion(number, *version) for number, version in enumerate(zip(texts, values, strict=True), 1)]
