"""Campaigns for programs: which there are, a new one, its settings, its state, its end."""

from dataclasses import asdict
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.asked import Asked, AskedOfModel, asked
from judgments.api.base.once import once
from judgments.api.base.views import View
from judgments.campaigns import access, deleting, overview, settings, states
from judgments.campaigns.presets import PRESETS
from judgments.campaigns.settings import GROUPS
from judgments.models import Campaign, JournalEntry
from judgments.protocols import PROTOCOLS

SETTINGS = tuple(name for names in GROUPS.values() for name in names)
TYPED = OpenApiParameter("typed", str, required=True, description="The campaign's short name, typed out.")


class ProtocolField(serializers.ChoiceField):
    """One of the protocols that there are when it is asked for."""

    def __init__(self, **kwargs: Any):
        super().__init__([(name, protocol.label) for name, protocol in PROTOCOLS.items()], **kwargs)


class BriefCampaign(serializers.ModelSerializer):
    """A campaign as a list has it."""

    url = serializers.HyperlinkedIdentityField("api_campaign", lookup_field="slug")
    protocol = ProtocolField(read_only=True)

    class Meta:
        model = Campaign
        fields: tuple[str, ...] = (
            "url", "slug", "name", "protocol", "state", "created_at", "opened_at", "closed_at",
        )  # fmt: skip


class Progress(serializers.Serializer):
    """How much there is, and how much of it is judged."""

    segments = serializers.IntegerField()
    screens = serializers.IntegerField()
    assignments = serializers.IntegerField()
    done = serializers.IntegerField()
    recorded = serializers.IntegerField(help_text="Judgments that were made elsewhere.")


class WholeCampaign(BriefCampaign):
    """A campaign by itself, with all its settings."""

    progress = serializers.SerializerMethodField()

    class Meta(BriefCampaign.Meta):
        fields = (*BriefCampaign.Meta.fields, "preset", "progress", *(name for name in SETTINGS if name != "name"))

    @extend_schema_field(Progress)
    def get_progress(self, campaign: Campaign) -> dict[str, Any]:
        """Counted now."""
        return asdict(overview.progress(campaign))


class ChangedCampaign(AskedOfModel):
    """Settings that should be otherwise."""

    class Meta:
        model = Campaign
        fields: tuple[str, ...] = SETTINGS


class NewCampaign(ChangedCampaign):
    """What a campaign begins with: a preset, and the settings that should be otherwise."""

    slug = serializers.SlugField(max_length=50)
    preset = serializers.ChoiceField(list(PRESETS), default="recommended")
    protocol = ProtocolField(required=False)

    class Meta(ChangedCampaign.Meta):
        fields = ("slug", "preset", "protocol", *SETTINGS)
        extra_kwargs = {name: {"required": False} for name in SETTINGS if name != "name"}


class ChangedState(Asked):
    """What is to become of a campaign."""

    state = serializers.ChoiceField(list(states.CHANGES))


class JournalEntrySerializer(serializers.ModelSerializer):
    """What somebody did."""

    class Meta:
        model = JournalEntry
        fields = ("at", "actor", "what")


class CampaignList(View, ListAPIView):
    """The campaigns that the user runs; a new one."""

    serializer_class = BriefCampaign

    def get_queryset(self) -> QuerySet[Campaign]:
        """Of a site operator all."""
        return access.campaigns_run_by(self.request.user)

    @extend_schema(request=NewCampaign, responses={201: WholeCampaign})
    @once
    def post(self, request: Request) -> Response:
        """Make a campaign and run it."""
        access.check_may_make_campaigns(request.user)
        given = dict(asked(NewCampaign, request).validated_data)
        made = settings.create(request.user.get_username(), given.pop("preset"), **given)
        told = WholeCampaign(made, context={"request": request}).data
        return Response(told, status.HTTP_201_CREATED, headers={"Location": told["url"]})


class CampaignDetail(View):
    """One campaign."""

    @extend_schema(responses=WholeCampaign)
    def get(self, request: Request, slug: str) -> Response:
        """Its settings, and how far it is."""
        return _told(request, access.campaign_to_organise(request.user, slug))

    @extend_schema(request=ChangedCampaign, responses=WholeCampaign)
    def patch(self, request: Request, slug: str) -> Response:
        """Change settings; what screens were dealt by cannot be changed afterwards."""
        campaign = access.campaign_to_organise(request.user, slug)
        return _told(request, settings.configure(campaign, **asked(ChangedCampaign, request, campaign).validated_data))

    @extend_schema(parameters=[TYPED], responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        """Delete it for good, with everything in it."""
        campaign = access.campaign_to_organise(request.user, slug)
        deleting.delete_campaign(campaign, request.query_params.get("typed", ""))
        return Response(status=status.HTTP_204_NO_CONTENT)


class CampaignState(View):
    """Opening, closing, archiving."""

    @extend_schema(request=ChangedState, responses=WholeCampaign)
    def post(self, request: Request, slug: str) -> Response:
        """Bring it there."""
        campaign = access.campaign_to_organise(request.user, slug)
        states.CHANGES[asked(ChangedState, request).validated_data["state"]](campaign)
        campaign.refresh_from_db()
        return _told(request, campaign)


class Journal(View, ListAPIView):
    """Who did what, the newest first."""

    serializer_class = JournalEntrySerializer

    def get_queryset(self) -> QuerySet[JournalEntry]:
        """In a campaign that the user runs."""
        return JournalEntry.objects.filter(campaign=access.campaign_to_organise(self.request.user, self.kwargs["slug"]))


def _told(request: Request, campaign: Campaign) -> Response:
    return Response(WholeCampaign(campaign, context={"request": request}).data)
