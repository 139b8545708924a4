"""Giving assignments to judges: never two judges one assignment, never one judge the same screen, in the order
assigned.
"""

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from judgments.assignment import assigning, claiming
from judgments.campaigns import states
from judgments.material import storing
from judgments.material.rules.reading import Roles, read_material
from judgments.models import Assignment, Campaign, Completion, Membership
from judgments.rules.errors import Refused
from judgments.rules.files.text_files import UploadedFile
from tests import factory
from tests.judgments.at_once import at_once


def go_away(judge: Membership) -> None:
    """The judge's leases run out."""
    Assignment.objects.filter(judge=judge, submitted_at=None).update(leased_until=timezone.now() - timedelta(seconds=1))


def test_a_judge_goes_through_a_batch_in_its_order_and_sees_every_screen_once(campaign, ada):
    assignments = [judgment.assignment for judgment in factory.judge_all(ada)]
    first_batch = [assignment for assignment in assignments if assignment.batch_id == assignments[0].batch_id]
    assert [assignment.position for assignment in first_batch] == [0, 1, 2]
    assert assignments[: len(first_batch)] == first_batch
    assert len({assignment.screen_id for assignment in assignments}) == len(assignments) == 5


def test_the_assignment_after_one_can_be_claimed_ahead(campaign, ada):
    first = claiming.claim_next(ada)
    ahead = claiming.claim_next(ada, after=first)
    assert ahead not in (None, first)
    assert claiming.claim_next(ada, after=first) == ahead
    assert claiming.claim_next(ada) == first
    # Of two that are held the one with the earlier position comes first.
    Assignment.objects.filter(pk=first.pk).update(position=ahead.position + 50)
    assert claiming.claim_next(ada) == ahead
    Assignment.objects.filter(pk=first.pk).update(position=first.position)
    factory.answer(first)
    assert claiming.claim_next(ada) == ahead
    assert (ahead.batch_id, ahead.position) == (first.batch_id, first.position + 1)
    while (following := claiming.claim_next(ada, after=ahead)) is not None:
        factory.answer(ahead)
        ahead = following
    # Nothing is ahead of the last one.
    assert len(factory.judge_batch(ada)) == 1
    assert claiming.claim_next(ada).batch != first.batch


def test_two_judges_begin_different_batches_and_who_comes_back_in_time_keeps_the_assignment(ada, ben):
    assignment = claiming.claim_next(ada)
    go_away(ada)
    assert claiming.claim_next(ada) == assignment
    assert claiming.claim_next(ben).batch != assignment.batch


def test_an_assignment_returns_to_the_others_when_its_judge_is_away(db):
    campaign = factory.open_campaign(redundancy=1, batch_size=5)
    ada, ben = factory.judge(campaign, "ada"), factory.judge(campaign, "ben")
    factory.answer(claiming.claim_next(ada))
    left = claiming.claim_next(ada)
    assert claiming.claim_next(ben) is None or claiming.claim_next(ben) != left
    go_away(ada)
    assert left in {judgment.assignment for judgment in factory.judge_all(ben)}


def test_a_repeat_is_not_given_to_a_judge_who_did_not_see_the_original(db):
    campaign = factory.open_campaign(redundancy=1, batch_size=8, repeat_share=0.34)
    ada, ben = factory.judge(campaign, "ada"), factory.judge(campaign, "ben")
    assignment = claiming.claim_next(ada)
    while not hasattr(assignment, "repeat"):
        factory.answer(assignment)
        assignment = claiming.claim_next(ada)
    factory.answer(assignment)
    go_away(ada)
    assert all(
        judgment.assignment.repeats is None or judgment.assignment.repeats.judge == ben
        for judgment in factory.judge_all(ben)
    )


@pytest.mark.wide
@pytest.mark.postgresql
def test_submitted_assignments_never_return_to_the_others(campaign, ada, ben):
    factory.judge_all(ada)
    go_away(ada)
    Assignment.objects.filter(judge=ada).update(leased_until=timezone.now() - timedelta(days=1))
    factory.judge_all(ben)
    assert Assignment.objects.filter(judge=ada).count() == 5


def test_nobody_judges_in_a_closed_campaign_until_it_opens_again(campaign, ada):
    states.close_campaign(campaign)
    with pytest.raises(Refused, match="closed"):
        claiming.claim_next(ada)
    campaign.refresh_from_db()
    assert campaign.closed_at
    states.open_campaign(campaign)
    ada.campaign.refresh_from_db()
    assert claiming.claim_next(ada)
    with pytest.raises(Refused, match="Assign screens first"):
        states.open_campaign(factory.make_campaign())


