"""How whoever started the platform comes in: by a link that the terminal shows."""

from itertools import chain, count
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.contrib.auth.forms import SetPasswordMixin
from django.contrib.auth.models import User
from django.core import signing
from django.urls import reverse

SALT = "first account"
OWNER = "owner"
# The next start shows another link.
VALID_FOR = 24 * 60 * 60  # seconds


class FirstAccountForm(SetPasswordMixin, forms.Form):
    """A name and a password, twice."""

    username = forms.CharField(max_length=150, validators=[User.username_validator])
    password1, password2 = SetPasswordMixin.create_password_fields()

    def clean(self) -> dict[str, Any] | None:
        """Refuse passwords that differ, or that anybody would guess."""
        self.validate_passwords()
        self.validate_password_for_user(User(username=self.cleaned_data.get("username", "")))
        return super().clean()


def owner_link(page: str = "") -> str | None:
    """The address by which whoever started the platform comes in, and gets to a page.

    Where only this machine reaches it, that is enough to sign in. Elsewhere it leads to the page that makes the first
    account, if there is none.
    """
    if settings.IS_LOCAL:
        return settings.SITE_URL + reverse("owner", args=[_token()]) + (f"?{urlencode({'next': page})}" if page else "")
    return None if User.objects.exists() else settings.SITE_URL + reverse("first_account", args=[_token()])


def _token() -> str:
    return signing.dumps("", salt=SALT)


def is_valid(token: str) -> bool:
    """Whether this is a link that was shown not long ago."""
    try:
        signing.loads(token, salt=SALT, max_age=VALID_FOR)
    except signing.BadSignature:
        return False
    return True


def makes_first(token: str) -> bool:
    return is_valid(token) and not User.objects.exists()


def owner() -> User:
    """Who runs campaigns and the site on their own machine; made without a password when first asked for."""
    if found := User.objects.filter(is_superuser=True, is_active=True).order_by("pk").first():
        return found
    names = chain([OWNER], (f"{OWNER}-{number}" for number in count(2)))
    return User.objects.create_superuser(next(name for name in names if not User.objects.filter(username=name)))


def make_first(form: FirstAccountForm) -> User:
    """Make the account of somebody who runs campaigns and the site."""
    return User.objects.create_superuser(form.cleaned_data["username"], password=form.cleaned_data["password1"])
