"""Scores of automatic metrics for programs: which there are, a file of them, their end."""

from django.core.files.uploadedfile import UploadedFile
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.asked import Asked, asked
from judgments.api.base.once import once
from judgments.api.base.views import View
from judgments.campaigns.access import campaign_to_organise
from judgments.rules.errors import Refused
from ranking.metric_scores import add_metrics, remove_metric
from ranking.models import Metric


class MetricSerializer(serializers.ModelSerializer):
    """A metric whose scores are there."""

    class Meta:
        model = Metric
        fields = ("id", "name", "level", "systems", "origin", "signature", "added_at")


class NewMetric(Asked):
    """A file of scores, and the names of its columns where it has none."""

    file = serializers.FileField()
    columns = serializers.CharField(required=False, default="", allow_blank=True, max_length=1000)


class MetricList(View):
    """The metrics of a campaign."""

    parser_classes = (MultiPartParser,)

    @extend_schema(responses=MetricSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """By name."""
        campaign = campaign_to_organise(request.user, slug)
        return Response(MetricSerializer(Metric.objects.of(campaign).defer("scores"), many=True).data)

    @extend_schema(request={"multipart/form-data": NewMetric}, responses={201: MetricSerializer(many=True)})
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Bring scores in; one of the same name and level is replaced."""
        campaign = campaign_to_organise(request.user, slug)
        given = asked(NewMetric, request).validated_data
        file: UploadedFile = given["file"]
        added = add_metrics(campaign, file.name or "", file.read(), tuple(given["columns"].split()), request.user)
        return Response(MetricSerializer(added, many=True).data, status.HTTP_201_CREATED)


class MetricDetail(View):
    """One metric."""

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Forget its scores; reports that were made keep their numbers."""
        if not remove_metric(campaign_to_organise(request.user, slug), pk):
            raise Refused("These scores were removed already.")
        return Response(status=status.HTTP_204_NO_CONTENT)
