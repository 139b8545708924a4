"""Reports in the API: request, follow and download them; compare two; the live board with the ranking so far."""

from collections.abc import Callable
from dataclasses import asdict, fields
from typing import Any

from django.db.models import QuerySet, prefetch_related_objects
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.inputs import Input
from judgments.api.base.once import once
from judgments.api.base.views import View
from judgments.api.campaigns import Progress
from judgments.api.jobs import JobSerializer, accepted_response, answer
from judgments.campaigns import overview
from judgments.models import Campaign
from judgments.models.members import site_address
from ranking.models import Report
from ranking.reports import boards, building, downloads
from ranking.reports.building import report_of, reports_to_compare
from ranking.reports.kinds.kind import KINDS, kind_for, kind_named
from ranking.reports.rows import counted_now
from ranking.sequential.stopping import outlook_of
from ranking.stats.choices import ParametersError
from ranking.web.reports import bundle_of, changes_file_of, file_of, zip_of

FILE = {(200, "*/*"): OpenApiTypes.BINARY}

MOST_CHOSEN = 1000
# Fields by type of parameter; the parameters themselves validate the values.
FIELD_OF: dict[Any, Callable[..., serializers.Field]] = {
    str: serializers.CharField,
    int: serializers.IntegerField,
    float: serializers.FloatField,
    tuple[str, ...]: lambda **given: _list_of(serializers.CharField(), **given),
    tuple[float, ...]: lambda **given: _list_of(serializers.FloatField(), **given),
}


def _list_of(child: serializers.Field, **given: Any) -> serializers.ListField:
    return serializers.ListField(child=child, max_length=MOST_CHOSEN, **given)


class WantedReport(Input):
    """A preset and changed parameters; which parameters exist depends on the kind of report."""

    def get_fields(self) -> dict[str, serializers.Field]:
        """Return fields for the preset and parameters of the campaign's kind; in the schema, those of all kinds."""
        kinds = [self.context["kind"]] if "kind" in self.context else list(map(kind_named, KINDS))
        presets = list(dict.fromkeys(name for kind in kinds for name in kind.presets))
        preset = serializers.ChoiceField(
            presets,
            default="recommended",
            error_messages={"invalid_choice": f"There is no preset '{{input}}'; choose from {', '.join(presets)}."},
        )
        choices = (choice for kind in kinds for choice in fields(kind.parameters))
        study = serializers.ChoiceField(list(KINDS), required=False, help_text="By default the campaign's first kind.")
        return {"study": study, "preset": preset} | {
            choice.name: FIELD_OF[choice.type](required=False) for choice in choices
        }

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the name of the preset, and its parameters with the changes applied."""
        study, preset = attrs.pop("study", ""), attrs.pop("preset")
        try:
            chosen = self.context["kind"].preset_for(self.context["campaign"], preset)
            return {"study": study, "preset": preset, "parameters": chosen.with_changes(**attrs)}
        except ParametersError as reason:
            # The message names no field, so each is tried alone; it may also be that they do not fit together.
            faults = {}
            for name, value in attrs.items():
                try:
                    chosen.with_changes(**{name: value})
                except ParametersError as fault:
                    faults[name] = [str(fault).removeprefix(f"{name}: ")]
            raise serializers.ValidationError(faults or str(reason)) from reason


class BriefReport(JobSerializer):
    """A report in a list."""

    campaign = serializers.SlugRelatedField("slug", read_only=True)

    class Meta:
        model = Report
        fields: tuple[str, ...] = (*JobSerializer.FIELDS, "campaign", "study", "preset", "judgments", "started_at")

    def get_url(self, report: Report) -> str:
        return site_address("api_report", report.pk)


class ReportFileName(serializers.Serializer):
    name = serializers.CharField()
    url = serializers.CharField()


class ReportAnswer(serializers.Serializer):
    """What may be quoted, what it rests on, and what may be claimed."""

    sentence = serializers.CharField()
    facts = serializers.ListField(child=serializers.CharField())
    scope = serializers.CharField(help_text="For which sentences and judges it holds.")
    agreement = serializers.CharField()
    caution = serializers.CharField(help_text="Why it looks surer than it is, or empty.")
    may_say = serializers.ListField(child=serializers.CharField())
    may_not_say = serializers.ListField(child=serializers.CharField())


class WholeReport(BriefReport):
    """A report with its answer, its parameters, what could not be computed, and its files."""

    answer = serializers.SerializerMethodField()
    stale = serializers.SerializerMethodField()
    files = serializers.SerializerMethodField()

    class Meta(BriefReport.Meta):
        fields = (
            *BriefReport.Meta.fields, "answer", "parameters", "signature", "gaps", "exclusion", "course", "stale",
            "files",
        )  # fmt: skip

    def to_representation(self, report: Report) -> dict[str, Any]:
        """With the tables read once, for the answer and for the files."""
        if report.state == Report.State.DONE:
            prefetch_related_objects([report], "reporttable_set")
        return super().to_representation(report)

    @extend_schema_field(ReportAnswer(allow_null=True))
    def get_answer(self, report: Report) -> dict[str, Any] | None:
        """What the report answers; null until it is ready."""
        found = downloads.answer_in(report)
        return ReportAnswer(found).data if found else None

    def get_stale(self, report: Report) -> bool:
        """Whether judgments were added or exclusions changed since."""
        return building.is_stale(report)

    @extend_schema_field(ReportFileName(many=True))
    def get_files(self, report: Report) -> list[dict[str, str]]:
        """All files and the ZIPs; empty until the report is ready."""
        if report.state != Report.State.DONE:
            return []
        files = {name: site_address("api_report_file", report.pk, name) for name in downloads.report_files(report)}
        files["files.zip"] = site_address("api_report_zip", report.pk)
        files["bundle.zip"] = site_address("api_report_bundle", report.pk)
        return [{"name": name, "url": url} for name, url in files.items()]


class ReportList(View, ListAPIView):
    """All reports of a campaign, and a new one."""

    serializer_class = BriefReport

    def get_queryset(self) -> QuerySet[Report]:
        return Report.objects.of(self.campaign).select_related("campaign")

    @extend_schema(request=WantedReport, responses={201: WholeReport})
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Request a report."""
        campaign = self.campaign
        study = request.data.get("study", "") if isinstance(request.data, dict) else ""
        kind = kind_for(campaign.protocol, study if isinstance(study, str) else "")
        wanted = WantedReport(data=request.data, context={"kind": kind, "campaign": campaign})
        wanted.is_valid(raise_exception=True)
        building.check_judged(campaign)
        report = building.request_report(campaign, request.user, **wanted.validated_data)
        return accepted_response(request, report, status.HTTP_201_CREATED)


