"""Where most others differ: what judges see after a batch, and what becomes of answers that they change then."""

import csv
import io
from uuid import uuid4

import pytest
from django.urls import reverse

from judgments.archive.importing import import_campaign
from judgments.campaigns import settings
from judgments.exchange.exporters import EXPORTS
from judgments.judges import exclusion
from judgments.judges.statistics import count_anew
from judgments.judging.differences import MOST_SHOWN, differences, give_feedback
from judgments.judging.submission import begun_answers, submit
from judgments.models import Assignment, Campaign, Completion, JudgeStatistics, Judgment, Membership, Screen
from judgments.protocols.rows import shown_slots
from judgments.rules.errors import Refused
from tests import factory
from tests.judgments.judging.opinions import answers_of, judge_all


def open_with(**chosen) -> tuple[Campaign, list[Membership]]:
    """A campaign in which Ada judged everything one way, and Ben and Cleo the opposite way."""
    opened = factory.open_verdicts if chosen.get("protocol") == "verdict" else factory.open_campaign
    campaign = opened(**{"majority_feedback": True, "redundancy": 3, **chosen})
    judges = [factory.judge(campaign, name) for name in ("ada", "ben", "cleo")]
    for number, judge in enumerate(judges):
        judge_all(judge, is_contrary=number > 0)
    return campaign, judges


@pytest.fixture(scope="module")
def opened(lasting) -> int:
    with lasting():
        return open_with()[0].pk


@pytest.fixture
def cast(opened, db) -> tuple[Campaign, list[Membership]]:
    campaign = Campaign.objects.get(pk=opened)
    return campaign, list(campaign.membership_set.select_related("campaign", "user").order_by("pk"))


def revise(assignment: Assignment, **more) -> Judgment:
    return submit(assignment, key=uuid4(), answers=answers_of(assignment, is_contrary=True), **more)


class TestSeeing:
    @pytest.mark.wide
    @pytest.mark.postgresql
    @pytest.mark.parametrize("protocol", ["ranking", "rating"])
    def test_a_judge_sees_every_pair_on_which_most_others_answered_the_opposite(self, db, protocol):
        _, (ada, *_) = open_with(protocol=protocol)
        assert differences(ada) == []  # before she asks
        give_feedback(ada)
        found = differences(ada)
        assert len(found) == Screen.objects.filter(batch__isnull=False).count()
        for difference in found:
            shown = [slot.candidate_id for slot in shown_slots(difference.assignment)]
            # She finds the candidate stored first best, the others the one stored last.
            wanted = {(shown.index(b) + 1, shown.index(a) + 1) for a in shown for b in shown if a < b}
            assert set(difference.opposite) == wanted
            assert len(difference.versions) == len(shown)

    @pytest.mark.wide
    @pytest.mark.postgresql
    def test_a_verdict_is_compared_with_what_most_others_said(self, db):
        _, (ada, *_) = open_with(protocol="verdict", control_share=0.0)
        give_feedback(ada)
        found = differences(ada)
        assert found
        assert [difference.said for difference in found] == [[("Error", "OK")]] * len(found)
        assert all(difference.assignment.screen.marked_usage for difference in found)

    @pytest.mark.postgresql
    def test_who_agrees_with_half_of_the_others_sees_nothing(self, cast):
        campaign, (ada, ben, cleo) = cast
        give_feedback(ben)
        assert differences(ben) == []
        give_feedback(ada)
        exclusion.exclude(cleo, "careless")
        assert differences(ada) == []
        with pytest.raises(Refused, match="has been opened, so majority_feedback cannot be changed"):
            settings.configure(campaign, majority_feedback=False)

    @pytest.mark.wide
    @pytest.mark.postgresql
    def test_controls_and_repeats_are_not_shown(self, db):
        campaign, (ada, *_) = open_with(repeat_share=0.5)
        give_feedback(ada)
        Screen.objects.filter(pk=differences(ada)[0].assignment.screen_id).update(has_control=True)
        left = differences(ada)
        assert left
        assert all(not one.assignment.screen.has_control and one.assignment.repeats_id is None for one in left)
        assert Assignment.objects.filter(campaign=campaign, judge=ada).exclude(repeats=None).exists()

    @pytest.mark.wide
    def test_only_the_strongest_are_shown_and_few_questions_asked(self, db, django_assert_max_num_queries):
        texts = {name: lines * 4 for name, lines in {"source": factory.SOURCE, **factory.SYSTEMS}.items()}
        _, (ada, *_) = open_with(texts=texts)
        give_feedback(ada)
        with django_assert_max_num_queries(10):
            assert len(differences(ada)) == MOST_SHOWN

    def test_the_page_names_no_system_and_no_judge(self, cast, browser_of):
        campaign, (ada, *_) = cast
        client = browser_of(ada.user)
        address = reverse("differences", args=[campaign.slug])
        assert address in client.get(reverse("thanks", args=[campaign.slug])).content.decode()
        before = client.get(address).content.decode()
        assert "Show where most others differ" in before
        assert "you find it worse" not in before
        assert client.post(address).url == address
        after = client.get(address).content.decode()
        assert "you find it worse" in after
        assert not [name for name in (*factory.SYSTEMS, "ben", "cleo") if name in after]

    def test_a_campaign_without_the_setting_shows_nothing(self, db, browser_of):
        campaign, (ada, *_) = open_with(majority_feedback=False)
        with pytest.raises(Refused, match="does not show"):
            give_feedback(ada)
        client = browser_of(ada.user)
        client.post(reverse("differences", args=[campaign.slug]))
        assert not Completion.objects.exclude(feedback_at=None).exists()
        assert "differences" not in client.get(reverse("thanks", args=[campaign.slug])).content.decode()


