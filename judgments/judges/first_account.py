"""The first account of an installation, which whoever started it makes by a link that the terminal shows."""

from django import forms
from django.conf import settings
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.core import signing
from django.urls import reverse

SALT = "first account"
# The next start shows another link.
VALID_FOR = 24 * 60 * 60  # seconds


class FirstAccountForm(UserCreationForm):
    """A name and a password, twice."""

    class Meta:
        model = User
        fields = ("username",)
        field_classes = {"username": forms.CharField}


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
    user: User = form.save(commit=False)
    user.is_staff = user.is_superuser = True
    user.save()
    return user
