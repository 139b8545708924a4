"""The database itself enforces what must always hold, by named constraints."""

from contextlib import contextmanager

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from judgments.assignment import claiming
from judgments.models import (
    Assignment,
    Batch,
    Campaign,
    Candidate,
    Classification,
    Edit,
    Invitation,
    Judgment,
    Membership,
    Placement,
    Rating,
    Screen,
    Segment,
    Slot,
    System,
    SystemOutput,
    Usage,
    Verdict,
)
from tests import factory


@contextmanager
def violates(constraint: str):
    with pytest.raises(IntegrityError) as refused, transaction.atomic():  # noqa: PT012 (the test is what it wraps)
        yield
        connection.check_constraints()
    if connection.vendor == "postgresql":
        assert constraint in str(refused.value)


@pytest.fixture
def judgment(ada) -> Judgment:
    return factory.answer(claiming.claim_next(ada))


@pytest.mark.postgresql
def test_a_system_has_one_output_for_a_segment_and_a_campaign_one_source(campaign):
    output = SystemOutput.objects.filter(system__campaign=campaign).first()
    with violates("one_output_per_system_and_segment"):
        SystemOutput.objects.create(system=output.system, segment=output.segment, candidate=output.candidate)
    with violates("one_candidate_per_distinct_text"):
        Candidate.objects.create(segment=output.segment, text="other", fingerprint=output.candidate.fingerprint)
    with violates("one_source_per_campaign"):
        System.objects.create(campaign=campaign, name="second", kind=System.Kind.SOURCE)
    with violates("control_never_takes_part"):
        System.objects.create(campaign=campaign, name="worse", kind=System.Kind.CONTROL, takes_part=True)


@pytest.mark.postgresql
def test_names_and_places_are_taken_once(campaign, ada):
    segment = Segment.objects.filter(campaign=campaign).first()
    batch = Batch.objects.filter(campaign=campaign).first()
    with violates("one_system_per_name"):
        System.objects.create(campaign=campaign, name="Heron")
    with violates("one_segment_per_position"):
        Segment.objects.create(campaign=campaign, document=segment.document, position=segment.position)
    with violates("one_document_per_name"):
        type(segment.document).objects.create(campaign=campaign, name=segment.document.name)
    with violates("one_batch_per_number"):
        Batch.objects.create(campaign=campaign, number=batch.number)
    with violates("one_pseudonym_per_campaign"):
        Membership.objects.create(campaign=campaign, role=Membership.Role.JUDGE, pseudonym="ada")
    with violates("one_membership_per_user_and_role"):
        Membership.objects.create(campaign=campaign, role=Membership.Role.JUDGE, pseudonym="eve", user=ada.user)
    Invitation.objects.create(campaign=campaign, pseudonym="dan")
    with violates("one_invitation_per_pseudonym"):
        Invitation.objects.create(campaign=campaign, pseudonym="dan")
    with violates("membership_organiser_has_user"):
        Membership.objects.create(campaign=campaign, role=Membership.Role.ORGANISER, pseudonym="nobody")


@pytest.mark.postgresql
def test_a_judge_holds_one_assignment_at_a_screen_and_one_repeat(campaign, ada):
    assignment = claiming.claim_next(ada)
    other = Assignment.objects.filter(screen=assignment.screen, judge=None).first()
    with violates("one_assignment_per_judge_and_screen"):
        Assignment.objects.filter(pk=other.pk).update(judge=ada)
    here = {"campaign": campaign, "screen": assignment.screen}
    assert Assignment.objects.create(**here, judge=ada, repeats=assignment).repeats == assignment
    with violates("judgments_assignment_repeats_id"):
        Assignment.objects.create(**here, judge=ada, repeats=assignment)
    with violates("one_assignment_per_place_in_a_batch"):
        Assignment.objects.create(**here, batch=other.batch, round=other.round, position=other.position)
    with violates("submitted_assignment_has_judge"):
        Assignment.objects.filter(pk=other.pk).update(submitted_at=timezone.now())
    with violates("leased_assignment_has_judge"):
        Assignment.objects.filter(pk=other.pk).update(leased_until=timezone.now())


@pytest.mark.postgresql
def test_a_candidate_stands_once_on_a_screen(campaign):
    slot = Slot.objects.filter(screen__campaign=campaign).first()
    with violates("one_slot_per_candidate_and_screen"):
        Slot.objects.create(screen=slot.screen, candidate=slot.candidate, position=9)
    with violates("one_slot_per_position_and_screen"):
        other = Candidate.objects.exclude(pk__in=slot.screen.candidates.all()).first()
        Slot.objects.create(screen=slot.screen, candidate=other, position=slot.position)


