"""Verdicts that others collected are imported once, from a table of judges, usages and findings."""

from uuid import uuid4

import pytest

from judgments.assignment import claiming
from judgments.exchange.exporters import EXPORTS
from judgments.exchange.importers.joining import ImportedJudgments
from judgments.judging.submission import submit
from judgments.models import Campaign, Judgment, Screen, Verdict
from judgments.rules.errors import Refused
from judgments.rules.files.problems import Problems
from tests import factory
from tests.judgments.exchange.importing import bring_in

TABLE = "judge,usage,finding,seconds\nada,u1,error,3.5\nada,u2,ok,\nben,u1,unknown,\nben,u2,,\nada,u1,ok,\n"


def record_verdicts(campaign: Campaign, name: str, content: bytes) -> ImportedJudgments:
    return bring_in(campaign, name, content, "verdicts-csv")


@pytest.fixture
def campaign(db) -> Campaign:
    return factory.make_verdicts()


def test_a_table_becomes_judgments_with_skips_and_repeats(campaign):
    imported = record_verdicts(campaign, "v.csv", TABLE.encode())
    assert str(imported) == (
        "5 verdicts added, 0 were already stored. The file contains 5 verdicts on 2 usages by 2 judges, 1 of them "
        "skipped; 0 rows of excluded judges and programs were left out."
    )
    found = Verdict.objects.order_by("pk").values_list("judgment__assignment__judge__pseudonym", "finding")
    assert list(found) == [("ada", "error"), ("ada", "ok"), ("ben", "unknown"), ("ada", "ok")]
    assert Judgment.objects.get(skipped=True).skip_reason == "recorded elsewhere"
    assert Judgment.objects.exclude(assignment__repeats=None).count() == 1
    assert Screen.objects.filter(campaign=campaign).count() == 2
    assert Judgment.objects.order_by("pk")[0].wall_seconds == 3.5
    assert record_verdicts(campaign, "v.csv", TABLE.encode())[:2] == (0, 5)
    assert record_verdicts(campaign, "v.csv", f"{TABLE}chloe,u1,error,\n".encode())[:2] == (1, 5)


def test_our_exports_can_be_imported_elsewhere_with_findings_controls_and_skips(db):
    campaign = factory.open_verdicts()
    judge = factory.judge(campaign, "ada")
    submit(claiming.claim_next(judge), key=uuid4(), skip_reason="broken")
    factory.answer_all(judge)
    other = factory.make_verdicts()
    brought = record_verdicts(other, "judgments.csv", "".join(EXPORTS["judgments.csv"].parts(campaign)).encode())
    columns = (
        "assignment__judge__pseudonym", "screen__usage__name", "screen__has_control", "skip_reason", "verdict__finding"
    )  # fmt: skip
    stored = [
        sorted(Judgment.objects.filter(assignment__campaign=one).values_list(*columns), key=str)
        for one in (campaign, other)
    ]
    assert stored[0] == stored[1]
    assert brought.added == len(stored[0])
    assert any(is_control for _, _, is_control, *_ in stored[1])


def test_controls_stand_apart_and_excluded_judges_and_programs_are_left_out(campaign):
    table = b"judge,usage,finding,control\nada,g1,error,yes\nada,g1,error,no\nben,g1,ok,yes\n"
    record_verdicts(campaign, "v.csv", table)
    assert Screen.objects.filter(campaign=campaign, has_control=True).count() == 1
    assert Screen.objects.filter(campaign=campaign).count() == 2
    assert not Judgment.objects.exclude(assignment__repeats=None).exists()
    assert record_verdicts(campaign, "v.csv", table)[:2] == (0, 3)
    table = b"judge,usage,finding,excluded,program\nada,u1,ok,no,no\nben,u1,ok,yes,no\nbot,u1,ok,no,yes\n"
    brought = record_verdicts(campaign, "v.csv", table)
    assert (brought.added, brought.judges, brought.details) == (1, 1, 2)


def test_a_table_about_other_usages_or_for_another_campaign_is_refused(campaign, db):
    with pytest.raises(Problems) as refused:
        record_verdicts(
            campaign, "v.csv", b"judge,usage,finding,control\nada,nothing,ok,\nada,u1,maybe,\n,u1,ok,\nada,u1,ok,2\n"
        )
    assert [str(problem) for problem in refused.value.problems] == [
        "v.csv, line 2: names the usage 'nothing', which does not exist",
        "v.csv, line 3: has 'maybe' as finding; write error, ok or unknown, or nothing for a skip",
        "v.csv, line 4: a judge's name is empty; give each judge a name",
        "v.csv, line 5: has '2' as control; write yes or no",
    ]
    assert not Judgment.objects.exists()
    with pytest.raises(Refused, match="Verdicts are for verdict campaigns"):
        record_verdicts(factory.make_campaign(), "v.csv", TABLE.encode())
