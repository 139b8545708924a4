"""Signing in by the institution: its proxy names the user in a header, or its provider does (see `openid`)."""

from collections.abc import Iterable
from ipaddress import ip_address

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext

from judgments.rules.errors import Refused

# As many as Django's names of users have.
MOST_CHARACTERS = 150


def name_in(request: HttpRequest) -> str:
    """The name that a trusted proxy gives a visitor; empty if there is none, or if somebody else sends it."""
    return _header(request, settings.REMOTE_USER_HEADER)


def account_of(request: HttpRequest) -> User:
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
