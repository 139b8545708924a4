"""The exclusion rule for programs: applied to all judges, at once or by a worker."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.views import View
from judgments.api.jobs import JobSerializer, accepted
from judgments.campaigns import access
from judgments.judges import exclusion_job
from judgments.models import ExclusionJob


class AppliedSerializer(serializers.Serializer):
    """What the rule changed."""

    excluded = serializers.IntegerField()
    included = serializers.IntegerField()


class ExclusionJobSerializer(JobSerializer):
    """The rule as a worker applies it to very many judgments."""

    class Meta:
        model = ExclusionJob
        fields = (*JobSerializer.FIELDS, "excluded", "included")


class ApplyRule(View):
    """The exclusion rule."""

    @extend_schema(request=None, responses={200: AppliedSerializer, 202: ExclusionJobSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Exclude and include by it, now or as soon as a worker has the time."""
        applied = exclusion_job.apply_or_request(access.campaign_to_organise(request.user, slug), request.user)
        return accepted(request, applied) if isinstance(applied, ExclusionJob) else Response(applied._asdict())
