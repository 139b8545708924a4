"""The first account: by a link that is valid once, and only while there is none."""

import pytest
from django.contrib.auth.models import User
from django.core import signing
from django.urls import reverse

from judgments.judges import first_account

CHOSEN = {"username": "olga", "password1": "a good one, this", "password2": "a good one, this"}


@pytest.fixture
def link(db, settings) -> str:
    settings.SITE_URL = "http://127.0.0.1:8000"
    found = first_account.first_link()
    assert found.startswith("http://127.0.0.1:8000/first-account/")
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
    assert first_account.first_link() is None


def test_a_link_that_was_not_shown_or_is_too_old_leads_nowhere(client, link, monkeypatch):
    for token in ("x", signing.dumps("", salt="another")):
        assert client.get(reverse("first_account", args=[token])).status_code == 404
    monkeypatch.setattr(first_account, "VALID_FOR", -1)
    assert client.post(link, CHOSEN).status_code == 404
