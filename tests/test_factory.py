"""Answers that are stored at once are those that come one by one."""

import csv
from collections.abc import Callable

import pytest
from django.db import transaction

from judgments.exchange.exporters import EXPORTS
from judgments.judges.statistics import count_anew
from judgments.models import Campaign, Completion, Membership
from tests import factory

OPENED = {
    "ranking": lambda: factory.open_campaign(repeat_share=0.5),
    "rating": lambda: factory.open_campaign(protocol="rating"),
    "marking": lambda: factory.open_campaign(protocol="marking"),
    "essays": factory.open_essays,
    "verdict": factory.open_verdicts,
}


def stored(campaign: Campaign, judge_all: Callable[[Membership], object]) -> tuple[list, list, list]:
    """What is stored, but for times, if two judges judge everything so; nothing stays."""
    with transaction.atomic():
        judges = [factory.judge(campaign, name) for name in ("ada", "ben")]
        for judge in judges:
            judge_all(judge)
        table = b"".join(EXPORTS["judgments.csv"].blocks(campaign)).decode()
        head, *rows = csv.reader(table.splitlines())
        kept = [place for place, name in enumerate(head) if not name.endswith(("_at", "seconds"))]
        completions = Completion.objects.filter(judge__in=judges).order_by("judge", "batch")
        seen = (
            sorted([row[place] for place in kept] for row in rows),
            list(completions.values_list("judge__pseudonym", "batch", "screens", "earns_code", "passed")),
            [count_anew(judge).controls_passed for judge in judges],
        )
        transaction.set_rollback(True)
    return seen


@pytest.mark.walk
@pytest.mark.parametrize("protocol", OPENED)
def test_answers_stored_at_once_are_those_that_come_one_by_one(protocol, db):
    campaign = OPENED[protocol]()
    one_by_one = stored(campaign, factory.judge_all)
    assert all(one_by_one)
    assert stored(campaign, factory.answer_all) == one_by_one
