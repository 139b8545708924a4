"""Signing in by password, on the site's page and on that of operators."""

from typing import Any

from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError

from judgments import entering
from judgments.faults import Refused


class SignInForm(AuthenticationForm):
    """Name and password; whoever guesses has to wait."""

    def clean(self) -> dict[str, Any]:
        """The user behind both, unless too much was tried."""
        name, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if name is None or not password or self.request is None:
            return super().clean()
        address = entering.address_of(self.request)
        try:
            entering.knock(name, address)
        except Refused as reason:
            raise ValidationError(str(reason), code="too_often") from reason
        cleaned = super().clean()
        entering.let_in(name, address)
        return cleaned


class OperatorSignInForm(SignInForm, AdminAuthenticationForm):
    """The same, for operators alone."""
