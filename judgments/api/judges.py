"""The judges of a campaign, people and programs: statistics, exclusion, quotas, tokens."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.inputs import Input, checked
from judgments.api.base.views import ListInOrder, View
from judgments.api.jobs import JobSerializer, accepted
from judgments.campaigns import access
from judgments.judges import exclusion, people
from judgments.judges.exclusion import LONGEST_REASON
from judgments.models import ExclusionJob, JudgeStatistics, Membership
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
            "excluded_by_rule", "judged_again", "paused_at", "is_expert", "statistics",
        )  # fmt: skip


class ReasonInput(Input):
    """The reason for a decision."""

    reason = serializers.CharField(max_length=LONGEST_REASON)


class ExclusionInput(ReasonInput):
    """The reason, and whether others judge the judge's screens again; null as after the rule."""

    judged_again = serializers.BooleanField(allow_null=True, default=None)


class QuotaInput(Input):
    """The most batches for a judge; null for the campaign's limit."""

    quota = serializers.IntegerField(min_value=0, max_value=MOST_BATCHES, allow_null=True)


class ExpertiseInput(Input):
    """Whether other judges are compared with this one."""

    is_expert = serializers.BooleanField()


class JudgeList(ListInOrder):
    """The judges."""

    serializer_class = JudgeSerializer

    def get_queryset(self) -> QuerySet[Membership]:
        return people.judges(self.campaign)


class _JudgeView(View):
    """A view that changes one judge."""

    @property
    def judge(self) -> Membership:
        return access.judge_to_organise(self.campaign, self.kwargs["pk"])


class ExcludeJudge(_JudgeView):
    @extend_schema(request=ExclusionInput, responses={204: None})
    def post(self, request: Request, **_: Any) -> Response:
        """Exclude the judge; the judgments stay stored."""
        exclusion.exclude(self.judge, **checked(ExclusionInput, request).validated_data)
        return Response(status=status.HTTP_204_NO_CONTENT)


class IncludeJudge(_JudgeView):
    @extend_schema(request=ReasonInput, responses={204: None})
    def post(self, request: Request, **_: Any) -> Response:
        """Include the judge, whatever the rule says."""
        exclusion.include(self.judge, checked(ReasonInput, request).validated_data["reason"])
        return Response(status=status.HTTP_204_NO_CONTENT)


class JudgeQuota(_JudgeView):
    @extend_schema(request=QuotaInput, responses={204: None})
    def post(self, request: Request, **_: Any) -> Response:
        """Set the quota."""
        people.set_quota(self.judge, checked(QuotaInput, request).validated_data["quota"])
        return Response(status=status.HTTP_204_NO_CONTENT)


class ExpertJudge(_JudgeView):
    @extend_schema(request=ExpertiseInput, responses={204: None})
    def post(self, request: Request, **_: Any) -> Response:
        """Mark the judge; reports made from now on use it."""
        people.mark(self.judge, checked(ExpertiseInput, request).validated_data["is_expert"])
        return Response(status=status.HTTP_204_NO_CONTENT)


class AppliedSerializer(serializers.Serializer):
    """How many judges the rule excluded and included."""

    excluded = serializers.IntegerField()
    included = serializers.IntegerField()


class ExclusionJobSerializer(JobSerializer):
    """A job that applies the rule to very many judgments."""

    excluded = serializers.IntegerField(source="outcome.excluded", default=0)
    included = serializers.IntegerField(source="outcome.included", default=0)

    class Meta:
        model = ExclusionJob
        fields = (*JobSerializer.FIELDS, "excluded", "included")


class ApplyRule(View):
    @extend_schema(request=None, responses={200: AppliedSerializer, 202: ExclusionJobSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Exclude and include judges by the rule, within the request or in a worker."""
        applied = exclusion.apply_or_request(self.campaign, request.user)
        return accepted(request, applied) if isinstance(applied, ExclusionJob) else Response(applied._asdict())
