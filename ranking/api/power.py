"""Predictions of what screens would resolve in the API."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.views import View
from judgments.api.jobs import JobSerializer, answer
from ranking.models import Prediction


class PredictionSerializer(JobSerializer):
    """A prediction: a line for each number of judgments, of the campaigns simulated so far."""

    curves = serializers.SerializerMethodField()
    comparison = serializers.SerializerMethodField()

    class Meta:
        model = Prediction
        fields = (*JobSerializer.FIELDS, "curves", "comparison")

    @extend_schema_field(
        serializers.ListField(child=serializers.DictField(child=serializers.FloatField(allow_null=True)))
    )
    def get_curves(self, job: Prediction) -> list[dict[str, Any]]:
        table = job.table()
        return table.dicts() if table else []

    @extend_schema_field(serializers.ListField(child=serializers.DictField()))
    def get_comparison(self, job: Prediction) -> list[dict[str, Any]]:
        """A line for the collection, and one for each way of choosing sentences; empty unless requested."""
        table = job.ways_compared()
        return table.dicts() if table else []


class Power(View):
    @extend_schema(responses=PredictionSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return the newest prediction."""
        job = Prediction.objects.newest(self.campaign)
        if job is None:
            raise NotFound("There is no prediction yet; request one by POST.")
        return answer(request, job)
