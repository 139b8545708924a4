"""What a program shows instead of a password."""

from django.contrib.auth.models import User
from django.db import transaction
from rest_framework.authtoken.models import Token

from judgments.faults import Refused


@transaction.atomic
def token_of(username: str, is_new: bool = False) -> str:
    """The user's token, made where there is none; a new one takes the place of the old."""
    user = User.objects.filter(username=username).first()
    if user is None:
        raise Refused(f"There is no user {username!r}; make one with: python manage.py createsuperuser")
    if is_new:
        Token.objects.filter(user=user).delete()
    return Token.objects.get_or_create(user=user)[0].key
