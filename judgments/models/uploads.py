"""Files uploaded by an organiser: checked and previewed first, stored as material or judgments on request."""

from typing import Any, ClassVar, Self

from django.db import models
from django.db.models import Q
from django.urls import reverse

from judgments.models.campaign import Campaign
from judgments.models.constraints import check
from judgments.models.jobs import Job, JobQuerySet


class UploadQuerySet(JobQuerySet):
    def not_stored(self, campaign: Campaign) -> Self:
        """The campaign's uploads not yet stored, without the columns that only their own page shows."""
        stored = Q(stage=Upload.Stage.STORE, state=Job.State.DONE)
        rows = self.filter(campaign=campaign).exclude(stored).select_related("requested_by")
        return rows.defer("preview", "problems", "notes", "names")


class Upload(Job):
    """Files with the ways to read them, the findings in them, and the progress of storing them."""

    KIND = "upload"
    handler_path = "judgments.material.uploads.check_or_store"
    on_problems = "Nothing was stored: the files do not fit the campaign as it is now."
    has_files = True

    class Purpose(models.TextChoices):
        MATERIAL = "material"
        JUDGMENTS = "judgments"

    class Stage(models.TextChoices):
        PREVIEW = "preview", "checked"
        STORE = "store", "stored"

    stage = models.CharField(max_length=10, choices=Stage, default=Stage.PREVIEW)
    file_names = models.JSONField(help_text="The names of the files, as uploaded.")
    options = models.JSONField(help_text="How to read them: the roles of the files, or the format of the judgments.")
    names = models.JSONField(default=list, help_text="The systems in the files.")
    preview = models.JSONField(null=True, blank=True)
    notes = models.JSONField(default=list)
    taken = models.JSONField(default=dict, help_text="Numbers of what was stored.")

    objects: ClassVar[Any] = UploadQuerySet.as_manager()

    class Meta:
        constraints = [check("upload_stage_known", Q(stage__in=["preview", "store"]))]

    def get_absolute_url(self) -> str:
        page = "judgments_upload" if self.about == Upload.Purpose.JUDGMENTS else "upload"
        return reverse(page, args=[self.campaign.slug, self.pk])

    @property
    def purpose(self) -> str:
        return self.about

    @property
    def is_stored(self) -> bool:
        return self.stage == self.Stage.STORE and self.state == self.State.DONE

    @property
    def can_be_stored(self) -> bool:
        """Whether the upload is checked, free of problems, and neither stored nor being stored."""
        is_checked = self.stage == self.Stage.STORE or self.state == self.State.DONE
        return bool(self.preview and not self.problems and is_checked and self.is_over and not self.is_stored)
