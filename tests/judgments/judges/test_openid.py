"""Signing in by OpenID Connect, at a provider on this machine that signs what it is told to."""

import base64
import hashlib
import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
from django.contrib.auth.models import User
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey

KEY = ECKey.generate_key("P-256", {"kid": "one"})
DOOR = "/sign-in/openid/"
LACKING = object()
NOT_CONFIRMED = "Your institution did not confirm who you are"


class Provider(BaseHTTPRequestHandler):
    """Describes itself, publishes its key, and exchanges any code for the token of `server.make_token`."""

    def do_GET(self):
        url, wants = self.server.url, self.path
        self.give({
            "/.well-known/openid-configuration": {
                "issuer": url, "authorization_endpoint": f"{url}/ask", "token_endpoint": f"{url}/token",
                "jwks_uri": f"{url}/keys", "userinfo_endpoint": f"{url}/more",
                "id_token_signing_alg_values_supported": ["ES256", "HS256", "none"],
            },
            "/keys": {"keys": [KEY.as_dict(private=False)]},
            "/more": self.server.more,
        }[wants])  # fmt: skip

    def do_POST(self):
        form = dict(parse_qsl(self.rfile.read(int(self.headers["Content-Length"])).decode()))
        self.server.asked = form | {"authorization": self.headers["Authorization"]}
        self.give({"access_token": "a", "token_type": "Bearer", "id_token": self.server.make_token()})

    def give(self, content):
        body = json.dumps(content).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def server():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    server.url = f"http://127.0.0.1:{server.server_port}"
    Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def provider(server, db, settings):
    settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = server.url, "appraise", "s3cret"
    server.more = {"sub": "u-17"}
    return server


def come(client, provider, *, signed=None, page="", **claims):
    """Go to the provider and return with a code; the token has these claims beside, or instead of, the usual ones."""
    to = client.get(DOOR, {"next": page} if page else {}).url
    sent = {name: values[0] for name, values in parse_qs(urlsplit(to).query).items()}
    now = int(time.time())
    usual = {"iss": provider.url, "aud": "appraise", "sub": "u-17", "nonce": sent["nonce"], "iat": now, "exp": now + 60}
    given = {name: value for name, value in (usual | claims).items() if value is not LACKING}
    provider.make_token = lambda: (signed or sign)(given)
    provider.sent = sent
    return client.get(DOOR, {"code": "c0de", "state": sent["state"]}, follow=True)


def sign(claims):
    return jwt.encode({"alg": "ES256", "kid": "one"}, claims, KEY)


def sign_by_public_key(claims):
    public = OctKey.import_key(KEY.as_pem(private=False).decode())
    return jwt.encode({"alg": "HS256", "kid": "one"}, claims, public, algorithms=["HS256"])


def sign_by_another_key(claims):
    return jwt.encode({"alg": "ES256", "kid": "one"}, claims, ECKey.generate_key("P-256"))


def leave_unsigned(claims):
    head, body = (
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in ({"alg": "none"}, claims)
    )
    return f"{head}.{body}."


def test_the_page_to_sign_in_offers_it_where_there_is_a_provider(client, provider, settings):
    assert f'href="{DOOR}?next=/style/"' in client.get("/sign-in/?next=/style/").content.decode()
    settings.OIDC_ISSUER = ""
    assert DOOR not in client.get("/sign-in/").content.decode()
    assert client.get(DOOR).status_code == 404


def test_whom_the_provider_names_comes_in_and_goes_where_they_wanted(client, provider):
    answer = come(client, provider, name="Maria Król", page="/style/")
    assert answer.redirect_chain[-1][0] == "/style/"
    user = User.objects.get()
    assert (user.username, user.first_name, user.is_staff, user.is_superuser) == ("u-17", "Maria Król", True, False)
    assert not user.has_usable_password()
    assert provider.sent["redirect_uri"].endswith(DOOR)
    proof = hashlib.sha256(provider.asked["code_verifier"].encode()).digest()
    assert base64.urlsafe_b64encode(proof).rstrip(b"=").decode() == provider.sent["code_challenge"]
    assert provider.asked["authorization"].startswith("Basic "), "the secret is in no address"
    assert come(client, provider, page="https://elsewhere.example.org/").redirect_chain[-1][0] == "/"
    come(client, provider, name=["Maria"], groups=[17, None])
    assert User.objects.get().first_name == "Maria Król"


@pytest.mark.parametrize(
    "more",
    [
        {"nonce": "another"}, {"nonce": LACKING}, {"aud": "another"}, {"aud": "another", "azp": "appraise"},
        {"iss": "https://id.example.org"}, {"exp": 1}, {"sub": LACKING}, {"signed": sign_by_public_key},
        {"signed": sign_by_another_key}, {"signed": leave_unsigned}, {"signed": lambda claims: "no token"},
    ],
)  # fmt: skip
def test_a_token_that_is_not_for_us_lets_nobody_in(client, provider, more):
    assert NOT_CONFIRMED in come(client, provider, **more).content.decode()
    assert not User.objects.exists()
    assert "_auth_user_id" not in client.session


def test_a_code_that_somebody_else_asked_for_lets_nobody_in(client, provider):
    client.get(DOOR)
    assert NOT_CONFIRMED in client.get(DOOR, {"code": "c0de", "state": "theirs"}, follow=True).content.decode()
    assert NOT_CONFIRMED in client.get(DOOR, {"error": "access_denied"}, follow=True).content.decode()


def test_a_provider_that_is_away_is_said(client, provider, settings):
    settings.OIDC_ISSUER = "http://127.0.0.1:9"
    assert NOT_CONFIRMED in client.get(DOOR, follow=True).content.decode()


def test_an_account_of_the_site_is_not_opened(client, provider):
    User.objects.create_superuser("u-17", password="a good one, this")
    assert "u-17 is an account of this site" in come(client, provider).content.decode()


def test_a_name_that_is_missing_unconfirmed_or_too_long_is_refused(client, provider, settings):
    settings.OIDC_NAME_CLAIM = "email"
    assert "Confirm your e-mail" in come(client, provider, email="m@example.org").content.decode()
    come(client, provider, email="m@example.org", email_verified=True)
    assert User.objects.get().username == "m@example.org"
    settings.OIDC_NAME_CLAIM = "preferred_username"
    for name in (LACKING, None, 17, "", "x" * 151, "a\0b"):
        assert "no name of at most 150" in come(client, provider, preferred_username=name).content.decode()


def test_groups_of_the_token_or_of_the_provider_say_who_may_make_campaigns(client, provider, settings):
    settings.ORGANISER_GROUPS = ["linguistics"]
    for groups, may in (["students"], False), (["linguistics"], True), ("students, linguistics", True), ([], False):
        come(client, provider, groups=groups)
        assert User.objects.get().is_staff is may
    for sub, may in ("u-17", True), ("u-18", False):
        provider.more = {"sub": sub, "groups": ["linguistics"]}
        come(client, provider)
        assert User.objects.get().is_staff is may
