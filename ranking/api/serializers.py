"""Reports as JSON, and what may be asked of a new one."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from rest_framework import serializers
from rest_framework.reverse import reverse

from ranking import exports, reports
from ranking.models import Report
from ranking.stats.parameters import PRESETS, Parameters, ParametersError

# How each kind of choice is read; which values are good, the parameters say themselves.
KINDS: dict[Any, Callable[..., serializers.Field]] = {
    str: serializers.CharField,
    int: serializers.IntegerField,
    float: serializers.FloatField,
    tuple[str, ...]: lambda **given: serializers.ListField(child=serializers.CharField(), **given),
}


class WantedReport(serializers.Serializer):
    """A preset, and what should be otherwise."""

    preset = serializers.ChoiceField(
        list(PRESETS),
        default="recommended",
        error_messages={"invalid_choice": f"There is no preset '{{input}}'; choose from {', '.join(PRESETS)}."},
    )

    def get_fields(self) -> dict[str, serializers.Field]:
        """The preset, and a field for each of the parameters."""
        return super().get_fields() | {choice.name: KINDS[choice.type](required=False) for choice in fields(Parameters)}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The preset's name, and parameters as it has them but for what was changed."""
        unknown = {name: None for name in self.initial_data if name not in self.fields}
        preset = attrs.pop("preset")
        try:
            return {"preset": preset, "parameters": PRESETS[preset].changed(**attrs | unknown)}
        except ParametersError as reason:
            raise serializers.ValidationError(str(reason)) from reason


class BriefReport(serializers.ModelSerializer):
    """A report as a list has it."""

    url = serializers.HyperlinkedIdentityField("api_report")
    campaign = serializers.SlugRelatedField("slug", read_only=True)

    class Meta:
        model = Report
        fields: tuple[str, ...] = (
            "url", "id", "campaign", "preset", "state", "progress", "step", "error", "judgments",
            "created_at", "started_at", "finished_at",
        )  # fmt: skip


class WholeReport(BriefReport):
    """A report by itself: what it was made by, what could not be made, and where its files are."""

    stale = serializers.SerializerMethodField()
    files = serializers.SerializerMethodField()

    class Meta(BriefReport.Meta):
        fields = (*BriefReport.Meta.fields, "parameters", "signature", "gaps", "exclusion", "stale", "files")

    def get_stale(self, report: Report) -> bool:
        """Whether judgments have come since, or other ones count."""
        return reports.is_stale(report)

    def get_files(self, report: Report) -> list[dict[str, str]]:
        """What the ZIP holds, and the ZIP; nothing until the report is ready."""
        if report.state != Report.State.DONE:
            return []
        request = self.context["request"]
        names = [file.name for file in exports.report_files(report)]
        files = {name: reverse("api_report_file", [report.pk, name], request=request) for name in names}
        files["files.zip"] = reverse("api_report_zip", [report.pk], request=request)
        files["bundle.zip"] = reverse("api_report_bundle", [report.pk], request=request)
        return [{"name": name, "url": url} for name, url in files.items()]
