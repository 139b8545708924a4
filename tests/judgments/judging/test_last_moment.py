"""Organisers decide at the very moment of an answer: it is confirmed and stored once, or refused with a message."""

from functools import partial
from uuid import uuid4

import pytest
from django.test import Client

from judgments.actions.judges import ReleaseScreens, SetPause
from judgments.archive.deleting import delete_campaign
from judgments.assignment import claiming
from judgments.campaigns import states
from judgments.judges import exclusion, programs
from judgments.models import Assignment, Campaign, Judgment
from judgments.privacy.erasure import forget_judge
from judgments.protocols.rows import shown_slots
from tests import factory
from tests.judgments.at_once import at_once

pytestmark = pytest.mark.django_db(transaction=True)

SCRIPT = {"accept": "application/json", "x-csrftoken": "x"}


DECISIONS = {
    "exclude": lambda judge: exclusion.exclude(judge, "asked to leave", judged_again=True),
    "pause": lambda judge: factory.act(SetPause, judge, is_paused=True),
    "close": lambda judge: states.close_campaign(judge.campaign),
    "forget": lambda judge: forget_judge(judge, judge.pseudonym),
}


def fields_of(assignment: Assignment) -> dict[str, object]:
    places = range(1, len(shown_slots(assignment)) + 1)
    return {"key": str(uuid4()), **{f"rank_{place}": place for place in places}}


@pytest.mark.wide
@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("decide", "message"),
    [("exclude", "no more screens"), ("pause", "paused"), ("close", "closed"), ("forget", "no more screens")],
)
@pytest.mark.parametrize("headers", [SCRIPT, {}], ids=["script", "form"])
def test_an_answer_is_stored_or_refused_with_its_reason(decide, message, headers):
    for attempt in range(4):
        ada = factory.judge(factory.open_campaign(redundancy=1), f"ada-{attempt}")
        assignment = claiming.claim_next(ada)
        fields, browser, responses = fields_of(assignment), Client(), []
        browser.force_login(ada.user)
        stored = Judgment.objects.filter(key=fields["key"])

        def answer(browser=browser, address=f"/assignments/{assignment.pk}/", fields=fields, responses=responses):
            responses.append(browser.post(address, fields, headers=headers))

        def decide_and_look(judge=ada, stored=stored, seen=(seen := [])):
            DECISIONS[decide](judge)
            seen.append(stored.count())

        at_once(answer, decide_and_look)
        (response,) = responses
        if decide in ("close", "forget"):
            assert stored.count() == seen[0], "nothing comes after a decision about all answers"
        if headers and response.status_code == 409:
            assert message in response.json()["message"]
        if headers and "/sign-in/" not in response.headers.get("location", ""):
            assert stored.count() == (response.status_code == 200)
        assert stored.count() <= 1
        if decide != "close":
            assert not Assignment.objects.held_by(ada).waiting().exists()


def test_a_form_whose_screen_was_taken_says_what_became_of_the_answer(campaign, ada, browser_of):
    assignment = claiming.claim_next(ada)
    fields = fields_of(assignment)
    factory.act(ReleaseScreens, ada)
    page = browser_of(ada.user).post(f"/assignments/{assignment.pk}/", fields)
    assert "What you sent was not saved." in page.content.decode()


def test_who_opened_another_judges_link_in_this_browser_reads_that_and_not_of_a_long_absence(
    campaign, ada, ben, browser_of
):
    fields = fields_of(assignment := claiming.claim_next(ada))
    page = browser_of(ada.user).get(f"/assignments/{assignment.pk}/").content.decode()
    assert '<input type="hidden" name="judge" value="ada">' in page
    browser = browser_of(ben.user)
    for shown_to, message in (("ada", "you are ben here now"), ("", "You were away"), ("ben", "You were away")):
        answer = browser.post(f"/assignments/{assignment.pk}/", fields | {"judge": shown_to}, headers=SCRIPT)
        assert answer.status_code == 409
        assert message in answer.json()["message"]


def test_after_the_end_a_refused_judge_reads_of_it_and_finds_no_screen_that_looks_ready(campaign, ada, browser_of):
    answered, assignment = factory.answer(claiming.claim_next(ada)).assignment, claiming.claim_next(ada)
    fields, browser = fields_of(assignment), browser_of(ada.user)
    states.close_campaign(campaign)
    assert browser.post(f"/assignments/{assignment.pk}/", fields, headers=SCRIPT).json()["over"]
    page = browser.get(f"/assignments/{assignment.pk}/", follow=True).content.decode()
    assert "so it accepts no more answers" in page
    assert "This campaign has ended" in page
    assert "What you sent before is saved." in page
    assert browser.get(f"/assignments/{answered.pk}/").status_code == 200


@pytest.mark.wide
def test_a_campaign_is_deleted_while_a_program_answers():
    for attempt in range(4):
        campaign = factory.open_campaign()
        robin = factory.program(campaign, f"robin-{attempt}")
        (assignment,) = programs.claim(robin, 1)
        token = programs.token_of(robin.user.username)
        answers = {"answers": [{"rank": 1} for _ in shown_slots(assignment)]}
        states.close_campaign(campaign)
        responses = []

        def judge(address=f"/api/assignments/{assignment.pk}/judgment/", answers=answers, token=token, got=responses):
            headers = {"authorization": f"Token {token}"}
            got.append(Client().post(address, answers, "application/json", headers=headers).status_code)

        at_once(judge, partial(delete_campaign, Campaign.objects.get(pk=campaign.pk), campaign.slug))
        assert responses[0] in (201, 401, 404)
        assert not Campaign.objects.filter(pk=campaign.pk).exists()
