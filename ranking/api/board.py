"""The live board in the API: the progress of judging, and the ranking so far."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.views import View
from judgments.api.campaigns import Progress
from judgments.campaigns import overview
from judgments.models import Campaign
from ranking.api.reports import WholeReport
from ranking.reports import boards, downloads


class Speed(serializers.Serializer):
    """The pace of judging, and when the last assignment will be judged at this pace."""

    last_hour = serializers.IntegerField()
    last_day = serializers.IntegerField()
    finish = serializers.DateTimeField(allow_null=True)


class Chance(serializers.Serializer):
    """The probability that a system is the best one."""

    system = serializers.CharField()
    chance = serializers.FloatField()


class Glance(serializers.Serializer):
    """How many pairs of systems are separated, which systems may be best, and how far judges agree."""

    pairs = serializers.IntegerField()
    resolved = serializers.IntegerField()
    best = serializers.SerializerMethodField()
    kappa = serializers.FloatField(allow_null=True)

    @extend_schema_field(Chance(many=True))
    def get_best(self, glance: boards.Glance) -> list[dict[str, Any]]:
        """The most probable first."""
        return [{"system": system, "chance": chance} for system, chance in glance.best]


class BoardSerializer(serializers.Serializer):
    """All figures are interim."""

    progress = Progress()
    speed = Speed()
    glance = Glance(allow_null=True)
    report = WholeReport(allow_null=True)
    is_going = serializers.BooleanField(help_text="Whether a newer ranking is being made.")


class Board(View):
    @extend_schema(responses=BoardSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return the progress and the newest interim ranking."""
        return _answer(request, self.campaign)

    @extend_schema(request=None, responses=BoardSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Request a newer interim ranking; at most one a minute is made."""
        boards.refresh(self.campaign)
        return _answer(request, self.campaign)


def _answer(request: Request, campaign: Campaign) -> Response:
    report, progress = boards.newest(campaign), overview.progress(campaign)
    board = {
        "progress": asdict(progress),
        "speed": asdict(overview.speed(campaign, progress)),
        "glance": boards.glance(downloads.tables_of(report)) if report else None,
        "report": report,
        "is_going": boards.is_going(campaign),
    }
    return Response(BoardSerializer(board, context={"request": request}).data)
