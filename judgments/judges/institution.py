"""Signing in by the institution: its proxy names the user in a header, or its provider says in a signed token who
somebody is, by OpenID Connect.
"""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext

from judgments.rules.errors import Refused

# As many as Django's names of users have.
MOST_CHARACTERS = 150


def name_in(request: HttpRequest) -> str:
    """The name that a trusted proxy gives a visitor; empty if there is none, or if somebody else sends it."""
    return _header(request, settings.REMOTE_USER_HEADER)


def account_by_proxy(request: HttpRequest) -> User:
    """The account of whom the proxy names."""
    return account_named(name_in(request), _header(request, settings.REMOTE_GROUPS_HEADER).split(","))


@transaction.atomic
def account_named(name: str, groups: Iterable[str], shown: str = "") -> User:
    """The account of the name; made when first seen, and an organiser's if the groups say so."""
    if not (0 < len(name) <= MOST_CHARACTERS and name.isprintable()):
        message = gettext(
            "Your institution sent no name of at most %(number)s characters; ask the operator of this site."
        )
        raise Refused(message % {"number": MOST_CHARACTERS})
    user, is_new = User.objects.get_or_create(username=name)
    if is_new:
        user.set_unusable_password()
    elif user.is_superuser or user.has_usable_password() or not user.is_active:
        message = gettext("%(name)s is an account of this site, not of your institution. Sign in with its password.")
        raise Refused(message % {"name": name})
    user.is_staff = not settings.ORGANISER_GROUPS or not {*map(str.strip, groups)}.isdisjoint(settings.ORGANISER_GROUPS)
    if shown.isprintable():
        user.first_name = shown[:MOST_CHARACTERS] or user.first_name
    user.save()
    return user


def _header(request: HttpRequest, name: str) -> str:
    try:
        peer = ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return ""
    if not any(peer in network for network in settings.REMOTE_USER_PROXIES):
        return ""
    # Headers as WSGI names them; what a client sends with underscores does not reach us, see gunicorn's header_map.
    return request.META.get(f"HTTP_{name.upper().replace('-', '_')}", "").strip() if name else ""


SECONDS_TO_ANSWER = 10
SIGNATURES = "id_token_signing_alg_values_supported"
_LOG = logging.getLogger("judgments.judges.institution")


def lead_to_provider(request: HttpRequest) -> HttpResponse:
    """Send a visitor to the provider, which sends them back to the same page with a code."""
    with _failures_as_refusals():
        return _provider(settings.OIDC_ISSUER).authorize_redirect(request, settings.SITE_URL + reverse("openid"))


def account_by_provider(request: HttpRequest) -> User:
    """Exchange the code for a token, and return the account of whom it names."""
    issuer, client = settings.OIDC_ISSUER, settings.OIDC_CLIENT_ID
    # Said here, because what the provider's description leaves out would not be checked.
    expected = {
        "iss": {"essential": True, "values": [issuer, f"{issuer}/"]},
        "aud": {"essential": True, "values": [client]},
    }
    with _failures_as_refusals():
        provider = _provider(issuer)
        # Believed is what the provider's private key alone signs, even if it says that it leaves tokens unsigned.
        description = provider.load_server_metadata()
        signed = [name for name in description.get(SIGNATURES, []) if name.startswith(("RS", "PS", "ES", "Ed"))]
        description[SIGNATURES] = signed or ["RS256"]
        token = provider.authorize_access_token(request, claims_options=expected)
        claims = dict(token["userinfo"])
        if settings.OIDC_GROUPS_CLAIM not in claims and "userinfo_endpoint" in provider.server_metadata:
            more = provider.userinfo(token=token)
            claims = {**more, **claims} if more.get("sub") == claims["sub"] else claims
    if settings.OIDC_NAME_CLAIM == "email" and claims.get("email_verified") is not True:
        raise Refused(gettext("Confirm your e-mail address with your institution first."))
    # What is no text names nobody: all whose claim is null would share an account.
    name, shown = (
        value if isinstance(value, str) else "" for value in map(claims.get, (settings.OIDC_NAME_CLAIM, "name"))
    )
    groups = claims.get(settings.OIDC_GROUPS_CLAIM) or []
    return account_named(name, map(str, groups) if isinstance(groups, list) else str(groups).split(","), shown)


@lru_cache(maxsize=1)
def _provider(issuer: str) -> Any:
    """The provider, which describes itself when it is first asked, and whose keys are asked for when they change."""
    from authlib.integrations.django_client import OAuth

    return OAuth().register(
        "institution",
        client_id=settings.OIDC_CLIENT_ID,
        client_secret=settings.OIDC_CLIENT_SECRET,
        server_metadata_url=f"{issuer}/.well-known/openid-configuration",
        client_kwargs={
            "scope": settings.OIDC_SCOPE,
            "code_challenge_method": "S256",
            "default_timeout": SECONDS_TO_ANSWER,
        },
    )


@contextmanager
def _failures_as_refusals() -> Iterator[None]:
    from authlib.common.errors import AuthlibBaseError
    from joserfc.errors import JoseError
    from requests import RequestException

    try:
        yield
    # The last four by answers that make no sense.
    except (AuthlibBaseError, JoseError, RequestException, LookupError, RuntimeError, TypeError, ValueError) as error:
        _LOG.warning("Signing in by %s failed: %s: %s", settings.OIDC_ISSUER, type(error).__name__, error)
        message = gettext("Your institution did not confirm who you are. Try again, or ask the operator of this site.")
        raise Refused(message) from error