def test_a_judge_keeps_to_one_domain_a_day(db):
    lines = [f"{number} go home ." for number in range(6)]
    files = factory.upload({"source": lines, "Heron": [line.replace("go", "goes") for line in lines]})
    sidecar = "".join(f"{line}\tdoc {line // 4}\t{'essays' if line < 4 else 'forum'}\n" for line in range(1, 7))
    files.append(UploadedFile("documents.tsv", sidecar.encode()))
    campaign = Campaign.objects.create(
        slug="domains", name="Domains", design="complete", one_domain_a_day=True, batch_size=2, repeat_share=0
    )
    storing.store_material(campaign, read_material(files, Roles(source_takes_part=True)))
    assigning.assign(campaign)
    states.open_campaign(campaign)
    campaign.refresh_from_db()
    ada = factory.judge(campaign, "ada")
    today = {judgment.assignment.batch.domain for judgment in factory.judge_all(ada)}
    assert len(today) == 1
    Assignment.objects.filter(judge=ada).update(submitted_at=timezone.now() - timedelta(days=1))
    tomorrow = {judgment.assignment.batch.domain for judgment in factory.judge_all(ada)}
    assert today | tomorrow == {"essays", "forum"}
    assert len(tomorrow) == 1


@pytest.mark.parametrize("judges", [1, 5])
def test_claiming_asks_the_same_number_of_questions_however_much_is_assigned(db, judges, django_assert_max_num_queries):
    campaign = factory.open_campaign(design="sampled", redundancy=judges, batch_size=5)
    ada = factory.judge(campaign, "ada")
    factory.answer(claiming.claim_next(ada))
    with django_assert_max_num_queries(8):
        assert claiming.claim_next(ada)
    factory.judge_batch(ada)
    with django_assert_max_num_queries(9):
        assert claiming.claim_next(ada)


def test_the_end_of_a_batch_comes_before_the_next_one(campaign, ada):
    assert claiming.finish_batch(ada) is None
    factory.answer(claiming.claim_next(ada))
    assert claiming.finish_batch(ada) is None, "a batch begun is not finished"
    judgments = factory.judge_batch(ada)
    completion = Completion.objects.get()
    assert (completion.judge, completion.batch, completion.screens) == (ada, judgments[0].assignment.batch, 3)
    assert completion.earns_code
    assert claiming.finish_batch(ada) == claiming.finish_batch(ada) == Completion.objects.get()
    # An answer in an older batch leads to the one that lies open, and begins no other.
    begun = claiming.claim_next(ada)
    assert begun.batch != completion.batch
    factory.answer(begun)
    old = Assignment.objects.get(pk=judgments[0].assignment_id)
    assert claiming.claim_next(ada, after=old).batch == begun.batch


def test_a_judge_who_was_away_earns_no_code_for_a_batch_judged_by_others(db):
    campaign = factory.open_campaign(redundancy=1, batch_size=3, completion_code="DONE")
    ada, ben = factory.judge(campaign, "ada"), factory.judge(campaign, "ben")
    factory.answer(claiming.claim_next(ada))
    left = claiming.claim_next(ada)
    Assignment.objects.filter(batch=left.batch).exclude(judge=ada, submitted_at__isnull=False).update(
        judge=ben, submitted_at=timezone.now()
    )
    completion = claiming.finish_batch(ada)
    assert (completion.screens, completion.earns_code, completion.code) == (1, False, "")
    factory.judge_batch(ada)
    assert Completion.objects.get(judge=ada, batch=claiming._last_done(ada).batch).code == "DONE"


@pytest.mark.wide
@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_many_judges_at_once_never_share_an_assignment_and_lose_none():
    """Eight judges in threads of their own work through all assignments, on whichever database runs."""
    campaign = factory.open_campaign(design="sampled", redundancy=4, batch_size=4)
    judges = [factory.judge(campaign, f"judge {number}") for number in range(8)]
    at_once(*(partial(factory.judge_all, judge) for judge in judges))
    assignments = Assignment.objects.filter(campaign=campaign)
    assert assignments.filter(submitted_at=None).count() == 0
    assert assignments.count() == 40
    pairs = list(assignments.values_list("screen", "judge"))
    assert len(pairs) == len(set(pairs))


def steal_what_is_found(monkeypatch, thief: Membership, together=lambda assignment: [assignment]) -> list[Assignment]:
    """Between looking and taking, somebody else takes the first assignment found free, with those together with it."""
    found, stolen = claiming._find_free, []

    def slow_find(judge, after):
        assignment = found(judge, after)
        if not stolen:
            stolen.extend(together(assignment))
            lease = timezone.now() + timedelta(minutes=1)
            taken = Assignment.objects.filter(pk__in=[one.pk for one in stolen])
            taken.update(judge=thief, leased_until=lease)
        return assignment

    monkeypatch.setattr(claiming, "_find_free", slow_find)
    return stolen


@pytest.mark.django_db(transaction=True)
def test_the_loser_of_a_race_for_an_assignment_gets_another_one(monkeypatch):
    campaign = factory.open_campaign()
    ada, ben = factory.judge(campaign, "ada"), factory.judge(campaign, "ben")
    stolen = steal_what_is_found(monkeypatch, ben)
    assert claiming.claim_next(ada) not in (None, stolen[0])
