"""Exports: the formats, and each as a file, identical to that of the page."""

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from judgments.api.base.views import View
from judgments.campaigns import access
from judgments.exchange.downloads import WishesForm, file_of
from judgments.exchange.exporters import EXPORTS

WISHES = [OpenApiParameter(name, str, enum=["on"]) for name in WishesForm.base_fields]


class ExportSerializer(serializers.Serializer):
    """A format, and why the campaign cannot be exported in it, if it cannot."""

    url = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    fault = serializers.CharField(allow_null=True)


class ExportList(View):
    """The formats."""

    @extend_schema(responses=ExportSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the formats with their descriptions."""
        campaign = access.campaign_to_organise(request.user, slug)
        return Response(
            [
                {
                    "url": reverse("api_export", [slug, export.name], request=request),
                    "name": export.name,
                    "about": export.about,
                    "fault": export.fault(campaign),
                }
                for export in EXPORTS.values()
            ]
        )


class ExportFile(View):
    """One format as a file."""

    @extend_schema(parameters=WISHES, responses={(200, "*/*"): OpenApiTypes.BINARY})
    def get(self, request: Request, slug: str, name: str) -> HttpResponseBase:
        """Stream the file."""
        campaign = access.campaign_to_organise(request.user, slug)
        return file_of(campaign, name, WishesForm(request.query_params).wishes())
