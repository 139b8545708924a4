"""Failed attempts to sign in, counted so that guessing takes too long."""

from django.db import models


class SignInAttempts(models.Model):
    """The recent failures for one name, from one address, or for a name from an address."""

    key = models.CharField(max_length=64, primary_key=True, help_text="A keyed digest of the name or address.")
    count = models.PositiveIntegerField(default=0)
    since = models.DateTimeField(db_index=True)
    let_in_at = models.DateTimeField(
        null=True, blank=True, help_text="When this name last signed in from this address."
    )

    def __str__(self) -> str:
        return f"{self.count} tries since {self.since}"