@pytest.mark.parametrize(("answer", "value"), [(Placement, {"rank": 1}), (Rating, {"score": 1})])
def test_an_answer_belongs_to_the_screen_of_its_judgment(judgment, answer, value):
    name, other = answer.__name__.lower(), Screen.objects.exclude(pk=judgment.screen_id).first()
    elsewhere = Candidate.objects.exclude(pk__in=judgment.screen.candidates.all()).first()
    with violates(f"{name}_candidate_belongs_to_screen"):
        answer.objects.create(judgment=judgment, screen=judgment.screen, candidate=elsewhere, **value)
    with violates(f"{name}_has_the_screen_of_its_judgment"):
        answer.objects.create(judgment=judgment, screen=other, candidate=other.candidates.first(), **value)
    with pytest.raises(ValidationError, match=f"{name}_candidate_belongs_to_screen"):  # in Python already
        answer(judgment=judgment, screen=judgment.screen, candidate=elsewhere, **value).full_clean()


@pytest.mark.postgresql
def test_a_candidate_has_one_answer_in_a_judgment_and_all_are_in_range(judgment):
    placements = Placement.objects.filter(judgment=judgment)
    here = {"judgment": judgment, "screen": judgment.screen, "candidate": placements[0].candidate}
    with violates("one_placement_per_candidate"):
        Placement.objects.create(**here, rank=2)
    for rank in (0, 21):
        with violates("placement_rank_in_range"):
            placements.update(rank=rank)
    with violates("rating_score_in_range"):
        Rating.objects.create(**here, score=101)
    with violates("verdict_finding_known"):
        Verdict.objects.create(judgment=judgment, finding="maybe")
    assert Verdict.objects.create(judgment=judgment, finding=Verdict.Finding.UNKNOWN).pk


@pytest.mark.postgresql
def test_an_assignment_has_one_current_judgment_and_each_revision_and_key_once(campaign, judgment):
    here = {"assignment": judgment.assignment, "screen": judgment.screen}
    with violates("one_current_judgment_per_assignment"):
        Judgment.objects.create(**here, revision=2)
    with violates("one_judgment_per_revision"):
        Judgment.objects.create(**here, revision=1, current=False)
    with violates("one_judgment_per_key"):
        Judgment.objects.create(**here, revision=2, current=False, key=judgment.key)
    waiting = Assignment.objects.filter(campaign=campaign, judge=None).first()
    with violates("judgment_has_the_screen_of_its_assignment"):
        Judgment.objects.create(assignment=waiting, screen=Screen.objects.exclude(pk=waiting.screen_id).first())


@pytest.mark.postgresql
def test_an_edit_has_an_order_and_changes_something(judgment):
    with violates("edit_span_in_order"):
        Edit.objects.create(judgment=judgment, position=0, start=3, end=2, replacement="x")
    with violates("edit_changes_something"):
        Edit.objects.create(judgment=judgment, position=0, start=3, end=3, replacement="")
    Edit.objects.create(judgment=judgment, position=0, start=3, end=5, replacement="")
    with violates("one_edit_per_position"):
        Edit.objects.create(judgment=judgment, position=0, start=6, end=7, replacement="x")


@pytest.mark.postgresql
def test_a_usage_has_words_a_name_of_its_own_and_one_class_from_each_system(campaign):
    segment, system = Segment.objects.filter(campaign=campaign)[0], System.objects.filter(campaign=campaign)[0]
    with violates("usage_span_in_order"):
        Usage.objects.create(campaign=campaign, name="a", segment=segment, start=4, end=4)
    usage = Usage.objects.create(campaign=campaign, name="a", segment=segment, start=0, end=2)
    with violates("one_usage_per_name"):
        Usage.objects.create(campaign=campaign, name="a", segment=segment, start=3, end=5)
    Classification.objects.create(system=system, usage=usage, probability=1)
    with violates("one_classification_per_system_and_usage"):
        Classification.objects.create(system=system, usage=usage, probability=0)
    with violates("classification_in_range"):
        Classification.objects.update(probability=1.5)


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("constraint", "change"),
    [
        ("campaign_screen_size_in_range", {"screen_size": 0}),
        ("campaign_screen_size_in_range", {"screen_size": 21}),
        ("campaign_redundancy_in_range", {"redundancy": 0}),
        ("campaign_batch_size_in_range", {"batch_size": 0}),
        ("campaign_repeat_share_in_range", {"repeat_share": 0.6}),
        ("campaign_control_share_in_range", {"control_share": -0.1}),
        ("campaign_state_known", {"state": "asleep"}),
        ("campaign_has_protocol", {"protocol": ""}),
    ],
)
def test_settings_are_in_range(campaign, constraint, change):
    with violates(constraint):
        Campaign.objects.filter(pk=campaign.pk).update(**change)


def test_a_whole_campaign_can_be_deleted(campaign, ada, judgment):
    Campaign.objects.get(pk=campaign.pk).delete()
    left = (Screen, Slot, Assignment, Judgment, Placement, Candidate, SystemOutput, Membership)
    assert [model.__name__ for model in left if model.objects.exists()] == []


def test_neighbours_are_of_the_same_document(db):
    campaign = factory.make_campaign({"source": ["A .", "B .", "", "C ."], "Heron": ["A .", "B !", "", "C !"]})
    second = Segment.objects.get(campaign=campaign, position=1)
    assert [segment.text for segment in Segment.objects.around(second)] == ["A ."]
