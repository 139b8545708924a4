"""The datasheet of a campaign in the API: read it, and change the organiser's answers."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.inputs import Input, check_input
from judgments.api.base.views import View
from judgments.models import Campaign
from judgments.rules.datasheet.files import to_json
from judgments.rules.datasheet.sheet import LONGEST_ANSWER, Edition, SheetAnswer, fault_of_answers
from ranking import datasheet as sheets
from ranking.web.datasheet import SheetSourceForm

PARAMETERS = [
    OpenApiParameter(
        "report",
        int,
        description="The finished report that gives the results; by default the newest published one, else the newest.",
    ),
    OpenApiParameter("edition", str, enum=[*Edition], description="Of the Human Evaluation Datasheet; by default 3.0."),
]


class OwnAnswer(Input):
    """Words, and the names of options that apply."""

    words = serializers.CharField(required=False, allow_blank=True, max_length=LONGEST_ANSWER)
    chosen = serializers.ListField(child=serializers.CharField(), required=False)


class ChangedAnswers(Input):
    """The answers to change, by the key of the question, which is its number in edition 3.0."""

    answers = serializers.DictField(child=OwnAnswer())

    def validate_answers(self, answers: dict[str, Any]) -> dict[str, Any]:
        if fault := fault_of_answers(answers):
            raise serializers.ValidationError(fault)
        return answers


class Datasheet(View):
    @extend_schema(parameters=PARAMETERS, responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, slug: str) -> Response:
        """Return the datasheet, as in datasheet.json."""
        return _answer(self.campaign, request)

    @extend_schema(parameters=PARAMETERS, request=ChangedAnswers, responses=OpenApiTypes.OBJECT)
    def patch(self, request: Request, slug: str) -> Response:
        """Replace answers; an empty one is removed."""
        campaign = self.campaign
        answers = check_input(ChangedAnswers, request).validated_data["answers"]
        sheets.save(campaign, {number: SheetAnswer.of(given) for number, given in answers.items()})
        return _answer(campaign, request)


def _answer(campaign: Campaign, request: Request) -> Response:
    return Response(to_json(campaign.name, SheetSourceForm(campaign, request.query_params).sheet()))
