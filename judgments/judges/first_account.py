"""The first account of an installation, which whoever started it makes by a link that the terminal shows."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import SetPasswordMixin
from django.contrib.auth.models import User
from django.core import signing
from django.urls import reverse

SALT = "first account"
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


def first_link() -> str | None:
    """The address of the page that makes the first account, if there is none."""
    if User.objects.exists():
        return None
    return settings.SITE_URL + reverse("first_account", args=[signing.dumps("", salt=SALT)])


def is_valid(token: str) -> bool:
    """Whether a link may still make the first account."""
    try:
        signing.loads(token, salt=SALT, max_age=VALID_FOR)
    except signing.BadSignature:
        return False
    return not User.objects.exists()


def make_first(form: FirstAccountForm) -> User:
    """Make the account of somebody who runs campaigns and the site."""
    return User.objects.create_superuser(form.cleaned_data["username"], password=form.cleaned_data["password1"])
