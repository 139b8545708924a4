"""The experiment on assistance: chance decides who sees what a program said, and what they answer counts apart."""

import pytest
from django.urls import reverse

from judgments.assignment import claiming
from judgments.campaigns import settings
from judgments.judges import programs
from judgments.models import Assignment, Judgment
from judgments.rules.errors import Refused
from ranking.reports.kinds.programs import extract
from ranking.reports.rows import counted_now, judgments_that_count
from ranking.stats.choices import INDEPENDENT
from ranking.stats.programs.study import ProgramParameters
from tests import factory

pytestmark = pytest.mark.wide

SENTENCES = [f"He go to place {number} ." for number in range(20)]
TEXTS = {
    "source": SENTENCES,
    "Heron": [text.replace("go", "goes") for text in SENTENCES],
    "Wren": [text.replace("go", "went") for text in SENTENCES],
}


def opened(protocol: str = "ranking", judged: int = len(SENTENCES), **chosen):
    """A campaign in which a program has judged the first screens; Ada judges next."""
    campaign = factory.open_campaign(TEXTS, protocol=protocol, assistance="robin", redundancy=1, **chosen)
    robin = factory.program(campaign, "robin")
    for assignment in programs.claim(robin, judged):
        factory.answer(assignment)
    return campaign, factory.judge(campaign, "ada")


def test_half_of_the_screens_are_assisted_and_the_others_are_their_control(db):
    _campaign, ada = opened()
    factory.judge_all(ada)
    arms = list(Assignment.objects.held_by(ada).filter(repeats=None).values_list("assisted", flat=True))
    assert {True, False} == set(arms), "every screen takes part"
    assert 0.2 < arms.count(True) / len(arms) < 0.8
    assert not Assignment.objects.held_by(ada).exclude(repeats=None).filter(assisted__isnull=False).exists()


@pytest.mark.parametrize(("judged", "assistance", "took_part"), [(3, "robin", 3), (5, "", 0)])
def test_a_screen_not_judged_by_the_program_takes_no_part_and_without_the_setting_none(
    db, judged, assistance, took_part
):
    campaign, ada = opened(judged=judged)
    campaign.assistance = assistance
    campaign.save()
    factory.judge_all(ada)
    assert Assignment.objects.filter(assisted__isnull=False).count() == took_part


@pytest.mark.parametrize(
    ("protocol", "said"),
    [("ranking", ["rank 1", "rank 2"]), ("rating", ["100", "90"]), ("marking", ["right; rank", "no edits; rank"])],
)
def test_the_page_shows_it_on_assisted_screens_alone(db, client, protocol, said):
    _campaign, ada = opened(protocol)
    client.force_login(ada.user)
    assignment = claiming.claim_next(ada)
    page = reverse("assignment", args=[assignment.pk])
    for is_assisted in (True, False):
        Assignment.objects.filter(pk=assignment.pk).update(assisted=is_assisted)
        shown = client.get(page).text
        assert ("Chance decided that this screen shows what a program says." in shown) == is_assisted
        assert all((f"A program says: {words}" in shown) == is_assisted for words in said)
        assert "robin" not in shown


@pytest.mark.parametrize("protocol", ["ranking", "marking"])
def test_what_was_judged_with_it_in_view_counts_in_no_report_on_people(db, protocol):
    campaign, ada = opened(protocol)
    factory.judge_all(ada)
    alone = Judgment.objects.filter(assignment__judge=ada).exclude(assignment__assisted=True).count()
    assert 0 < alone < Judgment.objects.filter(assignment__judge=ada).count()
    given = extract(campaign, ProgramParameters(replicates=200)).study.experiment
    hers = Assignment.objects.held_by(ada)
    assert len(given.sentence) == hers.filter(assisted__isnull=False).count()
    assert int(given.is_shown.sum()) == hers.filter(assisted=True).count()
    assert given.answers.min() > 0
    assert judgments_that_count(campaign, [ada.pk], INDEPENDENT).count() == counted_now(campaign) == alone


def test_it_is_fixed_once_a_judge_has_taken_part_and_ends_with_the_access_of_the_program(db):
    campaign, ada = opened()
    claiming.claim_next(ada)
    with pytest.raises(Refused, match="so the program shown to judges cannot be changed"):
        settings.configure(campaign, assistance="")
    programs.dismiss(campaign.membership_set.get(pseudonym="robin"))
    before = Assignment.objects.filter(assisted__isnull=False).count()
    factory.judge_all(ada)
    assert Assignment.objects.filter(assisted__isnull=False).count() == before
