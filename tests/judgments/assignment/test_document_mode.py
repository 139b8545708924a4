"""Document mode: batches hold whole documents in order, and a judge claims a document as a whole."""

from functools import partial
from itertools import groupby

import pytest
from django.utils import timezone

from judgments.assignment import assigning, claiming, planning
from judgments.models import Assignment, Campaign, Membership
from judgments.rules.errors import Refused
from tests import factory
from tests.judgments.assignment.test_claiming import go_away, steal_what_is_found
from tests.judgments.at_once import at_once


def documents(*lengths: int) -> dict[str, list[str]]:
    """Texts with documents of these lengths, divided by blank lines."""
    lines = [line for length in lengths for line in ["", *(f"{number} go home ." for number in range(length))]][1:]
    return {"source": lines, "Heron": [line.replace("go", "goes") for line in lines]}


def open_documents(*lengths: int, **settings) -> Campaign:
    return factory.open_campaign(documents(*lengths), **{"document_mode": True, "redundancy": 1} | settings)


def held_by(judge: Membership) -> list[tuple[str, int]]:
    """The document and the line of every assignment that the judge holds, in the order of judging."""
    waiting = Assignment.objects.held_by(judge).waiting().order_by("position")
    return list(waiting.values_list("screen__segment__document__name", "screen__segment__position"))


@pytest.mark.postgresql
@pytest.mark.parametrize("chosen", [{}, {"protocol": "correction"}, {"repeat_share": 0.4, "batch_size": 5}])
def test_every_judge_of_a_batch_reads_whole_documents_from_their_beginning(db, chosen):
    campaign = open_documents(2, 4, 1, 3, redundancy=2, **chosen)
    assignments = Assignment.objects.filter(campaign=campaign, repeats=None).order_by("round", "batch", "position")
    read = list(assignments.values_list("round", "screen__segment__document", "screen__segment__position"))
    texts = [[line for _, _, line in run] for _, run in groupby(read, key=lambda row: row[:2])]
    assert sorted(texts) == sorted([[0, 1], [3, 4, 5, 6], [8], [10, 11, 12]] * 2)


@pytest.mark.postgresql
def test_what_has_no_documents_and_a_document_too_long_for_any_batch_are_refused(db, monkeypatch):
    campaign = factory.make_campaign(documents(2, 5), document_mode=True)
    assert planning.plan(campaign, {}).longest == 5
    monkeypatch.setattr(assigning, "LARGEST_BATCH", 4)
    with pytest.raises(Refused, match="A document has 5 screens, but a batch has at most 4"):
        planning.plan(campaign, {})
    with pytest.raises(Refused, match="Choose the complete design"):
        open_documents(2, design="sampled")
    with pytest.raises(Refused, match="has no document mode"):
        factory.make_verdicts(document_mode=True)


@pytest.mark.postgresql
def test_a_judge_claims_a_document_as_a_whole_and_the_next_judge_another(db):
    campaign = open_documents(3, 2, batch_size=5)
    ada, ben = factory.judge(campaign, "ada"), factory.judge(campaign, "ben")
    first = Assignment.objects.filter(campaign=campaign).first_of_documents()
    assert {assignment.screen.segment.position for assignment in first} == {0, 4}
    assert claiming.claim_next(ada) in first
    assert claiming.claim_next(ben) in first
    assert sorted([held_by(ada), held_by(ben)]) == [
        [("document-1", 0), ("document-1", 1), ("document-1", 2)],
        [("document-2", 4), ("document-2", 5)],
    ]


def test_the_rest_of_an_abandoned_document_goes_to_one_judge(db):
    campaign = open_documents(4)
    ada, ben, cleo = (factory.judge(campaign, name) for name in ("ada", "ben", "cleo"))
    factory.answer(claiming.claim_next(ada))
    assert claiming.claim_next(ben) is None
    go_away(ada)
    first = claiming.claim_next(ben)
    assert [line for _, line in held_by(ben)] == [1, 2, 3]
    assert claiming.on_one_page(first) == list(Assignment.objects.held_by(ben).order_by("position"))
    assert claiming.claim_next(cleo) is None
    go_away(ben)
    claiming.claim_next(ben)  # which renews the lease of the whole document
    assert not Assignment.objects.held_by(ben).filter(leased_until__lt=timezone.now()).exists()


def test_pages_divide_a_long_document_evenly_and_stay_the_same_while_it_is_judged(db):
    campaign = open_documents(11)
    ada = factory.judge(campaign, "ada")
    first = claiming.claim_next(ada)
    page = claiming.on_one_page(first)
    assert [assignment.position for assignment in page] == [0, 1, 2, 3, 4, 5]
    ahead = claiming.claim_next(ada, after=page[2])
    assert [assignment.position for assignment in claiming.on_one_page(ahead)] == [6, 7, 8, 9, 10]
    for assignment in page:
        assert claiming.claim_next(ada) == assignment
        factory.answer(assignment)
        assert claiming.on_one_page(assignment) == page
    assert claiming.claim_next(ada) == ahead
    assert claiming.claim_next(ada, after=ahead) is None


@pytest.mark.postgresql
def test_without_document_mode_and_for_repeats_a_page_has_one_screen(db, ada):
    assignment = claiming.claim_next(ada)
    assert claiming.on_one_page(assignment) == [assignment]
    ben = factory.judge(open_documents(4, repeat_share=0.5, batch_size=4), "ben")
    *_, repeat = factory.judge_all(ben)
    assert repeat.assignment.repeats
    assert claiming.on_one_page(repeat.assignment) == [repeat.assignment]


@pytest.mark.wide
@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_judges_at_once_never_divide_a_document():
    campaign = open_documents(3, 2, 4, 1, 3, 2, redundancy=2, batch_size=6)
    judges = [factory.judge(campaign, f"judge {number}") for number in range(6)]
    at_once(*(partial(factory.judge_all, judge) for judge in judges))
    assignments = Assignment.objects.filter(campaign=campaign)
    assert not assignments.waiting().exists()
    assert assignments.values("round", "screen__segment__document", "judge").distinct().count() == 12


@pytest.mark.django_db(transaction=True)
def test_the_loser_of_a_race_for_a_document_gets_another_one_as_a_whole(monkeypatch):
    campaign = open_documents(2, 2)
    ada, ben = factory.judge(campaign, "ada"), factory.judge(campaign, "ben")
    stolen = steal_what_is_found(monkeypatch, ben, lambda assignment: list(Assignment.objects.beside(assignment)))
    assert claiming.claim_next(ada) not in (None, *stolen)
    assert len(stolen) == 2
    assert len(held_by(ada)) == 2
