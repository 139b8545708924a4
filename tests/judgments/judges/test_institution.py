"""Signing in by the institution: whose header is believed, whose account it opens, and what the groups allow."""

from ipaddress import ip_network

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

SIGN_IN = "/sign-in/"
PROXY, ELSEWHERE = "10.1.2.3", "10.2.2.3"


@pytest.fixture
def proxied(db, settings) -> None:
    settings.REMOTE_USER_HEADER, settings.REMOTE_GROUPS_HEADER = "X-Remote-User", "X-Remote-Groups"
    settings.REMOTE_USER_PROXIES = [ip_network("10.1.0.0/16")]


def come(client, name: str = "maria", groups: str = "", peer: str = PROXY, path: str = SIGN_IN):
    return client.get(path, headers={"X-Remote-User": name, "X-Remote-Groups": groups}, REMOTE_ADDR=peer)


def test_the_named_user_comes_in_and_goes_where_they_wanted(client, proxied):
    assert come(client, path=f"{SIGN_IN}?next=/style/").url == "/style/"
    assert come(client, path=f"{SIGN_IN}?next=https://elsewhere.example.org/").url == reverse("home")
    user = User.objects.get()
    assert (user.username, user.is_staff, user.is_superuser, user.has_usable_password()) == (
        "maria",
        True,
        False,
        False,
    )
    assert "maria" in client.get("/").content.decode()


def test_a_second_visit_opens_the_same_account(client, proxied):
    come(client)
    client.logout()
    assert come(client).status_code == 302
    assert User.objects.count() == 1


@pytest.mark.parametrize("peer", [ELSEWHERE, "", "unknown", "::1"])
def test_an_impostor_is_asked_for_a_password(client, proxied, peer):
    assert come(client, peer=peer).status_code == 200
    assert not User.objects.exists()


def test_the_header_is_believed_nowhere_else(client, proxied):
    for path in ("/", "/admin/login/", "/api/campaigns/"):
        come(client, path=path)
    assert not User.objects.exists()
    assert "_auth_user_id" not in client.session


def test_without_a_setting_nobody_is_believed(client, proxied, settings):
    settings.REMOTE_USER_HEADER = ""
    assert come(client).status_code == 200
    assert not User.objects.exists()


@pytest.mark.parametrize("more", [{"password": "a good one, this"}, {"is_superuser": True}, {"is_active": False}])
def test_accounts_of_the_site_keep_their_passwords(client, proxied, more):
    User.objects.create_user("maria", **more)
    answer = come(client)
    assert answer.status_code == 200
    assert "maria is an account of this site" in answer.content.decode()
    assert "_auth_user_id" not in client.session


def test_groups_say_at_each_visit_who_may_make_campaigns(client, proxied, settings):
    settings.ORGANISER_GROUPS = ["linguistics", "shared task"]
    for groups, may in (("students", False), ("students, shared task", True), ("", False)):
        come(client, groups=groups)
        assert User.objects.get().is_staff is may
