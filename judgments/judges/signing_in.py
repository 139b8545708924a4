"""The sign-in throttle: failed attempts are limited, across processes and restarts.

Attempts are counted before the password is checked, so that simultaneous ones all count. Attempts count even if no user
has the name, so that nobody can find out which names exist.
"""

import logging
import math
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from django.conf import settings
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import ngettext

from judgments.models import SignInAttempts
from judgments.rules.errors import Refused

WITHIN = timedelta(minutes=15)
MOST_BY_NAME_FROM_ADDRESS = 5
# High enough for a classroom of people who mistype. The first limits guesses over many names, the second guesses from
# many machines.
MOST_FROM_ADDRESS = 100
MOST_BY_NAME = 100
# A user who recently signed in from an address is locked out only by failures there, never by guesses from elsewhere.
KNOWN_FOR = timedelta(days=30)
KEPT_FOR = timedelta(days=1)
_LOG = logging.getLogger("judgments.judges.signing_in")


def address_of(request: HttpRequest) -> str:
    """The client's address: behind a proxy, the last in X-Forwarded-For, which clients cannot forge.

    An IPv6 address is cut to its /64 network, which a household usually gets.
    """
    address_text = request.META.get("REMOTE_ADDR", "")
    if settings.BEHIND_PROXY:
        address_text = request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip() or address_text
    try:
        address = ip_address(address_text)
    except ValueError:
        return ""
    if isinstance(address, IPv6Address) and not address.ipv4_mapped:
        return str(ip_network((address, 64), strict=False))
    return str(getattr(address, "ipv4_mapped", None) or address)


def count_attempt(name: str, address: str) -> None:
    """Count an attempt to sign in; refuse it if there were too many, and say when to try again."""
    now = timezone.now()
    bounds = [("both", f"{address} {name}", MOST_BY_NAME_FROM_ADDRESS)]
    if not _is_known(name, address, now):
        bounds = [("address", address, MOST_FROM_ADDRESS)] * bool(address) + bounds + [("name", name, MOST_BY_NAME)]
    for kind, whose, most in bounds:
        tries = _count(_key(kind, whose), now)
        if tries.count > most:
            _LOG.warning("Too many attempts to sign in; further ones are refused for a while.")
            minutes = max(1, math.ceil((tries.since + WITHIN - now) / timedelta(minutes=1)))
            message = ngettext(
                "Too many attempts. Try again in %(minutes)s minute, or ask the operator of this site for help.",
                "Too many attempts. Try again in %(minutes)s minutes, or ask the operator of this site for help.",
                minutes,
            )
            raise Refused(message % {"minutes": minutes})


def reset_throttle(name: str, address: str) -> None:
    """Reset the counts after a successful sign-in."""
    now = timezone.now()
    if not _is_known(name, address, now):  # otherwise this attempt was not counted there
        both = [_key("name", name), _key("address", address)]
        SignInAttempts.objects.filter(key__in=both, count__gt=0).update(count=F("count") - 1)
    SignInAttempts.objects.filter(key=_key("both", f"{address} {name}")).update(count=0, let_in_at=now)


def count_locked_out(now: datetime) -> int:
    """The number of names and addresses with so many recent failures that a person may be locked out."""
    return SignInAttempts.objects.filter(count__gt=MOST_BY_NAME_FROM_ADDRESS, since__gt=now - WITHIN).count()


def unlock_sign_in() -> int:
    """Reset all counts; return how many names and addresses had failed."""
    return SignInAttempts.objects.filter(count__gt=0).update(count=0)


def expired_attempts(moment: datetime) -> QuerySet[SignInAttempts]:
    """Attempts before this moment, `KEPT_FOR` ago, except those of known users."""
    unknown = Q(let_in_at=None) | Q(let_in_at__lt=moment + KEPT_FOR - KNOWN_FOR)
    return SignInAttempts.objects.filter(unknown, since__lt=moment)


def _is_known(name: str, address: str, now: datetime) -> bool:
    here = SignInAttempts.objects.filter(key=_key("both", f"{address} {name}"), let_in_at__gt=now - KNOWN_FOR)
    return bool(address) and here.exists()


@transaction.atomic
def _count(key: str, now: datetime) -> SignInAttempts:
    """Count one attempt; the count restarts when its period is over."""
    tries, _ = SignInAttempts.objects.select_for_update().get_or_create(key=key, defaults={"since": now})
    if not tries.count or tries.since <= now - WITHIN:
        tries.count, tries.since = 0, now
    tries.count += 1
    tries.save(update_fields=["count", "since"])
    return tries


def _key(kind: str, whose: str) -> str:
    return salted_hmac("judgments.judges.signing_in", f"{kind} {whose}", algorithm="sha256").hexdigest()


class SignInForm(AuthenticationForm):
    def clean(self) -> dict[str, Any]:
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if name is None or not password or self.request is None:
            return super().clean()
        address = address_of(self.request)
        try:
            count_attempt(name, address)
        except Refused as reason:
            raise ValidationError(str(reason), code="too_often") from reason
        cleaned = super().clean()
        reset_throttle(name, address)
        return cleaned


class OperatorSignInForm(SignInForm, AdminAuthenticationForm):
    pass
