"""The screens that an organiser tries: those that the first judge gets, page by page, assigned or only planned."""

import pytest

from judgments.assignment import assigning
from judgments.campaigns import settings, states
from judgments.judging.context import BatchPlace
from judgments.judging.preview import preview_of
from judgments.models import Assignment, Campaign, Screen, Slot
from judgments.protocols.rows import shown_slots
from judgments.rules.errors import Refused
from tests import factory
from tests.judgments.assignment.test_document_mode import documents

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

MAKE = dict.fromkeys(("ranking", "rating", "correction"), factory.make_campaign) | {"verdict": factory.make_verdicts}
# Repeats and controls are in the preview too.
SETTINGS = {"repeat_share": 0.4, "batch_size": 5, "control_share": 0.4}


def shown_on(assignment: Assignment, slots: list[Slot]) -> tuple:
    screen = assignment.screen
    return screen.segment, screen.usage, assignment.order, [slot.candidate for slot in slots]


def screens_of(campaign: Campaign) -> list[tuple[BatchPlace, tuple]]:
    """What is shown on every screen of the preview, in order."""
    seen: list[tuple[BatchPlace, tuple]] = []
    while page := preview_of(campaign, len(seen) + 1):
        (one,) = page
        seen.append((one.place, shown_on(one.assignment, one.slots)))
    return seen


@pytest.mark.parametrize("protocol", MAKE)
def test_the_screens_are_those_that_the_first_judge_gets(protocol):
    campaign = MAKE[protocol](protocol=protocol, **SETTINGS)
    planned = screens_of(campaign)
    assert not Screen.objects.exists(), "nothing is stored"
    assert [place for place, _ in planned] == [BatchPlace(number, 4) for number in range(1, 5)]
    assigning.assign(campaign)
    assert screens_of(campaign) == planned
    states.open_campaign(campaign)
    judged = [judgment.assignment for judgment in factory.judge_batch(factory.judge(campaign, "ada"))]
    assert [shown_on(one, shown_slots(one)) for one in judged] == [shown for _, shown in planned]


@pytest.mark.parametrize("is_assigned", [False, True], ids=["before assigning", "after assigning"])
def test_a_document_is_one_page_and_repeats_stand_alone(is_assigned):
    campaign = factory.make_campaign(documents(2, 2), document_mode=True, batch_size=6, repeat_share=0.34)
    if is_assigned:
        assigning.assign(campaign)
    pages = [[one.place.number for one in preview_of(campaign, number)] for number in range(1, 7)]
    assert pages == [[1, 2], [1, 2], [3, 4], [3, 4], [5], [6]]


def test_a_long_document_is_divided_as_it_is_for_judges_and_only_in_document_mode():
    campaign = factory.make_campaign(documents(11), document_mode=True)
    pages = [[one.place.number for one in preview_of(campaign, number)] for number in (6, 7)]
    assert pages == [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11]]
    plain = factory.make_campaign(documents(3))
    assert [len(preview_of(plain, number)) for number in range(1, 4)] == [1, 1, 1]


def test_there_is_no_screen_before_the_first_and_after_the_last_and_none_without_material():
    campaign = factory.make_campaign()
    assert [preview_of(campaign, number) for number in (-1, 0, 4, 10**30)] == [[]] * 4
    with pytest.raises(Refused, match=r"There is nothing to judge yet\."):
        preview_of(settings.configure(settings.find_or_prepare("empty")), 1)
