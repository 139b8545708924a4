"""Headers and sessions: cookies, foreign forms and frames, foreign hosts and addresses."""

import re
from ast import literal_eval
from itertools import product
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from rest_framework.authtoken.models import Token

from judgments.api.base.rates import Rate
from judgments.judges import invitations
from tests.attack.test_enumeration import VARYING, addresses  # noqa: F401 (a fixture)
from tests.hostile import Writes
from tests.judgments.campaigns.test_access import ADDRESSES, people_of
from tests.test_settings import PRODUCTION, chosen

PASSWORD = "three herons wade at dawn"
EVIL = "evil.example.org"
OF_TLS = (
    "SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "LANGUAGE_COOKIE_SECURE", "SECURE_SSL_REDIRECT",
    "SECURE_HSTS_SECONDS", "SECURE_HSTS_INCLUDE_SUBDOMAINS", "SECURE_HSTS_PRELOAD", "SECURE_PROXY_SSL_HEADER",
)  # fmt: skip
OTHERS = ("sign_in", "healthz", "api_schema", "admin:index", "")
POLICY = {
    "default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "img-src": "'self' data:",
    "font-src": "'self'", "connect-src": "'self'", "form-action": "'self'", "base-uri": "'none'",
    "frame-ancestors": "'none'",
}  # fmt: skip


@pytest.fixture
def user(db) -> User:
    return User.objects.create_user("greta", password=PASSWORD, is_staff=True)


@pytest.fixture
def people(campaign, olga, ada, ben, zoe) -> dict[str, User | None]:
    return people_of(campaign, olga, ada, ben, zoe)


# --- what every answer carries ----------------------------------------------------------------------------------------


@pytest.mark.wide
def test_every_answer_carries_the_policy_and_may_stand_in_no_frame(people, addresses, browser_of):  # noqa: F811
    expected = {
        "X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
    }  # fmt: skip
    lacking = []
    for person in ("ada", "operator", "nobody"):
        client = browser_of(people[person]) if people[person] else Client()
        for name in [*sorted({name for name, _ in ADDRESSES}), *OTHERS]:
            headers = client.get(addresses.get(name) or (reverse(name) if name else "/no-such-page/")).headers
            policy = dict(part.strip().split(" ", 1) for part in headers["Content-Security-Policy"].split(";"))
            if policy != POLICY or {header: headers[header] for header in expected} != expected:
                lacking.append(name)
            if "no-store" not in headers["Cache-Control"] or "ETag" in headers:
                lacking.append(f"{name} may be kept")
    assert not lacking


