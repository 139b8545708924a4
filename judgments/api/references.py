"""Corrections as references of another campaign, for programs."""

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
    """The campaign whose references corrections become."""

    to = serializers.SlugField(max_length=50)


class ReferencesSerializer(serializers.Serializer):
    """What was made, and a digest of it."""

    campaign = serializers.CharField()
    references = serializers.ListField(child=serializers.CharField())
    sentences = serializers.IntegerField()
    digest = serializers.CharField()


class UseCorrections(View):
    """The corrections of a campaign, for another one."""

    @extend_schema(request=ReferencesRequest, responses=ReferencesSerializer)
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Make a reference of each judge, in a campaign with the same sentences that the user runs too."""
        campaign = access.campaign_to_organise(request.user, slug)
        to = access.campaign_to_organise(request.user, asked(ReferencesRequest, request).validated_data["to"])
        return Response({"campaign": to.slug} | use_corrections(campaign, to)._asdict())
