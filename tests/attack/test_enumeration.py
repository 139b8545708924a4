"""Enumerating ids and names: pages of others are answered exactly like pages that do not exist."""

import re

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import resolve, reverse

from judgments.campaigns import settings
from judgments.models import AssignmentJob
from judgments.models.members import new_token
from tests import factory
from tests.judgments.campaigns.test_access import ADDRESSES, OF_JOBS, addresses_of
from tests.judgments.jobs.queued import REQUESTS

# What nobody has, in the shape of what somebody could have.
NOWHERE = {"slug": "no-such-campaign", "token": new_token()}
NUMBER = 987_654_321
# Everybody who has the link may join, or read what is published.
BY_LINK = {
    "join", "join_shared", "public_page", "public_file", "public_site", "team", "team_source", "guide", "prolific",
    "first_account",
}  # fmt: skip


@pytest.fixture
def addresses(campaign, ada, olga, no_worker) -> dict[str, str]:
    return addresses_of(campaign, ada, olga)


@pytest.fixture
def mallory(db) -> User:
    """She organises a campaign of her own, and judges in it."""
    campaign = factory.open_campaign(slug="mallorys")
    user = factory.organiser(campaign, "mallory")
    settings.make_organiser(campaign, "mallory")
    return user


def nowhere(name: str, address: str) -> str:
    """The address of the same page for something that does not exist."""
    kwargs = resolve(address).kwargs
    return reverse(name, kwargs={part: NOWHERE.get(part, NUMBER) if part in NOWHERE or isinstance(value, int) else value
                                 for part, value in kwargs.items()})  # fmt: skip


def answer_of(client: Client, verb: str, name: str, address: str) -> tuple[int, str, list[tuple[str, str]], int]:
    """Everything in an answer, except the address itself and the token of its forms; and the number of its queries."""
    as_json = {"content_type": "application/json"} if name.startswith("api_") and verb != "get" else {}
    client.cookies.pop("messages", None)  # what the answer before left to say
    with transaction.atomic(), CaptureQueriesContext(connection) as queries:
        answer = getattr(client, verb)(address, **as_json)
        transaction.set_rollback(True)
    body = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.content.decode().replace(address, "HERE"))
    of_the_moment = {"Content-Length", "Expires", "X-Request-ID"}
    headers = [
        (key, value.replace(address, "HERE")) for key, value in answer.headers.items() if key not in of_the_moment
    ]
    return answer.status_code, body, sorted(headers), len(queries)


VARYING = sorted({(name, verb) for name, verb in ADDRESSES if name not in BY_LINK})


@pytest.mark.wide
def test_pages_of_others_are_answered_like_missing_pages(addresses, campaign, olga, zoe, mallory, browser_of):
    clients = {"zoe": browser_of(zoe), "mallory": browser_of(mallory), "nobody": Client()}
    compared, differing = 0, []
    AssignmentJob.objects.all().delete()
    jobs = [request(campaign, olga) for request in REQUESTS.values()]
    places = [(name, verb, addresses[name]) for name, verb in VARYING if name not in OF_JOBS]
    for name, verb in VARYING:
        places += [(name, verb, reverse(name, args=[job.kind, job.pk])) for job in jobs if name in OF_JOBS]
    for name, verb, there in places:
        not_there = nowhere(name, there)
        if there == not_there:
            continue
        compared += 1
        for person, client in clients.items():
            if answer_of(client, verb, name, there) != answer_of(client, verb, name, not_there):
                differing.append(f"{person} {verb} {name}")
    assert not differing
    assert compared > 160


@pytest.mark.wide
def test_ids_of_another_campaign_do_not_exist_in_ones_own(addresses, mallory, browser_of):
    """Her own campaign in the address, and somebody else's number behind it."""
    client = browser_of(mallory)
    compared, differing = 0, []
    for name, verb in VARYING:
        kwargs = resolve(addresses[name]).kwargs
        numbers = [part for part, value in kwargs.items() if isinstance(value, int)]
        if "slug" not in kwargs or not numbers or name == "example":
            continue
        own = kwargs | {"slug": "mallorys"}
        foreign, none = reverse(name, kwargs=own), reverse(name, kwargs=own | dict.fromkeys(numbers, NUMBER))
        compared += 1
        reply = answer_of(client, verb, name, foreign)
        if reply != answer_of(client, verb, name, none) or reply[0] != (302 if name == "discard_upload" else 404):
            differing.append(f"{verb} {name}: {reply[0]}")
    assert not differing
    assert compared > 25


def test_an_assignment_of_another_judge_is_answered_like_a_missing_one(addresses, ben, browser_of):
    client = browser_of(ben.user)
    for name, verb in (("assignment", "get"), ("assignment", "post"), ("draft", "post"), ("next_assignment", "post")):
        there, not_there = addresses[name], nowhere(name, addresses[name])
        assert answer_of(client, verb, name, there)[0] == answer_of(client, verb, name, not_there)[0] == 404, name
