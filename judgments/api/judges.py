"""The judges of a campaign, people and programs: statistics, exclusion, quotas, tokens."""

from django.db.models import QuerySet
from rest_framework import serializers

from judgments.api.base.views import ListInOrder
from judgments.api.jobs import JobSerializer
from judgments.judges import people
from judgments.models import ExclusionJob, JudgeStatistics, Membership


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


class JudgeList(ListInOrder):
    """The judges."""

    serializer_class = JudgeSerializer

    def get_queryset(self) -> QuerySet[Membership]:
        return people.judges(self.campaign)


class ExclusionJobSerializer(JobSerializer):
    """A job that applies the rule to very many judgments."""

    excluded = serializers.IntegerField(source="outcome.excluded", default=0, read_only=True)
    included = serializers.IntegerField(source="outcome.included", default=0, read_only=True)

    class Meta:
        model = ExclusionJob
        fields = (*JobSerializer.FIELDS, "excluded", "included")
