"""Judgments for programs: who said what of which candidate, for organisers."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field, extend_schema_view
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.utils.field_mapping import ClassLookupDict

from judgments.api.base.views import View
from judgments.api.material import LineField
from judgments.campaigns import access
from judgments.models import Judgment, Membership, SystemOutput
from judgments.protocols import PROTOCOLS, protocol_of

REVISIONS = OpenApiParameter(
    "revisions", str, enum=["current", "all"], description="Only the newest of each assignment (current), or all."
)


class AnswerSerializer(serializers.Serializer):
    """What was said; of candidates in the order shown, else of a usage, or an edit."""

    candidate = serializers.IntegerField(required=False)
    systems = serializers.ListField(child=serializers.CharField(), required=False)

    def get_fields(self) -> dict[str, serializers.Field]:
        """Also the columns of the answers of every protocol."""
        kinds = ClassLookupDict(serializers.ModelSerializer.serializer_field_mapping)
        columns = [
            protocol.answers.model._meta.get_field(name)
            for protocol in PROTOCOLS.values()
            for name in protocol.answers.columns
        ]
        return super().get_fields() | {column.name: kinds[column](required=False) for column in columns}


class AnswersSerializer(serializers.ListSerializer):
    """A page of judgments, whose answers are looked up at once."""

    def to_representation(self, data: Any) -> list[Any]:
        """Each judgment with its answers."""
        judgments: Sequence[Judgment] = list(data)
        self.child.context["answers"] = _answers(judgments)
        return super().to_representation(judgments)


class JudgmentSerializer(serializers.ModelSerializer):
    """A judgment with its answers; judges go by their pseudonyms."""

    judge = serializers.CharField(source="assignment.judge.pseudonym")
    is_program = serializers.SerializerMethodField()
    is_excluded = serializers.SerializerMethodField()
    line = LineField(source="screen.segment.position", read_only=True)
    answers = serializers.SerializerMethodField()

    class Meta:
        model = Judgment
        list_serializer_class = AnswersSerializer
        fields = (
            "id", "judge", "is_program", "is_excluded", "assignment", "screen", "line", "revision", "current",
            "skip_reason", "comment", "flagged", "wall_seconds", "active_seconds", "submitted_at", "answers",
        )  # fmt: skip

    def get_is_program(self, judgment: Judgment) -> bool:
        """Whether a program judged."""
        return judgment.assignment.judge.role == Membership.Role.PROGRAM  # type: ignore[union-attr]

    def get_is_excluded(self, judgment: Judgment) -> bool:
        """Whether the judge does not count."""
        return judgment.assignment.judge.excluded_at is not None  # type: ignore[union-attr]

    @extend_schema_field(AnswerSerializer(many=True))
    def get_answers(self, judgment: Judgment) -> list[dict[str, Any]]:
        """None for a skip."""
        return self.context["answers"].get(judgment.pk, [])


@extend_schema_view(get=extend_schema(parameters=[REVISIONS]))
class JudgmentList(View, ListAPIView):
    """All judgments, the newest first."""

    serializer_class = JudgmentSerializer

    def get_queryset(self) -> QuerySet[Judgment]:
        """Of a campaign that the user runs; of each assignment the newest, unless all are asked for."""
        campaign = access.campaign_to_organise(self.request.user, self.kwargs["slug"])
        judgments = Judgment.objects.filter(assignment__campaign=campaign)
        if self.request.query_params.get("revisions") != "all":
            judgments = judgments.current()
        return judgments.select_related("assignment__judge", "assignment__campaign", "screen__segment")


def _answers(judgments: Sequence[Judgment]) -> dict[int, list[dict[str, Any]]]:
    """What each judgment says, in two questions at most."""
    if not judgments:
        return {}
    table = protocol_of(judgments[0].assignment.campaign).answers
    names = ("candidate", *table.columns) if table.of_candidates else table.columns
    given = table.model._default_manager.filter(judgment__in=judgments).order_by("judgment", "pk")
    told: dict[int, list[dict[str, Any]]] = {}
    for judgment, *said in given.values_list("judgment", *names):
        told.setdefault(judgment, []).append(dict(zip(names, said, strict=True)))
    if table.of_candidates:
        _name_systems([answer for answers in told.values() for answer in answers])
    return told


def _name_systems(answers: Sequence[dict[str, Any]]) -> None:
    """Say of each answer which systems are behind its candidate."""
    outputs = SystemOutput.objects.filter(candidate__in={answer["candidate"] for answer in answers}).order_by(
        "system__name"
    )
    behind: dict[int, list[str]] = {}
    for candidate, name in outputs.values_list("candidate", "system__name"):
        behind.setdefault(candidate, []).append(name)
    for answer in answers:
        answer["systems"] = behind.get(answer["candidate"], [])
