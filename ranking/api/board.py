"""The live board for programs: how judging goes, and the ranking so far."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.views import View
from judgments.api.campaigns import Progress
from judgments.campaigns import overview
from judgments.campaigns.access import campaign_to_organise
from judgments.models import Campaign
from ranking.api.reports import WholeReport
from ranking.reports import boards, downloads


class Speed(serializers.Serializer):
    """How fast judgments come, and when the last assignment will be judged if that goes on."""

    last_hour = serializers.IntegerField()
    last_day = serializers.IntegerField()
    finish = serializers.DateTimeField(allow_null=True)


class Chance(serializers.Serializer):
    """How likely a system is the best one."""

    system = serializers.CharField()
    chance = serializers.FloatField()


class Glance(serializers.Serializer):
    """Pairs of systems told apart, of so many; who may be best; how far judges agree."""

    pairs = serializers.IntegerField()
    resolved = serializers.IntegerField()
    best = serializers.SerializerMethodField()
    kappa = serializers.FloatField(allow_null=True)

    @extend_schema_field(Chance(many=True))
    def get_best(self, glance: boards.Glance) -> list[dict[str, Any]]:
        """The likeliest first."""
        return [{"system": system, "chance": chance} for system, chance in glance.best]


class BoardSerializer(serializers.Serializer):
    """All of it is interim."""

    progress = Progress()
    speed = Speed()
    glance = Glance(allow_null=True)
    report = WholeReport(allow_null=True)
    is_going = serializers.BooleanField(help_text="Whether a newer ranking is being made.")


class Board(View):
    """How judging goes."""

    @extend_schema(responses=BoardSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """With the newest interim ranking."""
        return _told(request, campaign_to_organise(request.user, slug))

    @extend_schema(request=None, responses=BoardSerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Ask for a newer one; at most every minute one is made."""
        campaign = campaign_to_organise(request.user, slug)
        boards.refresh(campaign)
        return _told(request, campaign)


def _told(request: Request, campaign: Campaign) -> Response:
    report, progress = boards.newest(campaign), overview.progress(campaign)
    board = {
        "progress": asdict(progress),
        "speed": asdict(overview.speed(campaign, progress)),
        "glance": boards.glance(downloads.tables_of(report)) if report else None,
        "report": report,
        "is_going": boards.is_going(campaign),
    }
    return Response(BoardSerializer(board, context={"request": request}).data)
