"""Programs that judge, in the API: their seats, their prompt, and runs by workers."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.views import View
from judgments.api.jobs import JobSerializer
from judgments.judges import people
from judgments.models import Membership, ProgramRun, Prompt
from judgments.programs.storing import newest_prompt


class ProgramSerializer(serializers.ModelSerializer):
    """A program that judges, and the number of its judgments."""

    done = serializers.IntegerField()

    class Meta:
        model = Membership
        fields = ("id", "pseudonym", "joined_at", "removed_at", "done")


class ProgramList(View):
    @extend_schema(responses=ProgramSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the programs by name."""
        return Response(ProgramSerializer(people.programs(self.campaign), many=True).data)


class PromptSerializer(serializers.ModelSerializer):
    """A version of the prompt; programs say with which one they were asked."""

    digest = serializers.CharField()

    class Meta:
        model = Prompt
        fields = ("version", "digest", "text")


class PromptDetail(View):
    @extend_schema(responses=PromptSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return the newest prompt."""
        if prompt := newest_prompt(self.campaign):
            return Response(PromptSerializer(prompt).data)
        raise Http404("Programs have no prompt in this campaign; write one.")


class ProgramRunSerializer(JobSerializer):
    """A run: what it has done so far, and why it ended early if it did."""

    program = serializers.CharField(source="program.pseudonym")

    class Meta:
        model = ProgramRun
        fields = (
            *JobSerializer.FIELDS, "program", "endpoint", "choices", "answered", "unreadable", "tokens", "cost",
            "stopped",
        )  # fmt: skip


class ProgramRunList(View, ListAPIView):
    """Runs, the newest first."""

    serializer_class = ProgramRunSerializer

    def get_queryset(self) -> Any:
        return ProgramRun.objects.filter(campaign=self.campaign).select_related("program")
