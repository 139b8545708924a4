"""Tries to sign in that failed, counted so that guessing takes for ever."""

from django.db import models


class SignInAttempts(models.Model):
    """How many came to nothing lately: at one name, from one address, or at the one from the other."""

    key = models.CharField(max_length=64, primary_key=True, help_text="A keyed digest; whose it is cannot be read.")
    count = models.PositiveIntegerField(default=0)
    since = models.DateTimeField(db_index=True)
    let_in_at = models.DateTimeField(null=True, blank=True, help_text="When somebody came in by this name from here.")

    def __str__(self) -> str:
        return f"{self.count} tries since {self.since}"
