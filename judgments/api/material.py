"""Material: sentences, usages, systems and their outputs, and what teams handed in."""

from django.db.models import Prefetch, QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.views import ListInOrder, View
from judgments.campaigns import access, overview
from judgments.models import Classification, Segment, Submission, System, SystemOutput, Usage


class LineField(serializers.IntegerField):
    """A line of the uploaded files, counted from 1."""

    def to_representation(self, value: int) -> int:
        return value + 1


class SegmentSerializer(serializers.ModelSerializer):
    """A sentence; its text is null if judgments were imported without texts."""

    line = LineField(source="position", read_only=True)
    document = serializers.CharField(source="document.name")
    domain = serializers.CharField(source="document.domain")

    class Meta:
        model = Segment
        fields = ("line", "document", "domain", "text")


class UsageSerializer(serializers.ModelSerializer):
    """A usage, by characters of its sentence; `gold` says whether it is an error, if known."""

    line = LineField(source="segment.position", read_only=True)
    document = serializers.CharField(source="segment.document.name")
    sentence = serializers.CharField(source="segment.text")
    classifications = serializers.SerializerMethodField()

    class Meta:
        model = Usage
        fields = ("id", "name", "line", "document", "sentence", "start", "end", "gold", "classifications")

    @extend_schema_field(serializers.DictField(child=serializers.FloatField()))
    def get_classifications(self, usage: Usage) -> dict[str, float]:
        """Each system's probability that the usage is an error."""
        return {one.system.name: one.probability for one in usage.classification_set.all()}


class SystemSerializer(serializers.ModelSerializer):
    """A system, and the number of its outputs."""

    outputs = serializers.IntegerField(read_only=True)

    class Meta:
        model = System
        fields = ("id", "name", "kind", "takes_part", "outputs")


class OutputSerializer(serializers.ModelSerializer):
    """A system's text for a sentence, exactly as uploaded; judges cannot tell outputs with one candidate apart."""

    line = LineField(source="segment.position", read_only=True)
    text = serializers.CharField(allow_null=True, read_only=True)

    class Meta:
        model = SystemOutput
        fields = ("line", "text", "candidate")


class SubmissionSerializer(serializers.ModelSerializer):
    """The newest file that a team handed in for a system, and the name under which it was accepted, if it was."""

    team = serializers.CharField(source="team.name")

    class Meta:
        model = Submission
        fields = (
            "id", "team", "system", "version", "received_at", "size", "sha256", "changed", "code", "accepted_as",
            "accepted_version",
        )  # fmt: skip


class SegmentList(ListInOrder):
    """The sentences in order."""

    serializer_class = SegmentSerializer

    def get_queryset(self) -> QuerySet[Segment]:
        return Segment.objects.filter(campaign=self.campaign).select_related("document")


class UsageList(ListInOrder):
    """The usages to judge."""

    serializer_class = UsageSerializer

    def get_queryset(self) -> QuerySet[Usage]:
        classified = Prefetch("classification_set", Classification.objects.select_related("system"))
        usages = Usage.objects.filter(campaign=self.campaign).select_related("segment__document")
        return usages.prefetch_related(classified)


class SystemList(View):
    @extend_schema(responses=SystemSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the systems by kind and name."""
        return Response(SystemSerializer(overview.systems(self.campaign), many=True).data)


class SystemDetail(View):
    @extend_schema(responses=SystemSerializer)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the system."""
        access.get_system_or_404(request.user, slug, pk)
        return Response(SystemSerializer(overview.systems(self.campaign).get(pk=pk)).data)


class OutputList(ListInOrder):
    """The outputs of one system."""

    serializer_class = OutputSerializer

    def get_queryset(self) -> QuerySet[SystemOutput]:
        system = access.get_system_or_404(self.request.user, self.kwargs["slug"], self.kwargs["pk"])
        return SystemOutput.objects.filter(system=system).select_related("segment", "candidate")


class SubmissionList(ListInOrder):
    """What the teams of a shared task handed in."""

    serializer_class = SubmissionSerializer

    def get_queryset(self) -> QuerySet[Submission]:
        return Submission.objects.filter(team__campaign=self.campaign).select_related("team").defer("content")
