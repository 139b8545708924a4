"""Judgments as CSV: a row a candidate, readable by programs, harmless in spreadsheets."""

import csv
from uuid import uuid4

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from judgments import exports, scheduling
from judgments.models import Membership
from judgments.rules.spreadsheets import FORMULA_STARTS, defused
from judgments.submission import shown_slots, submit
from tests import factory


def rows(campaign) -> list[dict[str, str]]:
    return list(csv.DictReader(exports.judgments_csv.judgments_csv(campaign)))


def test_a_judgment_is_a_row_a_candidate_in_the_order_shown(campaign, ada):
    seat = scheduling.claim_next(ada)
    factory.answer(seat)
    found = rows(campaign)
    assert [row["candidate"] for row in found] == [str(slot.candidate_id) for slot in shown_slots(seat)]
    assert [row["shown_position"] for row in found] == [row["rank"] for row in found] == ["1", "2", "3"][: len(found)]
    assert {row["judge"] for row in found} == {"ada"}
    assert {row["segment"] for row in found} == {str(seat.screen.segment.position + 1)}
    assert {row["excluded"] for row in found} == {"no"}


def test_the_systems_behind_a_candidate_are_named(campaign, ada):
    factory.judge_all(ada)
    systems = {row["systems"] for row in rows(campaign) if row["segment"] == "1"}
    assert systems == {"Heron", "Magpie", "Wren source"}


def test_a_skip_is_a_row_without_a_candidate(campaign, ada):
    submit(scheduling.claim_next(ada), key=uuid4(), skip_reason="cannot tell")
    (row,) = rows(campaign)
    assert (row["skip_reason"], row["candidate"], row["rank"]) == ("cannot tell", "", "")


def test_only_the_newest_revision_is_exported(campaign, ada):
    seat = scheduling.claim_next(ada)
    factory.answer(seat)
    factory.answer(seat)
    assert {row["revision"] for row in rows(campaign)} == {"2"}


def test_the_judgments_of_an_excluded_judge_are_marked(campaign, ada):
    factory.answer(scheduling.claim_next(ada))
    Membership.objects.filter(pk=ada.pk).update(excluded_at=timezone.now())
    assert {row["excluded"] for row in rows(campaign)} == {"yes"}


def test_ratings_are_exported_with_meaning(db):
    campaign = factory.open_campaign(protocol="rating")
    ada = factory.judge(campaign, "ada")
    factory.answer(scheduling.claim_next(ada))
    found = rows(campaign)
    assert found[0]["score"] == "100"
    assert {row["meaning_changed"] for row in found} == {"no"}


def test_the_number_of_queries_does_not_grow_with_the_judgments(campaign, ada, django_assert_max_num_queries):
    factory.judge_all(ada)
    with django_assert_max_num_queries(4):
        rows(campaign)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r"])
def test_a_cell_that_a_spreadsheet_would_run_is_defused(start):
    assert defused(f"{start}1+1") == f"'{start}1+1"


@given(st.text())
def test_no_cell_begins_like_a_formula(text):
    assert not str(defused(text)).startswith(FORMULA_STARTS)
