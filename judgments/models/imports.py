"""Bundles that somebody handed in: checked, and made a campaign of, by a worker."""

from django.conf import settings
from django.db import models

from judgments.models.campaign import Campaign
from judgments.models.work import Work, WorkQuerySet


class Import(Work):
    """A bundle on its way to be a campaign, and which one it became."""

    imported_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE)
    file_name = models.CharField(max_length=255)
    slug = models.CharField(max_length=50, blank=True, help_text="Another short name; empty: that of the bundle.")
    campaign = models.ForeignKey(Campaign, models.SET_NULL, null=True, blank=True)
    problems = models.JSONField(default=list, help_text="File, line and what is wrong.")

    objects = WorkQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["state", "heartbeat"], name="import_state")]

    def __str__(self) -> str:
        return f"import {self.pk} of {self.file_name}"


class ImportFile(models.Model):
    """The bundle itself, for as long as it is needed."""

    bundle = models.OneToOneField(Import, models.CASCADE, primary_key=True, related_name="file")
    content = models.BinaryField()

    def __str__(self) -> str:
        return f"file of {self.bundle}"
