"""A judge downloads and erases only their own data: it unblinds nobody, and changes nothing of others."""

import io
import json
import zipfile

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from judgments.actions.judges import MarkExpert, SetQuota
from judgments.assignment import claiming
from judgments.judges import exclusion, invitations
from judgments.models import Invitation, JournalEntry, MailJob, Membership, Placement, Slot, StoredResponse
from judgments.models.journal import acting
from judgments.privacy.erasure import forget_person
from judgments.privacy.person import Person
from judgments.privacy.takeout import personal_export
from tests import factory

# What a crowd platform's parameters can be made to say.
HOSTILE = {
    "PROLIFIC_PID": "olga", "STUDY_ID": "invited", "SESSION_ID": "excluded", "assignmentId": "anna@example.org",
    "hitId": "clara", "turkSubmitTo": "most_judges", "workerId": "ada",
}  # fmt: skip


def own(judge: Membership) -> dict[str, list[dict]]:
    with zipfile.ZipFile(io.BytesIO(b"".join(personal_export(Person.of_judge(judge), is_own=True)))) as archive:
        return {name: json.loads(archive.read(name)) for name in archive.namelist() if name.endswith(".json")}


@pytest.fixture
def stranger(campaign) -> Membership:
    """Somebody who came by a shared link, whose address was written by the stranger."""
    user = invitations.join(invitations.share(campaign, 5), HOSTILE)
    return Membership.objects.get(user=user)


@pytest.fixture
def journal(campaign, ada) -> list[str]:
    """Lines of the journal about others, caused by the organiser."""
    with acting(lambda: "olga"):
        invitations.invite(campaign, ["anna@example.org", "clara"])
        exclusion.exclude(ada, "phoned us, and was invited by clara")
    MailJob.objects.create(
        campaign=campaign, requested_by=None, problems=[{"address": "anna@example.org", "reason": "most_judges"}]
    )
    StoredResponse.objects.create(
        user=User.objects.create_user("kept"),
        key="k",
        address=f"/api/campaigns/{campaign.slug}/links/",
        content={"most_judges": 5},
    )
    return list(JournalEntry.objects.filter(campaign=campaign).values_list("actor", "what"))


# --- blindness --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", ["ranking", "rating"])
def test_answers_are_given_by_the_places_at_which_they_were_given(protocol, db):
    campaign = factory.open_campaign(protocol=protocol)
    ada = factory.judge(campaign, "ada")
    factory.answer_all(ada)
    rows = own(ada)["placement.json" if protocol == "ranking" else "rating.json"]
    columns = {"place", "judgment_id"} | ({"rank"} if protocol == "ranking" else {"score", "meaning_changed"})
    assert {frozenset(row) for row in rows} == {frozenset(columns)}
    for judgment in {row["judgment_id"] for row in rows}:
        places = [row["place"] for row in rows if row["judgment_id"] == judgment]
        assert places == list(range(1, len(places) + 1))


def test_the_place_is_the_one_that_the_judge_saw(campaign, ada):
    factory.answer_all(ada)
    rows = {(row["judgment_id"], row["place"]): row["rank"] for row in own(ada)["placement.json"]}
    assert len(rows) == Placement.objects.count()
    for placement in Placement.objects.select_related("judgment__assignment"):
        slot = Slot.objects.get(screen=placement.screen_id, candidate=placement.candidate_id)
        place = placement.judgment.assignment.shown_positions().index(slot.position) + 1
        assert rows[placement.judgment_id, place] == placement.rank


def test_no_number_of_a_screen_or_candidate_is_shown_nor_what_repeats_what(campaign, ada):
    factory.judge_batch(ada)
    claiming.claim_next(ada)
    telling = {"screen_id", "candidate_id", "order", "repeats_id", "controls", "controls_passed", "passed"}
    files = own(ada)
    assert {"assignment.json", "judgment.json", "placement.json"} <= files.keys()
    assert not [name for name, rows in files.items() for row in rows if telling & row.keys()]


# --- others -----------------------------------------------------------------------------------------------------------


def test_words_in_ones_own_address_open_no_journal_and_being_forgotten_changes_nothing_of_others(
    stranger, journal, campaign, ada
):
    files = own(stranger)
    assert "journal.json" not in files
    assert "mail.json" not in files
    forget_person(Person.of_judge(stranger))
    assert list(JournalEntry.objects.filter(campaign=campaign).values_list("actor", "what"))[-len(journal) :] == journal
    ada.refresh_from_db()
    assert ada.exclusion_reason == "phoned us, and was invited by clara"
    assert Invitation.objects.filter(pseudonym__in=["anna", "clara"]).count() == 2
    assert MailJob.objects.get().problems
    assert StoredResponse.objects.exists()


def test_a_judge_reads_their_part_of_a_line_and_not_who_else_was_invited(campaign):
    with acting(lambda: "olga"):
        zenobia, _, _ = invitations.invite(campaign, ["zenobia@example.org", "anna.secret@example.org", "clara"])
    browser = Client()
    browser.post(reverse("join", args=[zenobia.token]))
    judge = Membership.objects.get(campaign=campaign, pseudonym="zenobia")
    with acting(lambda: "olga"):
        exclusion.exclude(judge, "asked us to")
        exclusion.include(judge, "came back")
        factory.act(SetQuota, judge, quota=3)
        factory.act(MarkExpert, judge, is_expert=True)
        exclusion.exclude(factory.judge(campaign, "ada"), "works with zenobia")
    lines = [(line["actor"], line["what"]) for line in own(judge)["journal.json"]]
    assert lines == [("olga", "invited zenobia"), ("olga", "excluded zenobia: asked us to"), *lines[2:]]
    assert len(lines) == 5
    assert not [what for _, what in lines if "anna" in what or "ada" in what]
