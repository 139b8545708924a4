"""How whoever started the platform comes in: by a link that signs in, or makes the first account."""

from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core import signing
from django.core.management import call_command
from django.urls import reverse

from judgments.judges import first_account
from judgments.models import Campaign
from tests import factory

CHOSEN = {"username": "olga", "password1": "a good one, this", "password2": "a good one, this"}
HERE = "http://127.0.0.1:8000"


@pytest.fixture
def local(db, settings) -> None:
    settings.SITE_URL, settings.IS_LOCAL = HERE, True


@pytest.fixture
def link(db, settings) -> str:
    settings.SITE_URL, settings.IS_LOCAL = "https://gec.example.org", False
    found = first_account.owner_link()
    assert found.startswith("https://gec.example.org/first-account/")
    return found.removeprefix(settings.SITE_URL)


def test_it_makes_one_organiser_who_is_signed_in_and_no_second(client, link):
    assert "This installation has no account yet" in client.get(link).content.decode()
    assert "The two password fields" in client.post(link, CHOSEN | {"password2": "another"}).content.decode()
    assert (
        "too common"
        in client.post(link, CHOSEN | dict.fromkeys(("password1", "password2"), "password")).content.decode()
    )
    assert not User.objects.exists()
    assert client.post(link, CHOSEN).url == reverse("home")
    assert reverse("new_campaign") in client.get(reverse("home")).content.decode()
    assert User.objects.get().check_password(CHOSEN["password1"])
    assert (client.get(link).status_code, client.post(link, CHOSEN | {"username": "eve"}).status_code) == (404, 404)
    assert "It makes the first account, once." in client.get(link).content.decode()
    assert first_account.owner_link() is None


def test_a_link_that_was_not_shown_or_is_too_old_leads_nowhere(client, link, monkeypatch, settings):
    for token in ("x", signing.dumps("", salt="another")):
        assert client.get(reverse("first_account", args=[token])).status_code == 404
        assert client.get(reverse("owner", args=[token])).status_code == 404
    assert client.get(link.replace("first-account", "owner")).status_code == 404, "a site that others reach"
    monkeypatch.setattr(first_account, "VALID_FOR", -1)
    assert client.post(link, CHOSEN).status_code == 404
    settings.IS_LOCAL = True
    assert client.get(first_account.owner_link()).status_code == 404


def test_on_the_own_machine_the_link_signs_in_and_leads_to_a_page_of_this_site(client, local):
    campaign = factory.open_campaign()
    page = reverse("organise", args=[campaign.slug])
    for wanted, reached in ((page, page), ("https://elsewhere.example/", reverse("home")), ("", reverse("home"))):
        assert client.get(first_account.owner_link(wanted)).url == reached
    owner = User.objects.get(is_superuser=True)
    assert (owner.username, owner.has_usable_password()) == ("owner", False)
    assert client.get(page).status_code == 200
    User.objects.create_superuser("ada")
    assert first_account.owner() == owner


def test_a_judge_may_be_called_owner(local):
    User.objects.create_user("owner")
    assert first_account.owner().username == "owner-2"


def test_open_makes_a_campaign_of_files_and_links(local, tmp_path, monkeypatch):
    table = tmp_path / "my systems.csv"
    table.write_text("source,Wren,Magpie\n" + "She go home .,She goes home .,She went home .\n" * 3, encoding="utf-8")
    said = []
    monkeypatch.setattr("appraise_gec.management.commands.open.become_platform", lambda *given: said.append(given))
    call_command("open", str(table), stdout=StringIO())
    words = ("--judges=2", "--protocol=rating", "--port=8001", "--no-browser")
    call_command("open", str(table), *words, stdout=StringIO())
    (_, _, none, link, opens), (port, _, links, other, opens_not) = said
    assert (none, opens, opens_not, port, len(links)) == ([], True, False, 8001, 2)
    assert "next=%2Fcampaigns%2Fmy-systems%2Fscreens%2F" in link
    first, second = Campaign.objects.order_by("pk")
    assert f"next=%2Fcampaigns%2F{second.slug}%2Forganise%2F" in other
    assert (first.protocol, first.is_open, second.protocol, second.is_open) == ("ranking", False, "rating", True)
    assert first.instructions
