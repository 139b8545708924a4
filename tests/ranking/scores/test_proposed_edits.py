"""Judges mark the edits that ERRANT finds, where an organiser asks for them before judging begins."""

import pytest
from django.core.management import CommandError, call_command

from judgments.models import Assignment, SystemOutput
from judgments.protocols.marking.form import specification
from tests import factory
from tests.judgments.exchange.marked import SOURCE

CUT = {"source": ["I seen it now a days ."], "Heron": ["I saw it nowadays ."], "Wren": ["I have seen it now a days ."]}


@pytest.mark.wide
@pytest.mark.postgresql
def test_judges_see_the_edits_that_errant_finds(db):
    pytest.importorskip("errant")
    campaign = factory.open_campaign(CUT, protocol="marking")
    called = call_command("propose_edits", campaign.slug)
    assert "ERRANT found the edits of 2 outputs." in called
    (stored,) = SystemOutput.objects.filter(system__name="Heron").values_list("edits", flat=True)
    assert stored == [[1, 2, ["saw"], "R:VERB:TENSE"], [3, 6, ["nowadays"], "R:ORTH"]]
    shown = specification(Assignment.objects.earliest("pk"), None)
    heron = shown.proposed[shown.versions.index("I saw it nowadays .")]
    assert [shown.source[edit.start : edit.end] for edit in heron] == ["seen", "now a days"]
    assert "of 0 outputs" in call_command("propose_edits", campaign.slug), "those found once stay"


@pytest.mark.parametrize(
    ("chosen", "begun", "why"),
    [
        ({"protocol": "ranking"}, False, "Only campaigns with verdicts on edits"),
        ({"protocol": "marking", "language": "pl"}, False, "no parser of the language 'pl'.* Or upload an M2 file"),
        ({"protocol": "marking"}, True, "Judges have begun; all must see the same edits."),
    ],
)
def test_edits_are_not_found_where_they_would_not_serve(db, chosen, begun, why):
    campaign = factory.open_campaign({"source": SOURCE, "Heron": SOURCE, "Wren": SOURCE[::-1]}, **chosen)
    if begun:
        factory.judge_batch(factory.judge(campaign, "ada"))
    with pytest.raises(CommandError, match=why):
        call_command("propose_edits", campaign.slug)
