"""What was done in a campaign, and by whom."""

from django.db import models

from judgments.models.campaign import Campaign


class Entry(models.Model):
    """One thing that somebody did; it outlives the campaign, whose name it keeps."""

    campaign = models.ForeignKey(Campaign, models.SET_NULL, null=True)
    slug = models.CharField(max_length=50)
    at = models.DateTimeField(auto_now_add=True)
    actor = models.CharField(max_length=150)
    what = models.CharField(max_length=500)

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name_plural = "entries"

    def __str__(self) -> str:
        return f"{self.actor}: {self.what}"