class ReportDetail(View):
    @extend_schema(responses=WholeReport)
    def get(self, request: Request, pk: int) -> Response:
        """Return the report."""
        return answer(request, report_of(request.user, pk))


class ReportFileDownload(View):
    @extend_schema(responses=FILE)
    def get(self, request: Request, pk: int, name: str) -> HttpResponse:
        """Return the same bytes as the page."""
        return file_of(report_of(request.user, pk), name)


class ReportZip(View):
    @extend_schema(responses=FILE, parameters=[OpenApiParameter("tables", enum=["all"])])
    def get(self, request: Request, pk: int) -> HttpResponse:
        """Return the files for a paper, or all files: the same bytes as the page."""
        return zip_of(request, report_of(request.user, pk))


class ReportBundle(View):
    @extend_schema(responses=FILE)
    def get(self, request: Request, pk: int) -> HttpResponse:
        """Return the same bytes as the page."""
        return bundle_of(report_of(request.user, pk))


class ReportChanges(View):
    @extend_schema(responses=FILE)
    def get(self, request: Request, pk: int, other: int, name: str) -> HttpResponse:
        """Return the same bytes as the page: changes.csv or changed_pairs.csv."""
        return changes_file_of(*reports_to_compare(request.user, pk, other), name)


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
    def get_best(self, glance: dict[str, Any]) -> list[dict[str, Any]]:
        """The most probable first."""
        return [{"system": system, "chance": chance} for system, chance in glance["best"]]


class Rule(serializers.Serializer):
    """A rule for stopping: what it says, where it stands, and what is left, in words."""

    name = serializers.CharField()
    now = serializers.CharField()
    ahead = serializers.CharField()
    is_met = serializers.BooleanField()


class Stopping(serializers.Serializer):
    """The rules of the plan of analysis, and what stopping now would forgo."""

    rules = Rule(many=True)
    forgone = serializers.CharField()


class BoardSerializer(serializers.Serializer):
    """All figures are interim."""

    progress = Progress()
    speed = Speed()
    glance = Glance(allow_null=True)
    stopping = Stopping(allow_null=True, help_text="Null without a plan of analysis.")
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
    report, is_in_progress = boards.interim(campaign)
    tables = downloads.tables_of(report) if report else {}
    progress = overview.progress(campaign)
    speed = overview.speed(campaign, progress)
    board = {
        "progress": asdict(progress),
        "speed": asdict(speed),
        "glance": boards.glance(tables),
        "stopping": outlook_of(campaign, counted_now(campaign), speed.per_day, tables, report),
        "report": report,
        "is_going": is_in_progress,
    }
    return Response(BoardSerializer(board, context={"request": request}).data)
