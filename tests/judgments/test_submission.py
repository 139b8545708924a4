"""Taking answers: one judgment however often it is sent, revisions kept, the newest counts."""

from uuid import uuid4

import pytest

from judgments import scheduling
from judgments.faults import Refused
from judgments.models import Draft, Judgment, Placement, Rating, Seat
from judgments.protocols.rating import Score
from judgments.submission import begun_answers, save_draft, shown_slots, submit
from tests import factory

pytestmark = pytest.mark.postgresql


@pytest.fixture
def seat(ada) -> Seat:
    return scheduling.claim_next(ada)


def test_answers_go_to_the_candidates_in_the_order_shown(seat):
    ranks = list(range(1, len(shown_slots(seat)) + 1))
    judgment = submit(seat, key=uuid4(), answers=ranks)
    placed = dict(Placement.objects.filter(judgment=judgment).values_list("candidate", "rank"))
    assert [placed[slot.candidate_id] for slot in shown_slots(seat)] == ranks


def test_ratings_keep_score_and_meaning(db):
    campaign = factory.open_campaign(protocol="rating")
    seat = scheduling.claim_next(factory.judge(campaign, "ada"))
    slots = shown_slots(seat)
    judgment = submit(seat, key=uuid4(), answers=[Score(0, True), *[Score(100)] * (len(slots) - 1)])
    first = Rating.objects.get(judgment=judgment, candidate=slots[0].candidate)
    assert (first.score, first.meaning_changed) == (0, True)


def test_the_same_key_twice_is_one_judgment(seat):
    key = uuid4()
    first = submit(seat, key=key, answers=factory.answers_for(seat))
    assert submit(seat, key=key, answers=factory.answers_for(seat)[::-1]) == first
    assert Judgment.objects.filter(seat=seat).count() == 1


def test_another_key_is_a_revision_and_the_newest_counts(seat):
    first = factory.answer(seat)
    second = factory.answer(seat)
    assert (second.revision, second.current) == (2, True)
    first.refresh_from_db()
    assert not first.current
    assert Placement.objects.filter(judgment=first).exists()


def test_a_skip_is_a_judgment_with_a_reason_and_no_answers(seat):
    judgment = submit(seat, key=uuid4(), skip_reason="broken sentence")
    assert (judgment.skipped, judgment.skip_reason) == (True, "broken sentence")
    assert not Placement.objects.filter(judgment=judgment).exists()


def test_a_submitted_seat_is_done_and_timed(seat):
    judgment = factory.answer(seat)
    seat.refresh_from_db()
    assert seat.submitted_at == judgment.submitted_at
    assert judgment.wall_seconds >= 0


def test_a_draft_renews_the_lease_and_goes_with_the_submission(seat):
    Seat.objects.filter(pk=seat.pk).update(leased_until=seat.claimed_at)
    save_draft(seat, {"rank_1": "1"}, 3.0)
    assert Seat.objects.get(pk=seat.pk).leased_until > seat.claimed_at
    factory.answer(seat)
    assert not Draft.objects.exists()


def test_a_draft_stays_with_its_judge_when_the_seat_goes_to_another(seat, ada, ben):
    save_draft(seat, {"rank_1": "1"}, 3.0)
    Seat.objects.filter(pk=seat.pk).update(judge=ben)
    seat.refresh_from_db()
    assert begun_answers(seat, shown_slots(seat)) == {}
    assert Draft.objects.get().judge == ada


def test_active_time_is_never_longer_than_it_took(seat):
    judgment = submit(seat, key=uuid4(), answers=factory.answers_for(seat), active_seconds=1e9)
    assert judgment.active_seconds == judgment.wall_seconds


def test_nothing_is_taken_after_closing(campaign, seat):
    scheduling.close_campaign(campaign)
    with pytest.raises(Refused, match="closed"):
        factory.answer(seat)


def test_a_seat_that_went_to_somebody_else_takes_nothing_from_its_first_judge(seat, ben):
    Seat.objects.filter(pk=seat.pk).update(judge=ben)
    with pytest.raises(Refused, match="went to somebody else"):
        factory.answer(seat)


def test_a_key_of_another_seat_is_refused(seat, ben):
    key = uuid4()
    submit(seat, key=key, answers=factory.answers_for(seat))
    other = scheduling.claim_next(ben)
    with pytest.raises(Refused, match="another screen"):
        submit(other, key=key, answers=factory.answers_for(other))


def test_half_an_answer_stores_nothing(seat):
    with pytest.raises(ValueError, match="zip"):
        submit(seat, key=uuid4(), answers=[1])
    seat.refresh_from_db()
    assert seat.submitted_at is None
    assert not Judgment.objects.filter(seat=seat).exists()
