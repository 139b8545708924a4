"""What judges see of their own work: what is left, the pace of today, and what they earned."""

import pytest
from django.core.cache import cache

from judgments.assignment import claiming
from judgments.campaigns import settings
from judgments.judging.progress import session_of
from judgments.models import Assignment, Judgment
from judgments.rules.errors import Refused
from tests import factory

pytestmark = pytest.mark.django_db


def test_the_work_of_today_is_counted():
    judge = factory.judge(factory.open_campaign(), "ada")
    first = claiming.claim_next(judge)
    before = session_of(judge, first)
    assert (before.judged, before.left, before.pace, before.earned) == (0, 5, 0, "")
    ahead = session_of(judge, claiming.claim_next(judge, after=first))
    assert (ahead.judged, ahead.left) == (1, 4), "the judge sees it when the screen before is answered"
    for _ in range(2):
        factory.answer(claiming.claim_next_skipping_breaks(judge))
    Judgment.objects.update(active_seconds=45)
    shown = claiming.claim_next(judge)
    after = session_of(judge, shown)
    assert (after.judged, after.left, after.minutes_today, after.pace) == (2, 3, 2, 45)
    assert session_of(judge, first).judged == 2


@pytest.mark.parametrize("settings", [{"repeat_share": 0.5, "batch_size": 7}, {"document_mode": True, "batch_size": 1}])
def test_nobody_is_told_that_nothing_is_left_while_screens_come(settings):
    """Also repeats, and the rest of a document that is longer than a batch."""
    campaign = factory.open_campaign(batches_per_judge=1, **settings)
    judge = factory.judge(campaign, "ada")
    left = []
    while shown := claiming.claim_next(judge):
        cache.clear()
        left.append(session_of(judge, shown).left)
        factory.answer(shown)
    assert len(left) > 1
    assert all(come <= said <= come + 1 for said, come in zip(left, range(len(left), 0, -1), strict=True))


@pytest.mark.postgresql
def test_a_quota_limits_what_is_left():
    judge = factory.judge(factory.open_campaign(batches_per_judge=1), "ada")
    first = claiming.claim_next(judge)
    assert session_of(judge, first).left == 3
    factory.answer(first)
    assert session_of(judge, claiming.claim_next(judge)).left == 2


@pytest.mark.postgresql
def test_judges_see_what_they_earned():
    campaign = factory.open_campaign()
    judge = factory.judge(campaign, "ada")
    *_, last = factory.judge_batch(judge)
    Judgment.objects.update(active_seconds=120)
    for rule, earned in (
        ("0.05 EUR a screen", "0.15 EUR"), ("2 EUR a batch", "2.00 EUR"), ("12,50 GBP an hour", "1.25 GBP"),
    ):  # fmt: skip
        settings.configure(campaign, pay=rule)
        assert session_of(judge, Assignment.objects.get(pk=last.assignment_id)).earned == earned
    with pytest.raises(Refused, match=r"write it like 0\.05 EUR a screen"):
        settings.configure(campaign, pay="a fair sum")
