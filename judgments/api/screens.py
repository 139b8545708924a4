"""Screens that are assigned, and jobs that assign them."""

from typing import Any

from django.db.models import Prefetch, QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from judgments.api.base.views import ListInOrder
from judgments.api.jobs import JobSerializer
from judgments.api.material import LineField
from judgments.models import AssignmentJob, RecordedOutput, Screen, Slot, SystemOutput


class AssignedSerializer(serializers.Serializer):
    """Numbers of what was assigned."""

    screens = serializers.IntegerField()
    automatic = serializers.IntegerField(help_text="Sentences on which all outputs are equal.")
    batches = serializers.IntegerField()
    assignments = serializers.IntegerField()
    later = serializers.IntegerField(default=0, help_text="Screens that are drawn as judging goes on.")


class AssignmentJobSerializer(JobSerializer):
    """A job that assigns very many screens."""

    assigned = serializers.SerializerMethodField()

    class Meta:
        model = AssignmentJob
        fields = (*JobSerializer.FIELDS, "assigned")

    @extend_schema_field(AssignedSerializer(allow_null=True))
    def get_assigned(self, job: AssignmentJob) -> dict[str, Any] | None:
        """Available when the job is done."""
        return job.outcome or None


class SlotSerializer(serializers.ModelSerializer):
    """A candidate on a screen, and the systems behind it."""

    text = serializers.CharField(source="candidate.text", allow_null=True)
    systems = serializers.SerializerMethodField()

    class Meta:
        model = Slot
        fields = ("candidate", "text", "systems")

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_systems(self, slot: Slot) -> list[str]:
        candidate = slot.candidate
        own = [output.system.name for output in candidate.systemoutput_set.all()]
        return sorted(own + [output.system.name for output in candidate.recordedoutput_set.all()])


class ScreenSerializer(serializers.ModelSerializer):
    """A screen; each judge sees its candidates in a different order."""

    line = LineField(source="segment.position", read_only=True)
    batch = serializers.IntegerField(source="batch.number", default=None, allow_null=True)
    usage = serializers.CharField(source="usage.name", default=None, allow_null=True)
    candidates = SlotSerializer(source="slot_set", many=True)

    class Meta:
        model = Screen
        fields = ("id", "line", "batch", "automatic", "has_control", "usage", "weight", "candidates")


class ScreenList(ListInOrder):
    """The screens assigned."""

    serializer_class = ScreenSerializer

    def get_queryset(self) -> QuerySet[Screen]:
        outputs = Prefetch("candidate__systemoutput_set", SystemOutput.objects.select_related("system"))
        recorded = Prefetch("candidate__recordedoutput_set", RecordedOutput.objects.select_related("system"))
        slots = Prefetch("slot_set", Slot.objects.select_related("candidate").prefetch_related(outputs, recorded))
        screens = Screen.objects.filter(campaign=self.campaign).prefetch_related(slots)
        return screens.select_related("segment", "batch", "usage")
