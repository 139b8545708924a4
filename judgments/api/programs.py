"""Programs that judge, in the API: their seats, their prompt, and runs by workers."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.inputs import Input, checked
from judgments.api.base.once import once
from judgments.api.base.views import View
from judgments.api.jobs import JobSerializer, accepted
from judgments.judges import people
from judgments.models import Membership, ProgramRun, Prompt
from judgments.programs import runs
from judgments.programs.endpoints import MOST_AT_ONCE
from judgments.programs.running import MOST_SAMPLES, MOST_SEED, Choices
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


class RunInput(Input):
    """What to ask of which endpoint, and the program's name, if it is not the model's.

    `texts_may_leave` allows an endpoint outside this network.
    """

    program = serializers.CharField(max_length=80, allow_blank=True, default="")
    endpoint = serializers.CharField(max_length=80)
    model = serializers.CharField(max_length=200)
    temperature = serializers.FloatField(min_value=0, max_value=2, default=0.0, allow_null=True)
    seed = serializers.IntegerField(min_value=0, max_value=MOST_SEED, default=17)
    probes = serializers.FloatField(min_value=0, max_value=1, default=0.1)
    samples = serializers.IntegerField(min_value=1, max_value=MOST_SAMPLES, default=3)
    price_in = serializers.FloatField(min_value=0, default=0.0)
    price_out = serializers.FloatField(min_value=0, default=0.0)
    most = serializers.IntegerField(min_value=1, allow_null=True, default=None)
    most_cost = serializers.FloatField(min_value=0, allow_null=True, default=None)
    at_once = serializers.IntegerField(min_value=1, max_value=MOST_AT_ONCE, default=4)
    texts_may_leave = serializers.BooleanField(default=False)


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

    @extend_schema(request=RunInput, responses={202: ProgramRunSerializer})
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Let a worker ask an endpoint that the operator offers about all screens that the program has not judged."""
        campaign, given = self.campaign, dict(checked(RunInput, request).validated_data)
        name, endpoint, may_leave = (given.pop(one) for one in ("program", "endpoint", "texts_may_leave"))
        return accepted(request, runs.request(campaign, request.user, name, endpoint, Choices(**given), may_leave))
