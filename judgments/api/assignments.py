"""Assignments, for programs that judge and for organisers."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.inputs import Input, check_input
from judgments.api.base.views import View
from judgments.campaigns import access
from judgments.judges import programs
from judgments.judging.context import texts_of
from judgments.models import Assignment
from judgments.models.members import site_address
from judgments.programs.storing import stored_prompt
from judgments.protocols import protocol_of
from judgments.protocols.registry import categories_offered, verdicts_offered
from judgments.rules.files.values import LARGE

EDIT = ("start", "end", "replacement")


class AssignmentSerializer(serializers.ModelSerializer):
    """An assignment, for organisers."""

    judge = serializers.CharField(source="judge.pseudonym", default=None, allow_null=True)
    is_program = serializers.BooleanField(source="judge.is_program", default=False, read_only=True)
    batch = serializers.IntegerField(source="batch.number", default=None, allow_null=True)

    class Meta:
        model = Assignment
        fields = (
            "id", "screen", "batch", "round", "position", "repeats", "judge", "is_program", "claimed_at",
            "submitted_at",
        )  # fmt: skip


class AssignmentsRequest(Input):
    """How many assignments a program wants, and after which one, to pass over some that it could not answer."""

    number = serializers.IntegerField(default=1, min_value=1, max_value=programs.MOST_AT_ONCE)
    after = serializers.IntegerField(default=0, min_value=0, max_value=LARGE)


class ShownEdit(serializers.Serializer):
    """An edit to be judged, by characters of the source."""

    start = serializers.IntegerField()
    end = serializers.IntegerField()
    replacement = serializers.CharField(allow_blank=True)


class ShownCandidateSerializer(serializers.Serializer):
    """A candidate by its place on the screen, with its edits if they are judged; its systems are not shown."""

    place = serializers.IntegerField()
    text = serializers.CharField(allow_null=True)
    edits = ShownEdit(many=True)


class ShownUsageSerializer(serializers.Serializer):
    """The usage to judge, by characters of the source."""

    start = serializers.IntegerField()
    end = serializers.IntegerField()


class ShownPoint(serializers.Serializer):
    """A number on a scale and what it means."""

    value = serializers.IntegerField()
    words = serializers.CharField()


class ShownScale(serializers.Serializer):
    """A scale of the rubric; `other` is what null means, if it is allowed."""

    name = serializers.CharField()
    help = serializers.CharField()
    lowest = serializers.IntegerField()
    highest = serializers.IntegerField()
    points = ShownPoint(many=True)
    other = serializers.CharField()


class ShownAssignmentSerializer(serializers.Serializer):
    """An assignment, as its judge sees it."""

    url = serializers.CharField()
    id = serializers.IntegerField()
    protocol = serializers.CharField()
    answer_fields = serializers.ListField(child=serializers.CharField())
    before = serializers.ListField(child=serializers.CharField(allow_null=True))
    source = serializers.CharField(allow_null=True)
    after = serializers.ListField(child=serializers.CharField(allow_null=True))
    usage = ShownUsageSerializer(allow_null=True)
    categories = serializers.ListField(child=serializers.CharField())
    verdicts = serializers.ListField(child=serializers.CharField())
    scales = ShownScale(many=True)
    severities = serializers.ListField(child=serializers.CharField())
    candidates = ShownCandidateSerializer(many=True)
    is_submitted = serializers.BooleanField()


class GivenPrompt(serializers.Serializer):
    """The newest prompt of the campaign."""

    version = serializers.IntegerField()
    text = serializers.CharField()


class ClaimedAssignments(serializers.Serializer):
    """Assignments to answer; none if the program has seen every screen. Without a prompt, it is null."""

    prompt = GivenPrompt(allow_null=True)
    instructions = serializers.CharField()
    language = serializers.CharField()
    assignments = ShownAssignmentSerializer(many=True)


class AssignmentList(View, ListAPIView):
    """All assignments, for organisers; assignments to answer, for programs."""

    serializer_class = AssignmentSerializer

    def get_queryset(self) -> QuerySet[Assignment]:
        return Assignment.objects.filter(campaign=self.campaign).select_related("judge", "batch")

    @extend_schema(request=AssignmentsRequest, responses=ClaimedAssignments)
    def post(self, request: Request, slug: str) -> Response:
        """Claim assignments; a repeated request returns the same ones until they are answered."""
        program = access.get_program_or_404(request.user, slug)
        claimed = programs.claim(program, **check_input(AssignmentsRequest, request).validated_data)
        campaign, prompt = program.campaign, stored_prompt(program.campaign)
        about = {
            "prompt": prompt and {"version": prompt.version, "text": prompt.text},
            "instructions": campaign.instructions,
            "language": campaign.language,
        }
        return Response(about | {"assignments": _shown(request, claimed)})


class AssignmentDetail(View):
    @extend_schema(responses=ShownAssignmentSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Return the source in context, and the candidates in the order shown."""
        return Response(_shown(request, [access.get_program_assignment_or_404(request.user, pk)])[0])


def _shown(request: Request, assignments: Sequence[Assignment]) -> list[dict[str, Any]]:
    shown = []
    for assignment, texts in zip(assignments, texts_of(assignments), strict=True):
        campaign, protocol = assignment.campaign, protocol_of(assignment.campaign)
        form = protocol.form_for(assignment)
        rubric, proposed = form.specification.rubric, form.specification.proposed or ((),) * len(texts.candidates)
        shown.append({
            "url": site_address("api_assignment", assignment.pk),
            "id": assignment.pk,
            "protocol": protocol.name,
            **texts._asdict(),
            "categories": [category.name for category in categories_offered(campaign)],
            "verdicts": [verdict.name for verdict in verdicts_offered(campaign)],
            "scales": [
                {
                    "name": scale.name, "help": scale.help, "lowest": scale.lowest, "highest": scale.highest,
                    "points": [{"value": value, "words": words} for value, words in scale.words], "other": scale.other,
                }
                for scale in rubric.scales
            ],
            "severities": [severity.name for severity in rubric.severities],
            "answer_fields": [name for name in protocol.inputs if f"{name}_1" in form.fields],
            "candidates": [
                {"place": place, "text": text, "edits": [dict(zip(EDIT, edit[:3], strict=True)) for edit in edits]}
                for place, (text, edits) in enumerate(zip(texts.candidates, proposed, strict=True), 1)
            ],
            "is_submitted": assignment.submitted_at is not None,
        })  # fmt: skip
    return shown
