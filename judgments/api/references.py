"""Corrections as references of another campaign."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.asked import Asked, asked
from judgments.api.base.once import once
from judgments.api.base.views import View
from judgments.campaigns import access
from judgments.exchange.references import use_corrections


class ReferencesRequest(Asked):
    """The campaign that gets the corrections as references."""

    to = serializers.SlugField(max_length=50)


class ReferencesSerializer(serializers.Serializer):
    """The references created, and a digest of them."""

    campaign = serializers.CharField()
    references = serializers.ListField(child=serializers.CharField())
    sentences = serializers.IntegerField()
    digest = serializers.CharField()


class UseCorrections(View):
    """Use the corrections of a campaign in another one."""

    @extend_schema(request=ReferencesRequest, responses=ReferencesSerializer)
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Make each judge a reference in a campaign with the same sentences that the user also runs."""
        campaign = access.campaign_to_organise(request.user, slug)
        to = access.campaign_to_organise(request.user, asked(ReferencesRequest, request).validated_data["to"])
        return Response({"campaign": to.slug} | use_corrections(campaign, to)._asdict())
