"""Campaigns: list, creation, import, settings, state, deletion."""

from dataclasses import asdict
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.inputs import Input, ModelInput, check_input
from judgments.api.base.once import once
from judgments.api.base.views import View
from judgments.api.jobs import JobSerializer, accepted_response
from judgments.archive import importing
from judgments.archive.importing import too_large_a_bundle
from judgments.campaigns import access, overview, settings
from judgments.campaigns.presets import PRESETS
from judgments.models import Campaign, ImportJob, JournalEntry
from judgments.models.campaign import SETTINGS, SHORT_NAME
from judgments.models.members import site_address
from judgments.protocols import PROTOCOLS
from judgments.protocols.guidance import LANGUAGES, NONE


class ProtocolField(serializers.ChoiceField):
    """One of the registered protocols."""

    def __init__(self, **kwargs: Any):
        super().__init__([(name, protocol.label) for name, protocol in PROTOCOLS.items()], **kwargs)


class BriefCampaign(serializers.ModelSerializer):
    """A campaign in a list."""

    url = serializers.SerializerMethodField()
    protocol = ProtocolField(read_only=True)

    class Meta:
        model = Campaign
        fields: tuple[str, ...] = (
            "url", "slug", "name", "protocol", "state", "created_at", "opened_at", "closed_at",
        )  # fmt: skip

    def get_url(self, campaign: Campaign) -> str:
        return site_address("api_campaign", campaign.slug)


class Progress(serializers.Serializer):
    """The amount of material, and of judgments."""

    segments = serializers.IntegerField()
    screens = serializers.IntegerField()
    assignments = serializers.IntegerField()
    done = serializers.IntegerField()
    recorded = serializers.IntegerField(help_text="Judgments that were made elsewhere.")


class WholeCampaign(BriefCampaign):
    """A campaign with all its settings."""

    progress = serializers.SerializerMethodField()

    class Meta(BriefCampaign.Meta):
        fields = (*BriefCampaign.Meta.fields, "preset", "progress", *(name for name in SETTINGS if name != "name"))

    @extend_schema_field(Progress)
    def get_progress(self, campaign: Campaign) -> dict[str, Any]:
        return asdict(overview.progress(campaign))


class NewCampaign(ModelInput):
    """A preset, the language of the ready-made texts for judges, and settings that differ from these."""

    slug = serializers.SlugField(max_length=50, error_messages=SHORT_NAME)
    preset = serializers.ChoiceField(list(PRESETS), default="recommended")
    protocol = ProtocolField(required=False)
    guidance = serializers.ChoiceField(
        [*LANGUAGES, NONE],
        required=False,
        help_text="The language of the ready-made texts for judges; by default that of the sentences, or English.",
    )

    class Meta:
        model = Campaign
        fields = ("slug", "preset", "protocol", "guidance", *SETTINGS)
        extra_kwargs = {name: {"required": False} for name in SETTINGS if name != "name"}


class JournalEntrySerializer(serializers.ModelSerializer):
    """An action in a campaign."""

    class Meta:
        model = JournalEntry
        fields = ("at", "actor", "what")


class CampaignList(View, ListAPIView):
    """List the campaigns that the user runs."""

    serializer_class = BriefCampaign

    def get_queryset(self) -> QuerySet[Campaign]:
        return access.campaigns_run_by(self.request.user)

    @extend_schema(request=NewCampaign, responses={201: WholeCampaign})
    @once
    def post(self, request: Request) -> Response:
        """Create a campaign, organised by the user."""
        access.check_may_make_campaigns(request.user)
        given = dict(check_input(NewCampaign, request).validated_data)
        made = settings.create(request.user.get_username(), given.pop("preset"), **given)
        body = WholeCampaign(made, context={"request": request}).data
        return Response(body, status.HTTP_201_CREATED, headers={"Location": body["url"]})


class CampaignDetail(View):
    @extend_schema(responses=WholeCampaign)
    def get(self, request: Request, slug: str) -> Response:
        """Return the campaign's settings and progress."""
        return Response(WholeCampaign(self.campaign, context={"request": request}).data)


class Journal(View, ListAPIView):
    """The journal of a campaign, newest entries first."""

    serializer_class = JournalEntrySerializer

    def get_queryset(self) -> QuerySet[JournalEntry]:
        return JournalEntry.objects.filter(campaign=self.campaign)


class NewImport(Input):
    """A bundle, and optionally another short name for its campaign."""

    bundle = serializers.FileField()
    slug = serializers.SlugField(max_length=50, required=False, default="", allow_blank=True, error_messages=SHORT_NAME)


class ImportJobSerializer(JobSerializer):
    """The progress of an import, its problems, or the new campaign."""

    file_name = serializers.CharField(source="about")
    campaign = serializers.CharField(source="campaign.slug", default=None, allow_null=True)
    problems = serializers.ListField(child=serializers.DictField(), read_only=True)

    class Meta:
        model = ImportJob
        fields = (*JobSerializer.FIELDS, "file_name", "problems", "campaign")


class ImportList(View):
    parser_classes = (MultiPartParser,)
    refusal = staticmethod(too_large_a_bundle)

    @extend_schema(request={"multipart/form-data": NewImport}, responses={201: ImportJobSerializer})
    @once
    def post(self, request: Request) -> Response:
        """Upload a bundle; a worker creates a campaign from it, organised by the user."""
        access.check_may_make_campaigns(request.user)
        given = check_input(NewImport, request).validated_data
        bundle = given["bundle"]
        job = importing.request_import(request.user, bundle.name or "", bundle, given["slug"])
        return accepted_response(request, job, status.HTTP_201_CREATED)