@pytest.mark.wide
def test_behind_tls_cookies_are_secure_and_browsers_stay_there(settings, user):
    for name, value in zip(OF_TLS, chosen(*OF_TLS, **PRODUCTION, BEHIND_PROXY="yes"), strict=True):
        setattr(settings, name, literal_eval(value))
    plain = Client().get(reverse("sign_in"))
    assert (plain.status_code, plain["Location"]) == (301, f"https://testserver{reverse('sign_in')}")
    client = Client(headers={"X-Forwarded-Proto": "https"})
    answer = client.get(reverse("sign_in"))
    assert answer["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains; preload"
    client.post(reverse("sign_in"), {"username": "greta", "password": PASSWORD})
    client.post(reverse("set_language"), {"language": "pl", "next": "/"})
    assert {"sessionid", "csrftoken", "django_language"} == {*client.cookies}
    for name, cookie in client.cookies.items():
        assert cookie["secure"], name
        assert cookie["samesite"] == "Lax", name
        assert cookie["httponly"] or name == "csrftoken", name


# --- sessions ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("door", ["sign_in", "admin:login", "join", "join_shared"])
def test_a_session_that_somebody_planted_is_not_the_one_that_is_let_in(door, user, campaign):
    planted = Client()
    session = planted.session
    session["planted"] = True
    session.save()
    (invitation,) = invitations.invite(campaign, ["dan"])
    tokens = {"join": invitation.token, "join_shared": invitations.share(campaign, 3).token}
    address = reverse(door, args=[tokens[door]] if door in tokens else [])
    victim = Client()
    victim.cookies["sessionid"] = session.session_key
    before = victim.get(address).cookies
    answer = victim.post(address, {"username": "greta", "password": PASSWORD})
    assert answer.status_code == 302, before
    assert victim.cookies["sessionid"].value != session.session_key
    assert not Session.objects.filter(session_key=session.session_key).exists()
    assert planted.get(reverse("home")).status_code == 302


def test_nothing_is_left_of_an_earlier_session_or_password(user, campaign):
    client = Client()
    client.force_login(User.objects.create_user("mallory"))
    session = client.session
    session["planted"] = True
    session.save()
    client.post(reverse("sign_in"), {"username": "greta", "password": PASSWORD})
    assert "planted" not in client.session
    client, copy = Client(), Client()
    client.force_login(user)
    copy.cookies["sessionid"] = client.cookies["sessionid"].value
    assert copy.get(reverse("home")).status_code == 200
    client.post(reverse("sign_out"))
    assert copy.get(reverse("home")).status_code == 302
    client.force_login(user)
    user.set_password("another one of them")
    user.save()
    assert client.get(reverse("home")).status_code == 302


# --- forms of other sites ---------------------------------------------------------------------------------------------

CHANGING = sorted(
    {(name, verb) for name, verb in ADDRESSES if verb != "get"} | {("join", "post"), ("join_shared", "post")}
)
OUTSIDE = [(name, "post") for name in ("join", "join_shared", "sign_in", "sign_out", "set_language", "admin:login")]


OF_FILES = {"api_import_judgments", "api_imports", "api_add_metrics", "api_uploads"}


@pytest.mark.wide
def test_nothing_is_taken_from_forms_of_other_sites(people, addresses, campaign):  # noqa: F811
    taken = []
    for person, how in product(("ada", "olga"), ("no token", "a wrong token", "from another site")):
        client = Client(enforce_csrf_checks=True)
        client.force_login(people[person])
        page = client.get(reverse("campaign", args=[campaign.slug])).content.decode()
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
        sent = {"no token": "", "a wrong token": "x" * 64, "from another site": token}[how]
        headers = {"X-CSRFToken": sent} | ({"Origin": f"https://{EVIL}"} if how == "from another site" else {})
        for name, verb in [*CHANGING, *OUTSIDE]:
            writes = Writes()
            with transaction.atomic(), connection.execute_wrapper(writes):
                address = addresses.get(name) or reverse(name)
                takes_json = name.startswith("api_") and name not in OF_FILES
                as_json = {"content_type": "application/json"} if takes_json else {}
                answer = getattr(client, verb)(address, headers=headers, **as_json)
                transaction.set_rollback(True)
            if answer.status_code != 403 or writes.seen:
                taken.append(f"{person} {verb} {name} {how}: {answer.status_code}")
    assert not taken


@pytest.mark.wide
def test_looking_changes_nothing(people, addresses, browser_of):  # noqa: F811
    """What another site makes a browser fetch does nothing."""
    changed = []
    for person in ("ada", "olga", "operator"):
        client = browser_of(people[person])
        for name in [name for name, verb in ADDRESSES if verb == "get"]:
            writes = Writes()
            with transaction.atomic(), connection.execute_wrapper(writes):
                answer = client.get(addresses[name])
                if answer.streaming:
                    b"".join(answer.streaming_content)
                transaction.set_rollback(True)
            if writes.seen:
                changed.append(f"{person} {name}")
    assert not changed


@pytest.mark.wide
def test_no_visitor_without_a_link_opens_a_session(addresses):  # noqa: F811
    Session.objects.all().delete()
    for name, verb in VARYING:
        getattr(Client(), verb)(addresses[name], {"username": "greta", "password": "a guess"})
    for door in ("sign_in", "admin:login"):
        Client().post(reverse(door), {"username": "greta", "password": "a guess"})
    assert not Session.objects.exists()


# --- other hosts and places -------------------------------------------------------------------------------------------

AWAY = (
    f"https://{EVIL}/", f"//{EVIL}", f"///{EVIL}", f"/\\{EVIL}", f"\\\\{EVIL}", f"https:{EVIL}", f"/\t/{EVIL}",
    f"\x01//{EVIL}", f"javascript:alert('{EVIL}')", f"https://testserver@{EVIL}", f"https://testserver.{EVIL}",
    f"http:///{EVIL}", f"ftp://{EVIL}", f"\u2028//{EVIL}",
)  # fmt: skip


@pytest.mark.parametrize("away", AWAY)
def test_nobody_is_led_away(away, user):
    """With any `next` in the address, and any referring page."""
    for door in ("sign_in", "admin:login"):
        for address, body in ((reverse(door), {"next": away}), (f"{reverse(door)}?next={away}", {})):
            answer = Client().post(address, {"username": "greta", "password": PASSWORD, **body})
            assert answer.status_code == 302
            assert EVIL not in answer["Location"]
    client = Client(headers={"Referer": away})
    for page in (reverse("set_language"), reverse("sign_out")):
        for address, body in ((page, {"next": away}), (f"{page}?next={away}", {}), (page, {})):
            answer = client.post(address, {"language": "pl", **body})
            assert EVIL not in answer.get("Location", "")


@pytest.mark.parametrize(
    "path", [f"//{EVIL}/campaigns", f"/\\{EVIL}/x", f"//{EVIL}//", f"/%2f{EVIL}/x", f"/;@{EVIL}/x"]
)
def test_a_missing_slash_leads_nowhere_else(path, db):
    answer = Client().generic("GET", path)
    assert not answer.get("Location", "").startswith((f"//{EVIL}", f"/\\{EVIL}", "http"))


@pytest.mark.parametrize("host", [EVIL, f"testserver.{EVIL}", f"testserver:80@{EVIL}", f"testserver, {EVIL}", ""])
def test_other_hosts_are_not_answered(host, settings, db):
    settings.ALLOWED_HOSTS = ["testserver"]
    answer = Client(headers={"Host": host}).get(reverse("sign_in"))
    assert answer.status_code == 400
    assert EVIL not in answer.content.decode()


def test_links_are_those_of_the_site_whatever_host_was_asked_and_whatever_other_headers_say(
    settings, campaign, olga, browser_of
):
    settings.ALLOWED_HOSTS = ["testserver"]
    settings.SITE_URL = "https://judge.example.org"
    invitations.invite(campaign, ["dan"])
    token = {"headers": {"Authorization": f"Token {Token.objects.create(user=olga).key}"}}
    pages = [browser_of(olga).get(reverse(name, args=[campaign.slug])) for name in ("judges", "invitations_csv")]
    answers = [Client().get(f"/api/campaigns/{rest}", **token) for rest in ("", f"{campaign.slug}/invitations/")]
    for answer in (*pages, *answers):
        assert "//testserver" not in answer.content.decode()
        assert "https://judge.example.org/" in answer.content.decode()
    settings.BEHIND_PROXY = True
    forged = {"X-Forwarded-Host": EVIL, "X-Host": EVIL, "Forwarded": f"host={EVIL}", "X-Forwarded-Server": EVIL,
              "X-Original-URL": "/admin/", "X-Rewrite-URL": "/admin/"}  # fmt: skip
    invitations.invite(campaign, ["dan"])
    for name in ("judges", "invitations_csv"):
        answer = browser_of(olga).get(reverse(name, args=[campaign.slug]), headers=forged)
        assert answer.status_code == 200
        assert EVIL not in answer.getvalue().decode()


PATHS = (
    "..", "../settings.py", "..%2fsettings.py", "..%5csettings.py", "%2e%2e%2f%2e%2e%2fmanage.py", "/etc/passwd",
    "....//manage.py", "%c0%ae%c0%ae/manage.py", "standings.csv%00.svg", "..;/manage.py", "file:///etc/passwd",
)  # fmt: skip


@pytest.mark.wide
def test_no_name_of_a_file_leads_anywhere(people, addresses, browser_of, monkeypatch):  # noqa: F811
    """Files of reports, exports and metrics are named in a list; those of the site are in a folder that is not left."""
    client = browser_of(people["operator"])
    names = ("report_file", "changes_file", "export", "metric_file", "api_report_file", "api_export", "api_metric_file",
             "api_report_changes")  # fmt: skip
    monkeypatch.setattr(Rate, "allow_request", lambda *_: True)
    folders = [*(addresses[name].rpartition("/")[0] for name in names), "/static", "/static/css"]
    for folder, path in product(folders, PATHS):
        answer = client.generic("GET", f"{folder}/{path}")
        content = answer.content.decode(errors="replace")
        assert answer.status_code in (302, 404), (folder, path, answer.status_code)
        assert not re.search("root:|DJANGO_SETTINGS_MODULE|INSTALLED_APPS", content)


@pytest.mark.wide
def test_no_page_shows_a_password_or_a_secret(settings, people, addresses, browser_of):  # noqa: F811
    client = browser_of(people["operator"])
    secrets = [settings.SECRET_KEY, str(Path(settings.BASE_DIR))]
    for name in [name for name, verb in ADDRESSES if verb == "get"]:
        content = client.get(addresses[name]).getvalue().decode(errors="replace")
        assert not [secret for secret in secrets if secret in content], name
