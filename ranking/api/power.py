"""Predictions of what screens would resolve in the API."""

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.inputs import checked
from judgments.api.base.once import once
from judgments.api.base.views import View
from judgments.api.jobs import JobSerializer, accepted, answer
from judgments.api.screens import PlanRequest
from judgments.models import Campaign
from judgments.models.campaign import PLAN_SETTINGS
from ranking.models import Prediction
from ranking.power import predicting
from ranking.power.predicting import CAMPAIGNS, JUDGES, MOST_CAMPAIGNS, MOST_JUDGES, Wanted, assumptions_of
from ranking.stats.comparisons.study import PRESETS


class PredictionRequest(PlanRequest):
    """A plan, and what is assumed of systems and judges."""

    pilot = serializers.BooleanField(default=False, help_text="Take the judgments so far instead of assumptions.")
    spread = serializers.FloatField(required=False, help_text="Standard deviation of Expected Wins, or of precision.")
    ties = serializers.FloatField(required=False, help_text="Share of compared pairs that tie.")
    agreement = serializers.FloatField(required=False, help_text="Of two judges who both prefer one text.")
    errors = serializers.FloatField(required=False, help_text="Verdicts: share of usages that are errors.")
    precision = serializers.FloatField(required=False, help_text="Verdicts: of systems, on average.")
    recall = serializers.FloatField(required=False, help_text="Verdicts: of systems, on average.")
    accuracy = serializers.FloatField(required=False, help_text="Verdicts: how often judges who decide are right.")
    unknown = serializers.FloatField(required=False, help_text="Verdicts: share of unknown ones.")
    judges = serializers.IntegerField(default=JUDGES, min_value=1, max_value=MOST_JUDGES)
    campaigns = serializers.IntegerField(default=CAMPAIGNS, min_value=1, max_value=MOST_CAMPAIGNS)
    preset = serializers.ChoiceField(list(PRESETS), default="recommended")
    compare = serializers.BooleanField(default=False, help_text="Compare ways of choosing sentences, too.")

    class Meta(PlanRequest.Meta):
        model = Campaign
        fields = (
            "screens", *PLAN_SETTINGS, "pilot", "spread", "ties", "agreement", "errors", "precision", "recall",
            "accuracy", "unknown", "judges", "campaigns", "preset", "compare",
        )  # fmt: skip

    def to_wanted(self) -> Wanted:
        defaults = {name: field.default for name, field in self.fields.items()}
        given = defaults | self.validated_data
        stated = assumptions_of(self.instance, self.validated_data)
        return Wanted(
            self.settings(), self.validated_data.get("screens"), None if given["pilot"] else stated,
            given["judges"], given["campaigns"], given["preset"], given["compare"],
        )  # fmt: skip


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

    @extend_schema(request=PredictionRequest, responses={202: PredictionSerializer})
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Simulate what a plan of screens would resolve."""
        wanted = checked(PredictionRequest, request, self.campaign).to_wanted()
        return accepted(request, predicting.request_prediction(self.campaign, request.user, wanted))