class TestChanging:
    @pytest.mark.postgresql
    def test_a_changed_answer_is_stored_beside_the_first_which_stays_the_current_one(self, cast):
        _, (ada, *_) = cast
        ordinary = revise(Assignment.objects.held_by(ada).done().last())  # before feedback
        assert (ordinary.current, ordinary.after_feedback) == (True, False)
        count_anew(ada)
        statistics = JudgeStatistics.objects.values().get(judge=ada)
        give_feedback(ada)
        assignment = differences(ada)[0].assignment
        changed = revise(assignment, comment="I misread it.")
        slots = shown_slots(assignment)
        given = begun_answers(assignment, slots).answers  # her own pages show the changed answer
        assert [given[f"rank_{place}"] for place in range(1, len(slots) + 1)] == answers_of(assignment, True)
        again = revise(assignment)
        rows = Judgment.objects.filter(assignment=assignment).order_by("revision")
        assert [(row.revision, row.current, row.after_feedback) for row in rows] == [
            (1, True, False), (2, False, True), (3, False, True),
        ]  # fmt: skip
        assert changed.comment == "I misread it."
        assert Judgment.objects.newest().get(assignment=assignment) == again
        assert assignment not in [one.assignment for one in differences(ada)]
        for difference in differences(ada):
            revise(difference.assignment)
        count_anew(ada)
        assert JudgeStatistics.objects.values().get(judge=ada) == statistics, (
            "they stay those of the independent answers"
        )

    def test_a_screen_changed_in_the_browser_leads_back_to_the_differences(self, cast, browser_of):
        campaign, (ada, *_) = cast
        give_feedback(ada)
        assignment = differences(ada)[0].assignment
        client = browser_of(ada.user)
        address = reverse("assignment", args=[assignment.pk])
        back = reverse("differences", args=[campaign.slug])
        page = client.get(address).content.decode()
        assert f'data-begin="{back}"' in page
        assert "stored beside your first answer" in page
        assert client.post(reverse("next_assignment", args=[assignment.pk])).status_code == 204
        ranks = {f"rank_{place}": rank for place, rank in enumerate(answers_of(assignment, True), 1)}
        assert client.post(address, {"key": str(uuid4()), **ranks}).url == back
        assert Judgment.objects.get(assignment=assignment, after_feedback=True)


class TestExports:
    @pytest.mark.postgresql
    def test_the_table_and_the_bundle_have_both_answers_and_other_formats_the_independent_ones(self, cast):
        campaign, (ada, *_) = cast
        before = b"".join(EXPORTS["pairs-expanded.csv"].blocks(campaign))
        give_feedback(ada)
        assignment = differences(ada)[0].assignment
        revise(assignment)
        exported = csv.DictReader(io.StringIO(b"".join(EXPORTS["judgments.csv"].blocks(campaign)).decode()))
        rows = [row for row in exported if row["judge"] == "ada" and int(row["screen"]) == assignment.screen_id]
        shown = len(assignment.order)
        assert [row["after_feedback"] for row in rows] == ["no"] * shown + ["yes"] * shown
        ranks = [row["rank"] for row in rows]
        assert ranks[:shown] != ranks[shown:]
        assert b"".join(EXPORTS["pairs-expanded.csv"].blocks(campaign)) == before
        bundle = io.BytesIO(b"".join(EXPORTS["campaign.zip"].blocks(campaign)))
        copy = import_campaign("campaign.zip", bundle, "copy").campaign
        assert Judgment.objects.filter(assignment__campaign=copy, after_feedback=True).count() == 1
        assert Completion.objects.filter(judge__campaign=copy).exclude(feedback_at=None).count() == 2
