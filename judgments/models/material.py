"""Material: segments, systems and their outputs; usages and classifications."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Q

from judgments.models.campaign import Campaign, between
from judgments.models.constraints import check, unique
from judgments.rules.files.names import LONGEST_ID, fault_of_name
from judgments.rules.texts.m2 import fault_of_stored


def check_system_name(name: str) -> None:
    if fault := fault_of_name(name):
        raise ValidationError(fault)


def check_edits(edits: Any) -> None:
    if fault := fault_of_stored(edits):
        raise ValidationError(fault)


class Document(models.Model):
    """A text whose sentences belong together; context never crosses its boundaries."""

    campaign = models.ForeignKey(Campaign, models.CASCADE)
    name = models.CharField(max_length=200, blank=True)
    domain = models.CharField(max_length=100, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [unique("one_document_per_name", "campaign", "name")]

    def __str__(self) -> str:
        return self.name


class SegmentQuerySet(models.QuerySet["Segment"]):
    def around(self, segment: "Segment", each_side: int = 1) -> "SegmentQuerySet":
        """The neighbours of a segment within its document."""
        near = Q(position__gte=segment.position - each_side, position__lte=segment.position + each_side)
        return self.filter(near, document_id=segment.document_id).exclude(pk=segment.pk)


class Segment(models.Model):
    """One source sentence: its document, its line in the uploaded files (from 0), its text as uploaded.

    The text is null if judgments were imported without texts.
    """

    campaign = models.ForeignKey(Campaign, models.CASCADE, db_index=False)
    document = models.ForeignKey(Document, models.CASCADE)
    position = models.PositiveIntegerField()
    text = models.TextField(null=True)  # noqa: DJ001 (not at hand is not the same as empty)

    objects = SegmentQuerySet.as_manager()

    class Meta:
        ordering = ["campaign", "position"]
        constraints = [unique("one_segment_per_position", "campaign", "position")]

    def __str__(self) -> str:
        return f"{self.position + 1}: {self.text}"


class SystemQuerySet(models.QuerySet["System"]):
    def judged(self) -> "SystemQuerySet":
        return self.filter(takes_part=True)


class System(models.Model):
    """A named participant: a system, the unchanged source, a reference or a control."""

    class Kind(models.TextChoices):
        SYSTEM = "system", "system"
        SOURCE = "source", "source"
        REFERENCE = "reference", "reference"
        CONTROL = "control", "control"

    campaign = models.ForeignKey(Campaign, models.CASCADE, db_index=False)
    name = models.CharField(max_length=80, validators=[check_system_name])
    kind = models.CharField(max_length=20, choices=Kind, default=Kind.SYSTEM)
    takes_part = models.BooleanField(default=True, help_text="Judges compare its outputs, and rankings include it.")
    taken_from = models.CharField(
        max_length=50, blank=True, help_text="The short name of the campaign whose corrections these are."
    )

    objects = SystemQuerySet.as_manager()

    class Meta:
        ordering = ["campaign", "name"]
        constraints = [
            unique("one_system_per_name", "campaign", "name"),
            unique("one_source_per_campaign", "campaign", where=Q(kind="source")),
            check("system_kind_known", Q(kind__in=["system", "source", "reference", "control"])),
            check("control_never_takes_part", ~Q(kind="control") | Q(takes_part=False)),
        ]

    def __str__(self) -> str:
        return self.name


class Candidate(models.Model):
    """One distinct text for a segment, as it is shown; identical outputs point at the same candidate.

    The text is null if judgments were imported without texts, or if a file shows systems under one output whose texts
    differ; its systems alone then identify the candidate.
    """

    segment = models.ForeignKey(Segment, models.CASCADE, db_index=False)
    text = models.TextField(null=True)  # noqa: DJ001 (not at hand is not the same as empty)
    fingerprint = models.CharField(max_length=32)

    class Meta:
        constraints = [unique("one_candidate_per_distinct_text", "segment", "fingerprint")]

    def __str__(self) -> str:
        return self.text or ""


class SystemOutput(models.Model):
    """A system's text for a segment, also stored verbatim if it differs from the candidate's text."""

    system = models.ForeignKey(System, models.CASCADE, db_index=False)
    segment = models.ForeignKey(Segment, models.CASCADE)
    candidate = models.ForeignKey(Candidate, models.CASCADE)
    verbatim = models.TextField(null=True)  # noqa: DJ001 (null if equal to the candidate)
    edits = models.JSONField(
        null=True, validators=[check_edits], help_text="The edits of an M2 file; null if the output came without."
    )

    class Meta:
        constraints = [unique("one_output_per_system_and_segment", "system", "segment")]

    def __str__(self) -> str:
        return f"{self.system}: {self.text}"

    @property
    def text(self) -> str | None:
        """The output exactly as uploaded."""
        return self.candidate.text if self.verbatim is None else self.verbatim


class RecordedOutput(models.Model):
    """A system behind a candidate that only imported judgments show, because the system's own output is another one.

    Files collapse outputs in their own ways: A and B may stand under one output in one ranking of a segment and apart
    in the next. The first candidate is that of their outputs, the others have these rows.
    """

    candidate = models.ForeignKey(Candidate, models.CASCADE, db_index=False)
    system = models.ForeignKey(System, models.CASCADE)

    class Meta:
        constraints = [unique("one_recorded_output_per_candidate_and_system", "candidate", "system")]

    def __str__(self) -> str:
        return f"{self.system} behind {self.candidate_id}"


class Usage(models.Model):
    """Characters start to end of a segment, and whether they are an error, if known."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, db_index=False)
    name = models.CharField(max_length=LONGEST_ID, help_text="Its id in the organiser's files.")
    segment = models.ForeignKey(Segment, models.CASCADE)
    start = models.PositiveIntegerField(help_text="The first character of the usage.")
    end = models.PositiveIntegerField(help_text="The first character after the usage.")
    gold = models.BooleanField(null=True, help_text="Whether it is an error; null if unknown.")

    class Meta:
        ordering = ["campaign", "pk"]
        constraints = [
            unique("one_usage_per_name", "campaign", "name"),
            check("usage_span_in_order", Q(start__lt=F("end"))),
        ]

    def __str__(self) -> str:
        return self.name


class Classification(models.Model):
    """A system's probability that a usage is an error; 1 or 0 if the system gives classes only."""

    system = models.ForeignKey(System, models.CASCADE, db_index=False)
    usage = models.ForeignKey(Usage, models.CASCADE)
    probability = models.FloatField(validators=between(0, 1))

    class Meta:
        constraints = [
            unique("one_classification_per_system_and_usage", "system", "usage"),
            check("classification_in_range", Q(probability__gte=0, probability__lte=1)),
        ]

    def __str__(self) -> str:
        return f"{self.system}: {self.probability:g}"
