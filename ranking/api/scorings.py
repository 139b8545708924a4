"""Scoring outputs by metrics for programs: ask, watch, cancel, and take the tables along."""

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.asked import Asked, asked
from judgments.api.base.once import once
from judgments.api.base.views import View
from judgments.campaigns.access import campaign_to_organise
from judgments.rules.errors import Refused
from ranking import scorings, tasks
from ranking.metrics.catalogue import USUAL, canonical
from ranking.metrics.material import MetricError
from ranking.models import Scoring
from ranking.views.scorings import file_of

MOST_METRICS = 50


class ScoringSerializer(serializers.ModelSerializer):
    """A metric at work, or what became of it."""

    class Meta:
        model = Scoring
        fields = ("id", "metric", "state", "progress", "step", "error", "signature", "created_at", "finished_at")


class WishField(serializers.CharField):
    """A metric as it is asked for."""

    def to_internal_value(self, data: object) -> str:
        """Written as always; what there is not is told with the field."""
        try:
            return canonical(super().to_internal_value(data))
        except MetricError as reason:
            raise serializers.ValidationError(str(reason)) from reason


class NewScorings(Asked):
    """Which metrics, with their settings behind colons, as m2:beta=0.2."""

    metrics = serializers.ListField(
        child=WishField(max_length=100), min_length=1, max_length=MOST_METRICS, default=list(USUAL)
    )


class ScoringList(View):
    """The metrics by which outputs are or were scored."""

    @extend_schema(responses=ScoringSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """In the order in which they were asked for."""
        campaign = campaign_to_organise(request.user, slug)
        return Response(ScoringSerializer(Scoring.objects.of(campaign).defer("tables"), many=True).data)

    @extend_schema(request=NewScorings, responses={202: ScoringSerializer(many=True)})
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Have workers score the outputs; a metric that is at work already is not asked for again."""
        campaign = campaign_to_organise(request.user, slug)
        made = scorings.ask(campaign, asked(NewScorings, request).validated_data["metrics"], request.user)
        for scoring in made:
            tasks.enqueue(scoring)
        return Response(ScoringSerializer(made, many=True).data, status.HTTP_202_ACCEPTED)


class CancelScorings(View):
    """The end of scorings."""

    @extend_schema(request=None, responses=ScoringSerializer(many=True))
    def post(self, request: Request, slug: str) -> Response:
        """Stop all that are not over; scores that were kept before stay."""
        campaign = campaign_to_organise(request.user, slug)
        if not scorings.cancel_all(campaign):
            raise Refused("This was over already.")
        return Response(ScoringSerializer(Scoring.objects.of(campaign).defer("tables"), many=True).data)


class MetricFile(View):
    """What metrics say, as files."""

    @extend_schema(responses={(200, "text/csv"): OpenApiTypes.STR})
    def get(self, request: Request, slug: str, name: str) -> HttpResponseBase:
        """A table, as metric_scores.csv."""
        return file_of(campaign_to_organise(request.user, slug), name)
