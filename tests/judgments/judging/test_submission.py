"""Taking answers: one judgment however often it is sent, revisions kept, the newest counts."""

from uuid import uuid4

import pytest

from judgments.assignment import claiming
from judgments.campaigns import states
from judgments.judging.submission import begun_answers, save_draft, submit
from judgments.models import Assignment, Draft, Judgment, Placement
from judgments.privacy.erasure import forget_judge
from judgments.protocols.rows import shown_slots
from judgments.rules.errors import Refused
from tests import factory


@pytest.fixture
def assignment(ada) -> Assignment:
    return claiming.claim_next(ada)


def test_answers_go_to_the_candidates_in_the_order_shown_and_are_timed(assignment):
    slots = shown_slots(assignment)
    with pytest.raises(ValueError, match="zip"):
        submit(assignment, key=uuid4(), answers=[1])
    assignment.refresh_from_db()
    assert (assignment.submitted_at, Judgment.objects.count()) == (None, 0), "half an answer stores nothing"
    ranks = list(range(1, len(slots) + 1))
    judgment = submit(assignment, key=uuid4(), answers=ranks, active_seconds=1e9)
    placed = dict(Placement.objects.filter(judgment=judgment).values_list("candidate", "rank"))
    assert [placed[slot.candidate_id] for slot in slots] == ranks
    assignment.refresh_from_db()
    assert assignment.submitted_at == judgment.submitted_at
    assert judgment.active_seconds == judgment.wall_seconds >= 0, "active time is never longer than it took"


@pytest.mark.postgresql
def test_the_same_key_twice_is_one_judgment_and_another_key_a_revision(assignment, ben):
    key, answers = uuid4(), factory.answers_for(assignment)
    first = submit(assignment, key=key, answers=answers)
    assert submit(assignment, key=key, answers=answers[::-1]) == first
    assert Judgment.objects.get(assignment=assignment) == first
    second = factory.answer(assignment)
    assert (second.revision, second.current) == (2, True)
    first.refresh_from_db()
    assert not first.current
    assert Placement.objects.filter(judgment=first).exists()
    other = claiming.claim_next(ben)
    with pytest.raises(Refused, match="another screen"):
        submit(other, key=key, answers=factory.answers_for(other))


@pytest.mark.wide
def test_the_twentieth_answer_loads_only_the_newest_before_it(assignment, monkeypatch):
    """Otherwise a judge could make each answer dearer than the one before, for ever."""
    for _ in range(19):
        factory.answer(assignment)
    loaded = []
    load = Judgment.from_db.__func__
    monkeypatch.setattr(Judgment, "from_db", classmethod(lambda *row: loaded.append(row) or load(*row)))
    assert factory.answer(assignment).revision == 20
    assert len(loaded) == 1


def test_a_draft_renews_the_lease_and_goes_with_the_submission_and_nothing_is_taken_after_closing(assignment, campaign):
    Assignment.objects.filter(pk=assignment.pk).update(leased_until=assignment.claimed_at)
    save_draft(assignment, {"rank_1": "1"}, 3.0)
    assert Assignment.objects.get(pk=assignment.pk).leased_until > assignment.claimed_at
    judgment = submit(assignment, key=uuid4(), skip_reason="broken sentence")
    assert not Draft.objects.exists()
    assert (judgment.skipped, judgment.skip_reason) == (True, "broken sentence")
    assert not Placement.objects.filter(judgment=judgment).exists()
    states.close_campaign(campaign)
    with pytest.raises(Refused, match="closed"):
        factory.answer(assignment)


def test_of_an_assignment_that_went_to_another_judge_the_draft_stays_and_no_answer_is_taken(assignment, ada, ben):
    save_draft(assignment, {"rank_1": "1"}, 3.0)
    Assignment.objects.filter(pk=assignment.pk).update(judge=ben)
    with pytest.raises(Refused, match="for another judge"):
        factory.answer(assignment)
    assignment.refresh_from_db()
    assert begun_answers(assignment, shown_slots(assignment)).answers == {}
    assert Draft.objects.get().judge == ada


def test_a_forgotten_judge_leaves_no_late_answer(assignment, ada):
    """A request that was authenticated before may come after."""
    factory.answer(assignment)
    forget_judge(ada, ada.pseudonym)
    with pytest.raises(Refused, match="not saved"):
        submit(assignment, key=uuid4(), skip_reason="unclear", comment="It is Ada.")
    with pytest.raises(Refused, match="not saved"):
        save_draft(assignment, {"comment": "It is Ada."}, 1.0)
    assert not Draft.objects.exists()
    assert not Judgment.objects.exclude(comment="").exists()
