"""Signing in by password: who guesses has to wait, whichever process is asked and however often it is started anew.

Tries count before the password is looked at, so that many at the same moment count each. Names are counted whether
there is such a user or not, and nobody is told which.
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
from django.db.models import F, Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import ngettext

from judgments.models import SignInAttempts
from judgments.rules.errors import Refused

WITHIN = timedelta(minutes=15)
MOST_BY_NAME_FROM_ADDRESS = 5
# So loose that whole rooms of people may slip; the first bounds guesses spread over names, the second over machines.
MOST_FROM_ADDRESS = 100
MOST_BY_NAME = 100
# Whoever came in from an address lately is held up only by slips made there, never by what others guess elsewhere.
KNOWN_FOR = timedelta(days=30)
KEPT_FOR = timedelta(days=1)
_LOG = logging.getLogger("judgments.judges.signing_in")


def address_of(request: HttpRequest) -> str:
    """From where a request comes; a proxy of ours says it last, and what stands before that anybody can write.

    Of an IPv6 address only the half counts that a house is given.
    """
    told = request.META.get("REMOTE_ADDR", "")
    if settings.BEHIND_PROXY:
        told = request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip() or told
    try:
        address = ip_address(told)
    except ValueError:
        return ""
    if isinstance(address, IPv6Address) and not address.ipv4_mapped:
        return str(ip_network((address, 64), strict=False))
    return str(getattr(address, "ipv4_mapped", None) or address)


def count_attempt(name: str, address: str) -> None:
    """Count a try to come in; refuse one too many, with the time after which to try again."""
    now = timezone.now()
    bounds = [("both", f"{address} {name}", MOST_BY_NAME_FROM_ADDRESS)]
    if not _is_known(name, address, now):
        bounds = [("address", address, MOST_FROM_ADDRESS)] * bool(address) + bounds + [("name", name, MOST_BY_NAME)]
    for kind, whose, most in bounds:
        tries = _count(_key(kind, whose), now)
        if tries.count > most:
            _refuse(tries.since + WITHIN - now)


def forgive_attempts(name: str, address: str) -> None:
    """The try was a good one: it does not count, nor do slips before it."""
    now = timezone.now()
    if not _is_known(name, address, now):  # else it was not counted there, and would take somebody's guess away
        both = [_key("name", name), _key("address", address)]
        SignInAttempts.objects.filter(key__in=both, count__gt=0).update(count=F("count") - 1)
    SignInAttempts.objects.filter(key=_key("both", f"{address} {name}")).update(count=0, let_in_at=now)


def held_up(now: datetime) -> int:
    """Names and addresses at which so much failed lately that a person would be held up."""
    return SignInAttempts.objects.filter(count__gt=MOST_BY_NAME_FROM_ADDRESS, since__gt=now - WITHIN).count()


def forgive_all() -> int:
    """Let everybody try again; at how many names and addresses something had failed."""
    return SignInAttempts.objects.filter(count__gt=0).update(count=0)


def forget(now: datetime) -> None:
    """Let go of tries that hold nobody up any more."""
    old = Q(let_in_at=None) | Q(let_in_at__lt=now - KNOWN_FOR)
    SignInAttempts.objects.filter(old, since__lt=now - KEPT_FOR).delete()


def _is_known(name: str, address: str, now: datetime) -> bool:
    here = SignInAttempts.objects.filter(key=_key("both", f"{address} {name}"), let_in_at__gt=now - KNOWN_FOR)
    return bool(address) and here.exists()


@transaction.atomic
def _count(key: str, now: datetime) -> SignInAttempts:
    """One try more; after a while counting begins anew, however often somebody tried meanwhile."""
    tries, _ = SignInAttempts.objects.select_for_update().get_or_create(key=key, defaults={"since": now})
    if not tries.count or tries.since <= now - WITHIN:
        tries.count, tries.since = 0, now
    tries.count += 1
    tries.save(update_fields=["count", "since"])
    return tries


def _refuse(wait: timedelta) -> None:
    _LOG.warning("Somebody who tried to sign in too often has to wait.")
    minutes = max(1, math.ceil(wait / timedelta(minutes=1)))
    told = ngettext(
        "That was tried too often. Try again in %(minutes)s minute, or ask whoever runs this site for help.",
        "That was tried too often. Try again in %(minutes)s minutes, or ask whoever runs this site for help.",
        minutes,
    )
    raise Refused(told % {"minutes": minutes})


def _key(kind: str, whose: str) -> str:
    return salted_hmac("judgments.judges.signing_in", f"{kind} {whose}", algorithm="sha256").hexdigest()


class SignInForm(AuthenticationForm):
    """Name and password; whoever guesses has to wait."""

    def clean(self) -> dict[str, Any]:
        """The user behind both, unless too much was tried."""
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if name is None or not password or self.request is None:
            return super().clean()
        address = address_of(self.request)
        try:
            count_attempt(name, address)
        except Refused as reason:
            raise ValidationError(str(reason), code="too_often") from reason
        cleaned = super().clean()
        forgive_attempts(name, address)
        return cleaned


class OperatorSignInForm(SignInForm, AdminAuthenticationForm):
    """The same, for operators alone."""
