"""Metrics in the API: their scores, and the jobs that compute them."""

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.views import View
from judgments.api.jobs import JobSerializer
from ranking.models import Metric, ScoringJob
from ranking.web.metrics import file_of


class MetricSerializer(serializers.ModelSerializer):
    """A metric with stored scores."""

    class Meta:
        model = Metric
        fields = ("id", "name", "level", "systems", "origin", "signature", "added_at")


class MetricList(View):
    @extend_schema(responses=MetricSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the metrics by name."""
        return Response(MetricSerializer(Metric.objects.of(self.campaign).defer("scores"), many=True).data)


class ScoringJobSerializer(JobSerializer):
    """A job that scores the outputs by one metric, and the signature of its scores."""

    metric = serializers.CharField(source="about")

    class Meta:
        model = ScoringJob
        fields = (*JobSerializer.FIELDS, "metric", "signature")


class ScoringList(View):
    @extend_schema(responses=ScoringJobSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the jobs in the order in which they were requested."""
        jobs = ScoringJob.objects.of(self.campaign).defer("tables")
        return Response(ScoringJobSerializer(jobs, many=True, context={"request": request}).data)


class MetricFile(View):
    @extend_schema(responses={(200, "text/csv"): OpenApiTypes.STR})
    def get(self, request: Request, slug: str, name: str) -> HttpResponseBase:
        """Return a table, such as metric_scores.csv."""
        return file_of(self.campaign, name)
