"""Applying the exclusion rule to all judges, within the request or in a worker."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.views import View
from judgments.api.jobs import JobSerializer, accepted
from judgments.campaigns import access
from judgments.judges import exclusion
from judgments.models import ExclusionJob


class AppliedSerializer(serializers.Serializer):
    """How many judges the rule excluded and included."""

    excluded = serializers.IntegerField()
    included = serializers.IntegerField()


class ExclusionJobSerializer(JobSerializer):
    """A job that applies the rule to very many judgments."""

    class Meta:
        model = ExclusionJob
        fields = (*JobSerializer.FIELDS, "excluded", "included")


class ApplyRule(View):
    """The exclusion rule."""

    @extend_schema(request=None, responses={200: AppliedSerializer, 202: ExclusionJobSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Exclude and include judges by the rule, within the request or in a worker."""
        applied = exclusion.apply_or_request(access.campaign_to_organise(request.user, slug), request.user)
        return accepted(request, applied) if isinstance(applied, ExclusionJob) else Response(applied._asdict())
