"""The page on which an organiser lets programs judge: tokens, runs, the prompt, and what they wrote."""

import pytest
from django.urls import reverse
from rest_framework.authtoken.models import Token

from judgments.judges import programs as seats
from judgments.models import Membership, ProgramRun, Prompt
from judgments.programs import storing
from judgments.protocols import protocol_of
from tests import factory

USUAL = {
    "price_in": 0, "price_out": 0, "probes": 0.1, "samples": 3, "temperature": "", "seed": 17, "at_once": 4,
}  # fmt: skip


@pytest.fixture
def robin(campaign) -> Membership:
    return factory.program(campaign, "robin")


@pytest.fixture
def page(campaign, olga, browser_of):
    return browser_of(olga), reverse("programs", args=[campaign.slug])


def test_a_token_is_shown_once_and_access_is_ended(page, campaign, ada):
    client, address = page
    assert "No program judges here" in client.get(address).content.decode()
    enrol = reverse("enrol_program", args=[campaign.slug])
    taken = client.post(enrol, {"name": "ada"}, follow=True).content.decode()
    assert "There is already a member or an invited judge called ada" in taken
    content = client.post(enrol, {"name": "robin"}, follow=True).content.decode()
    token = Token.objects.get(user__membership__pseudonym="robin").key
    assert token in content
    assert token not in client.get(address).content.decode()
    again = client.post(enrol, {"name": "robin"}, follow=True).content.decode()
    assert "The token that robin had before has ended. The token of robin" in again
    assert "had before" not in content
    end = reverse("dismiss_program", args=[campaign.slug, Membership.objects.get(pseudonym="robin").pk])
    assert "has no access any more" in client.post(end, follow=True).content.decode()
    assert "has ended already" in client.post(end, follow=True).content.decode()
    assert "ended" in client.get(address).content.decode()


def send(page, action: str, **given: object) -> str:
    client, address = page
    return client.post(f"{address}{action}/", given, follow=True).content.decode()


@pytest.mark.wide
def test_a_rule_is_always_offered_and_others_by_the_operator(page, settings, no_worker):
    client, address = page
    text = client.get(address).content.decode()
    assert "the operator of this site must name endpoints in PROGRAM_ENDPOINTS" in text
    assert "texts_may_leave" not in text
    send(page, "run", endpoint="edit-distance", most=2, **USUAL)
    run = ProgramRun.objects.get()
    assert (run.program.pseudonym, run.endpoint, run.choices["most"], run.choices["temperature"]) == (
        "edit-distance", "edit-distance", 2, None,
    )  # fmt: skip
    assert "waiting for a worker" in client.get(address).content.decode()
    assert "already running" in send(page, "run", endpoint="edit-distance", **USUAL)
    settings.PROGRAM_ENDPOINTS = {"local": "http://127.0.0.1:9/v1"}
    assert "PROGRAM_ENDPOINTS" not in client.get(address).content.decode()
    assert "Name the model." in send(page, "run", endpoint="local", **USUAL)
    assert "choose from edit-distance" in send(page, "run", endpoint="http://10.0.0.1/v1", model="m", **USUAL)
    assert ProgramRun.objects.count() == 1


def test_what_leaves_is_named_and_has_to_be_allowed(page, settings, no_worker):
    settings.PROGRAM_ENDPOINTS = {"hosted": "https://8.8.8.8/v1"}
    client, address = page
    leaves = "to https://8.8.8.8/v1, outside this network"
    assert leaves in client.get(address).content.decode()
    wanted = {"endpoint": "hosted", "model": "m/1", **USUAL}
    assert leaves in send(page, "run", **wanted)
    assert not ProgramRun.objects.exists()
    send(page, "run", texts_may_leave="on", **wanted)
    assert ProgramRun.objects.get().program.pseudonym == "m-1"


@pytest.mark.wide
def test_the_prompt_is_changed_in_versions_and_goes_back(page, campaign):
    client, address = page
    assert "Version 1" in client.get(address).content.decode()
    assert not Prompt.objects.exists(), "reading changes nothing"
    storing.stored_prompt(campaign)
    assert "version 2 of the prompt" in send(page, "prompt", text="Judge well. {instructions}")
    assert "Go back to the ready-made prompt" in client.get(address).content.decode()
    assert "version 3 of the prompt" in send(page, "prompt", text=protocol_of(campaign).prompt)
    assert "Go back to the ready-made prompt" not in client.get(address).content.decode()
    assert "This field is required" in send(page, "prompt", text="")


def test_an_organiser_reads_what_could_not_be_read_first(page, campaign, robin):
    client, address = page
    first, second = seats.claim(robin, 2)
    version = storing.stored_prompt(campaign).version
    storing.keep(first, "judgment", 0, {"prompt": version, "model": "m", "raw": "<b>Sorry"}, None)
    storing.keep(second, "sample", 1, {"prompt": version, "model": "m", "raw": "All fine."}, [], None)
    text = client.get(address).content.decode()
    assert text.index("&lt;b&gt;Sorry") < text.index("All fine.")
    assert text.count("could not be read</strong>") == 1


@pytest.mark.wide
def test_judges_see_nothing_of_programs(campaign, robin, ada, browser_of):
    (assignment,) = seats.claim(robin, 1)
    said = {"prompt": storing.stored_prompt(campaign).version, "model": "gossip", "raw": "gossip"}
    storing.keep(assignment, "judgment", 0, said, [], factory.answer(assignment))
    mine = factory.judge_batch(ada)
    client = browser_of(ada.user)
    for name, args in {
        "home": [], "campaign": [campaign.slug], "answers": [campaign.slug], "thanks": [campaign.slug],
        "assignment": [mine[0].assignment_id], "differences": [campaign.slug], "your_data": [],
    }.items():  # fmt: skip
        text = client.get(reverse(name, args=args)).content.decode()
        assert not any(word in text for word in ("robin", "gossip")), name
    assert client.get(reverse("programs", args=[campaign.slug])).status_code == 403
