"""What benchmarks are made of; tests/long runs them."""

import pytest
from django.contrib.auth.models import User

from benchmarks import large
from benchmarks.crowd import agree
from judgments.models import Assignment, Campaign, Completion, Judgment
from judgments.protocols.rows import shown_slots
from judgments.rules.errors import Refused
from tests.judgments.campaigns.test_overview import agrees as agrees_with_counting


@pytest.mark.wide
def test_a_large_campaign_is_one_that_judges_might_have_made(db):
    User.objects.create_user("olga")
    assert large.make("large", large.Shape(judgments=400, judges=10, systems=4), "olga") == 400
    campaign = Campaign.objects.get(slug="large")
    agrees_with_counting(campaign)
    assignments = Assignment.objects.filter(campaign=campaign)
    assert all(assignment.repeats.judge == assignment.judge for assignment in assignments.done().exclude(repeats=None))
    for judgment in Judgment.objects.select_related("assignment"):
        slots = {slot.candidate_id: slot for slot in shown_slots(judgment.assignment)}
        ranks = dict(judgment.placement_set.values_list("candidate", "rank"))
        assert ranks.keys() == (set() if judgment.skipped else set(slots))
        assert list(judgment.placement_set.order_by("pk").values_list("candidate", flat=True)) in ([], list(slots))
        assert judgment.submitted_at == judgment.assignment.submitted_at > judgment.assignment.claimed_at
    assert Completion.objects.count() == 400 / large.BATCH_SIZE
    with pytest.raises(Refused, match="choose another name"):
        large.make("large", large.Shape(judgments=400, judges=10, systems=4))
    with pytest.raises(Refused, match="10 judges or more"):
        large.make("other", large.Shape(judgments=400, judges=9, systems=4))


@pytest.mark.parametrize("stored", [[], [("one", 1)], [("one", 1), ("two", 1)], [("one", 1), ("one", 2)]])
def test_a_lost_or_doubled_judgment_stops_the_benchmark(stored):
    agree(["one", "two"], [("two", 2), ("one", 1)])
    with pytest.raises(SystemExit):
        agree(["one", "two"], stored)
