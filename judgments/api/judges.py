"""The judges of a campaign: statistics, exclusion, quotas."""

from collections.abc import Callable

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.asked import Asked, asked
from judgments.api.base.paging import InOrder
from judgments.api.base.views import View
from judgments.campaigns import access
from judgments.judges import exclusion, people
from judgments.judges.exclusion import LONGEST_REASON
from judgments.models import JudgeStatistics, Membership
from judgments.models.campaign import MOST_BATCHES


class JudgeStatisticsSerializer(serializers.ModelSerializer):
    """A judge's statistics as last counted."""

    pace = serializers.FloatField(allow_null=True, help_text="Screens an hour of active time.")
    hours = serializers.FloatField()
    tie_share = serializers.FloatField(allow_null=True)
    extreme_share = serializers.FloatField(allow_null=True)

    class Meta:
        model = JudgeStatistics
        fields = (
            "screens", "median_seconds", "pace", "hours", "tie_share", "extreme_share", "controls", "controls_passed",
            "counted_up_to", "others_kappa", "self_kappa", "position_p_value", "compared_at",
        )  # fmt: skip


class JudgeSerializer(serializers.ModelSerializer):
    """A judge, by pseudonym."""

    done = serializers.IntegerField(read_only=True)
    batches = serializers.IntegerField(read_only=True)
    last = serializers.DateTimeField(read_only=True, allow_null=True)
    statistics = JudgeStatisticsSerializer(read_only=True, default=None, allow_null=True)

    class Meta:
        model = Membership
        fields = (
            "id", "pseudonym", "joined_at", "done", "batches", "quota", "last", "excluded_at", "exclusion_reason",
            "excluded_by_rule", "is_expert", "statistics",
        )  # fmt: skip


class ReasonInput(Asked):
    """The reason for a decision."""

    reason = serializers.CharField(max_length=LONGEST_REASON)


class QuotaInput(Asked):
    """The most batches for a judge; null for the campaign's limit."""

    quota = serializers.IntegerField(min_value=0, max_value=MOST_BATCHES, allow_null=True)


class ExpertiseInput(Asked):
    """Whether other judges are compared with this one."""

    is_expert = serializers.BooleanField()


class JudgeList(View, ListAPIView):
    """The judges."""

    serializer_class = JudgeSerializer
    pagination_class = InOrder

    def get_queryset(self) -> QuerySet[Membership]:
        """Judges of a campaign that the user runs."""
        return people.judges(access.campaign_to_organise(self.request.user, self.kwargs["slug"]))


class ExcludeJudge(View):
    """Exclude a judge."""

    @extend_schema(request=ReasonInput, responses={204: None})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Exclude the judge; the judgments stay stored."""
        return _decide(request, slug, pk, exclusion.exclude)


class IncludeJudge(View):
    """Include a judge again."""

    @extend_schema(request=ReasonInput, responses={204: None})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Include the judge, whatever the rule says."""
        return _decide(request, slug, pk, exclusion.include)


class JudgeQuota(View):
    """The quota of a judge."""

    @extend_schema(request=QuotaInput, responses={204: None})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Set the quota."""
        judge = access.judge_to_organise(access.campaign_to_organise(request.user, slug), pk)
        people.set_quota(judge, asked(QuotaInput, request).validated_data["quota"])
        return Response(status=status.HTTP_204_NO_CONTENT)


class ExpertJudge(View):
    """Whether a judge is an expert."""

    @extend_schema(request=ExpertiseInput, responses={204: None})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Mark the judge; reports made from now on use it."""
        judge = access.judge_to_organise(access.campaign_to_organise(request.user, slug), pk)
        people.mark(judge, asked(ExpertiseInput, request).validated_data["is_expert"])
        return Response(status=status.HTTP_204_NO_CONTENT)


def _decide(request: Request, slug: str, pk: int, verb: Callable[[Membership, str], None]) -> Response:
    judge = access.judge_to_organise(access.campaign_to_organise(request.user, slug), pk)
    verb(judge, asked(ReasonInput, request).validated_data["reason"])
    return Response(status=status.HTTP_204_NO_CONTENT)
