"""Files that an organiser uploads: checked and shown first, stored as material when the organiser agrees."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import Case, Q, When
from django.urls import reverse

from judgments.models.campaign import Campaign
from judgments.models.jobs import CampaignJob, Job, JobQuerySet


class UploadQuerySet(JobQuerySet):
    """Questions about uploads."""

    def not_stored(self, campaign: Campaign) -> Self:
        """Those of a campaign that are not stored, without the columns that only their own page shows."""
        stored = Q(stage=Upload.Stage.STORE, state=Job.State.DONE)
        rows = self.filter(campaign=campaign).exclude(stored).select_related("requested_by")
        return rows.defer("preview", "problems", "notes", "names")

    @classmethod
    def requested_at(cls) -> models.expressions.Combinable:
        """An upload is requested more than once: to be checked, and later to be stored."""
        return Case(When(asked__gt=1, then="queued_at"), default="created_at")


class Upload(CampaignJob):
    """Files with the roles that the organiser gave them, what was found in them, and the progress of storing them."""

    kind = "upload"

    class Stage(models.TextChoices):
        """What the worker does with the files."""

        PREVIEW = "preview", "checked"
        STORE = "store", "stored"

    stage = models.CharField(max_length=10, choices=Stage, default=Stage.PREVIEW)
    asked = models.PositiveIntegerField(default=1, help_text="How often it was requested; each time attempts restart.")
    file_names = models.JSONField(help_text="The names of its files, as uploaded.")
    roles = models.JSONField(help_text="What the organiser says the files are.")
    names = models.JSONField(default=list, help_text="The systems that its texts come from.")
    preview = models.JSONField(null=True, blank=True)
    notes = models.JSONField(default=list)
    problems = models.JSONField(default=list, help_text="File, line and what is wrong.")
    taken = models.JSONField(default=dict, help_text="What was stored, in numbers.")

    objects: ClassVar = UploadQuerySet.as_manager()

    class Meta(CampaignJob.Meta):
        constraints = [
            models.CheckConstraint(condition=Q(stage__in=["preview", "store"]), name="upload_stage_known"),
        ]

    def get_absolute_url(self) -> str:
        return reverse("upload", args=[self.campaign.slug, self.pk])

    def rows(self) -> JobQuerySet:
        """An attempt from before the last request would otherwise share its number with a later one."""
        return super().rows().filter(asked=self.asked)

    def missing_files(self) -> str:
        is_kept = UploadFiles.objects.filter(upload=self.pk).exists()
        return "" if is_kept else "The files were not kept. Ask the person who uploaded them to upload them again."

    @property
    def is_stored(self) -> bool:
        """Whether its files became material."""
        return self.stage == self.Stage.STORE and self.state == self.State.DONE

    @property
    def can_be_stored(self) -> bool:
        """Whether it was checked, is good, and is neither stored nor about to be."""
        is_checked = self.stage == self.Stage.STORE or self.state == self.State.DONE
        return self.preview is not None and is_checked and self.is_over and not self.is_stored


class UploadFiles(models.Model):
    """The files of an upload in one ZIP, for as long as they are needed."""

    upload = models.OneToOneField(Upload, models.CASCADE, primary_key=True, related_name="files")
    content = models.BinaryField()

    def __str__(self) -> str:
        return f"files of {self.upload}"
