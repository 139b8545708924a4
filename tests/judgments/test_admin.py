"""The operators' pages: everything can be looked for, nothing that was judged can be changed."""

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.urls import reverse

from judgments.jobs.attempts import run_now
from judgments.judges import invitations
from judgments.models import Campaign, Invitation, Judgment
from ranking.reports import building
from ranking.scores.stored import add_metrics
from tests import factory

OURS = [model for model in admin.site._registry if model._meta.app_label in ("judgments", "ranking")]
NAMES = [f"{model._meta.app_label}_{model._meta.model_name}" for model in OURS]


@pytest.fixture(scope="module")
def made(lasting) -> tuple[Campaign, Invitation, User]:
    """A campaign with something of everything, one of its invitations, and who operates the platform."""
    with lasting():
        campaign = factory.open_campaign()
        factory.answer_all(factory.judge(campaign, "ada"))
        (invitation,) = invitations.invite(campaign, ["dan"])
        invitations.share(campaign, 5)
        run_now(building.request_report(campaign))
        add_metrics(campaign, "bleu.txt", b"Heron .3\nMagpie .2\nWren .1\nsource 0\n")
        return campaign, invitation, User.objects.create_superuser("operator")


@pytest.fixture
def campaign(made, db) -> Campaign:
    return made[0]


@pytest.fixture
def full(made, db) -> Invitation:
    return made[1]


@pytest.fixture
def operator(made, db) -> User:
    return made[2]


@pytest.mark.parametrize("name", NAMES)
def test_every_list_opens_searches_and_shows_one_and_nothing_is_changed_there(name, full, operator, browser_of):
    client, address = browser_of(operator), reverse(f"admin:{name}_changelist")
    one = client.get(address).context["cl"].result_list[0]
    assert client.get(address, {"q": "campaign"}).status_code == 200
    change, delete = (reverse(f"admin:{name}_{verb}", args=[one.pk]) for verb in ("change", "delete"))
    shown = client.get(change)
    assert shown.status_code == 200
    assert full.token not in shown.content.decode()
    assert client.get(reverse(f"admin:{name}_add")).status_code == 403
    assert client.post(change, {}).status_code == 403
    assert client.post(delete, {"post": "yes"}).status_code == 403
    assert Judgment.objects.count() == 5


def test_an_organiser_is_no_operator_who_is_led_to_the_page_of_the_material(full, olga, operator, browser_of):
    address = reverse("admin:judgments_campaign_changelist")
    answer = browser_of(olga).get(address)
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("admin:login"))
    assert reverse("material", args=[full.campaign.slug]) in browser_of(operator).get(address).content.decode()


def test_lists_ask_a_fixed_number_of_questions(full, operator, browser_of, ben, django_assert_max_num_queries):
    factory.answer_all(ben)
    client = browser_of(operator)
    for name in NAMES:
        with django_assert_max_num_queries(9):
            client.get(reverse(f"admin:{name}_changelist"))
