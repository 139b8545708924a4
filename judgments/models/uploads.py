"""Files that an organiser handed in: checked and shown first, stored as material when the organiser says so."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from judgments.models.campaign import Campaign
from judgments.models.jobs import Work, WorkQuerySet


class UploadQuerySet(WorkQuerySet):
    """Questions about uploads."""

    def unfinished(self, campaign: Campaign) -> "UploadQuerySet":
        """Those of a campaign that are not stored, without what only their own page shows."""
        stored = Q(stage=Upload.Stage.STORE, state=Work.State.DONE)
        rows = self.filter(campaign=campaign).exclude(stored).select_related("uploaded_by")
        return rows.defer("preview", "problems", "notes", "names")


class Upload(Work):
    """An upload with what the organiser says of its files, what was found in them, and how far its storing is."""

    class Stage(models.TextChoices):
        """What the work on an upload is about."""

        PREVIEW = "preview", "checked"
        STORE = "store", "stored"

    campaign = models.ForeignKey(Campaign, models.CASCADE)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    stage = models.CharField(max_length=10, choices=Stage, default=Stage.PREVIEW)
    asked = models.PositiveIntegerField(default=1, help_text="How often work on it was asked for; attempts begin anew.")
    file_names = models.JSONField(help_text="The names of its files, as they came.")
    roles = models.JSONField(help_text="What the organiser says of the files.")
    names = models.JSONField(default=list, help_text="The systems that its texts speak for.")
    preview = models.JSONField(null=True, blank=True)
    notes = models.JSONField(default=list)
    problems = models.JSONField(default=list, help_text="File, line and what is wrong.")
    taken = models.JSONField(default=dict, help_text="What was stored, in numbers.")

    objects = UploadQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["state", "heartbeat"], name="upload_state")]
        constraints = [
            models.CheckConstraint(condition=Q(stage__in=["preview", "store"]), name="upload_stage_known"),
        ]

    def __str__(self) -> str:
        return f"upload {self.pk} to {self.campaign}"

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
