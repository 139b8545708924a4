"""Judgments for organisers: as rows, as files, and corrections as references of another campaign."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field, extend_schema_view
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.field_mapping import ClassLookupDict

from judgments.api.base.views import View
from judgments.api.material import LineField
from judgments.exchange.downloads import ExportOptionsForm, file_of
from judgments.exchange.exporters import EXPORTS
from judgments.models import Judgment
from judgments.models.members import site_address
from judgments.protocols import PROTOCOLS, protocol_of
from judgments.protocols.rows import systems_behind

REVISIONS = OpenApiParameter(
    "revisions", str, enum=["current", "all"], description="Only the newest of each assignment (current), or all."
)
OPTIONS = [OpenApiParameter(name, str, enum=["on"]) for name in ExportOptionsForm.base_fields]


class AnswerSerializer(serializers.Serializer):
    """An answer: about a candidate in the order shown, a usage, or an edit."""

    candidate = serializers.IntegerField(required=False)
    systems = serializers.ListField(child=serializers.CharField(), required=False)

    def get_fields(self) -> dict[str, serializers.Field]:
        """Add the columns of every protocol's answers."""
        kinds = ClassLookupDict(serializers.ModelSerializer.serializer_field_mapping)
        columns = [
            protocol.answer_model._meta.get_field(name)
            for protocol in PROTOCOLS.values()
            for name in protocol.answer_columns
        ]
        return super().get_fields() | {column.name: kinds[column](required=False) for column in columns}


class AnswersSerializer(serializers.ListSerializer):
    """A page of judgments whose answers are fetched together."""

    def to_representation(self, data: Any) -> list[Any]:
        judgments: Sequence[Judgment] = list(data)
        self.child.context["answers"] = _answers(judgments)
        return super().to_representation(judgments)


class JudgmentSerializer(serializers.ModelSerializer):
    """A judgment with its answers, by the judge's pseudonym."""

    judge = serializers.CharField(source="assignment.judge.pseudonym")
    is_program = serializers.BooleanField(source="assignment.judge.is_program", read_only=True)
    is_adjudicator = serializers.BooleanField(source="assignment.judge.is_adjudicator", read_only=True)
    is_excluded = serializers.BooleanField(source="assignment.judge.is_excluded", read_only=True)
    line = LineField(source="screen.segment.position", read_only=True)
    submitted_at = serializers.DateTimeField(source="judged_at", allow_null=True, read_only=True)
    answers = serializers.SerializerMethodField()

    class Meta:
        model = Judgment
        list_serializer_class = AnswersSerializer
        fields = (
            "id", "judge", "is_program", "is_adjudicator", "is_excluded", "assignment", "screen", "line", "revision",
            "current", "after_feedback", "skip_reason", "comment", "flagged", "view", "wall_seconds", "active_seconds",
            "submitted_at", "answers",
        )  # fmt: skip

    @extend_schema_field(AnswerSerializer(many=True))
    def get_answers(self, judgment: Judgment) -> list[dict[str, Any]]:
        """The answers; empty for a skip."""
        return self.context["answers"].get(judgment.pk, [])


@extend_schema_view(get=extend_schema(parameters=[REVISIONS]))
class JudgmentList(View, ListAPIView):
    """All judgments, newest first."""

    serializer_class = JudgmentSerializer

    def get_queryset(self) -> QuerySet[Judgment]:
        judgments = Judgment.objects.filter(assignment__campaign=self.campaign)
        if self.request.query_params.get("revisions") != "all":
            judgments = judgments.current()
        return judgments.select_related("assignment__judge", "assignment__campaign", "screen__segment")


def _answers(judgments: Sequence[Judgment]) -> dict[int, list[dict[str, Any]]]:
    """The answers of each judgment, in at most three queries."""
    if not judgments:
        return {}
    campaign = judgments[0].assignment.campaign
    protocol = protocol_of(campaign)
    names = ("candidate", *protocol.answer_columns) if protocol.answers_on_candidates else protocol.answer_columns
    given = protocol.answer_model._default_manager.filter(judgment__in=judgments).order_by("judgment", "pk")
    answers_of: dict[int, list[dict[str, Any]]] = {}
    for judgment, *values in given.values_list("judgment", *names):
        answers_of.setdefault(judgment, []).append(dict(zip(names, values, strict=True)))
    if protocol.answers_on_candidates:
        answers = [answer for of_judgment in answers_of.values() for answer in of_judgment]
        behind = systems_behind(campaign, candidate__in={answer["candidate"] for answer in answers})
        for answer in answers:
            answer["systems"] = behind.get(answer["candidate"], ())
    return answers_of


class ExportSerializer(serializers.Serializer):
    """An export format; `fault` says why it is not available for the campaign."""

    url = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    fault = serializers.CharField(allow_null=True)


class ExportList(View):
    @extend_schema(responses=ExportSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the formats with their descriptions."""
        return Response(
            {
                "url": site_address("api_export", slug, export.name),
                "name": export.name,
                "about": export.about,
                "fault": export.fault(self.campaign),
            }
            for export in EXPORTS.values()
        )


class ExportFile(View):
    @extend_schema(parameters=OPTIONS, responses={(200, "*/*"): OpenApiTypes.BINARY})
    def get(self, request: Request, slug: str, name: str) -> HttpResponseBase:
        """Stream the file."""
        return file_of(self.campaign, name, ExportOptionsForm(request.query_params).options())
