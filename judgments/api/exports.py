"""Exports: each format as a file, identical to that of the page; corrections as references of another campaign."""

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from judgments.api.base.inputs import Input, checked
from judgments.api.base.once import once
from judgments.api.base.views import View
from judgments.campaigns import access
from judgments.exchange.downloads import WishesForm, file_of
from judgments.exchange.exporters import EXPORTS
from judgments.exchange.references import use_corrections

WISHES = [OpenApiParameter(name, str, enum=["on"]) for name in WishesForm.base_fields]


class ExportSerializer(serializers.Serializer):
    """A format, and why the campaign cannot be exported in it, if it cannot."""

    url = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    fault = serializers.CharField(allow_null=True)


class ExportList(View):
    @extend_schema(responses=ExportSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the formats with their descriptions."""
        return Response(
            {
                "url": reverse("api_export", [slug, export.name], request=request),
                "name": export.name,
                "about": export.about,
                "fault": export.fault(self.campaign),
            }
            for export in EXPORTS.values()
        )


class ExportFile(View):
    @extend_schema(parameters=WISHES, responses={(200, "*/*"): OpenApiTypes.BINARY})
    def get(self, request: Request, slug: str, name: str) -> HttpResponseBase:
        """Stream the file."""
        return file_of(self.campaign, name, WishesForm(request.query_params).wishes())


class ReferencesRequest(Input):
    """The campaign that gets the corrections as references."""

    to = serializers.SlugField(max_length=50)


class ReferencesSerializer(serializers.Serializer):
    """The references created, and a digest of them."""

    campaign = serializers.CharField()
    references = serializers.ListField(child=serializers.CharField())
    sentences = serializers.IntegerField()
    digest = serializers.CharField()


class UseCorrections(View):
    @extend_schema(request=ReferencesRequest, responses=ReferencesSerializer)
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Make each judge a reference in a campaign with the same sentences that the user also runs."""
        campaign = self.campaign
        to = access.campaign_to_organise(request.user, checked(ReferencesRequest, request).validated_data["to"])
        return Response({"campaign": to.slug} | use_corrections(campaign, to)._asdict())
