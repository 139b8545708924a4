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
def test_every_list_opens_searches_and_shows_one(name, full, operator, browser_of):
    client = browser_of(operator)
    page = client.get(reverse(f"admin:{name}_changelist"))
    assert page.status_code == 200
    assert page.context["cl"].result_list
    assert client.get(reverse(f"admin:{name}_changelist"), {"q": "campaign"}).status_code == 200
    one = page.context["cl"].result_list[0]
    shown = client.get(reverse(f"admin:{name}_change", args=[one.pk]))
    assert shown.status_code == 200
    assert full.token not in shown.content.decode()


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_added_changed_or_deleted_there(name, full, operator, browser_of):
    client = browser_of(operator)
    pk = client.get(reverse(f"admin:{name}_changelist")).context["cl"].result_list[0].pk
    assert client.get(reverse(f"admin:{name}_add")).status_code == 403
    assert client.post(reverse(f"admin:{name}_change", args=[pk]), {}).status_code == 403
    assert client.post(reverse(f"admin:{name}_delete", args=[pk]), {"post": "yes"}).status_code == 403
    assert Judgment.objects.count() == 5


def test_an_organiser_is_no_operator(campaign, olga, browser_of):
    answer = browser_of(olga).get(reverse("admin:judgments_campaign_changelist"))
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("admin:login"))


def test_lists_ask_a_fixed_number_of_questions(full, operator, browser_of, ben, django_assert_max_num_queries):
    factory.answer_all(ben)
    client = browser_of(operator)
    for name in NAMES:
        with django_assert_max_num_queries(9):
            client.get(reverse(f"admin:{name}_changelist"))


def test_it_leads_to_the_page_of_the_material(full, operator, browser_of):
    page = browser_of(operator).get(reverse("admin:judgments_campaign_changelist")).content.decode()
    assert reverse("material", args=[full.campaign.slug]) in page
