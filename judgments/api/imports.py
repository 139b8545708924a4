"""Importing campaigns from bundles."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.asked import Asked, asked
from judgments.api.base.once import once
from judgments.api.base.parsing import refuse_too_much
from judgments.api.base.views import View
from judgments.api.jobs import JobSerializer, accepted
from judgments.archive import import_job
from judgments.archive.import_job import too_large_a_bundle
from judgments.campaigns import access
from judgments.material.uploads import MOST_BYTES
from judgments.models import ImportJob


class NewImport(Asked):
    """A bundle, and optionally another short name for its campaign."""

    bundle = serializers.FileField()
    slug = serializers.SlugField(max_length=50, required=False, default="", allow_blank=True)


class ImportJobSerializer(JobSerializer):
    """The progress of an import, its problems, or the new campaign."""

    campaign = serializers.CharField(source="campaign.slug", default=None, allow_null=True)
    problems = serializers.ListField(child=serializers.DictField(), read_only=True)

    class Meta:
        model = ImportJob
        fields = (*JobSerializer.FIELDS, "file_name", "problems", "campaign")


class ImportList(View):
    """Bundles."""

    parser_classes = (MultiPartParser,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse large requests before reading them."""
        super().initial(request, *args, **kwargs)
        refuse_too_much(request, MOST_BYTES, too_large_a_bundle())

    @extend_schema(request={"multipart/form-data": NewImport}, responses={201: ImportJobSerializer})
    @once
    def post(self, request: Request) -> Response:
        """Upload a bundle; a worker creates a campaign from it, organised by the user."""
        access.check_may_make_campaigns(request.user)
        given = asked(NewImport, request).validated_data
        file = given["bundle"]
        job = import_job.request(request.user, file.name or "", file.read(), given["slug"])
        return accepted(request, job, status.HTTP_201_CREATED)
