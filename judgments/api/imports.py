"""Campaigns from bundles for programs: one handed in, and how far the work on it is."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from judgments import tasks
from judgments.api.base.asked import Asked, asked
from judgments.api.base.once import once
from judgments.api.base.parsing import refuse_too_much
from judgments.api.base.views import View
from judgments.archive import import_job
from judgments.archive.import_job import too_large_a_bundle
from judgments.campaigns import access
from judgments.jobs import attempts
from judgments.material.uploads import MOST_BYTES
from judgments.models import Import
from judgments.rules.errors import Refused


class NewImport(Asked):
    """A bundle, and another short name for its campaign if wished."""

    bundle = serializers.FileField()
    slug = serializers.SlugField(max_length=50, required=False, default="", allow_blank=True)


class ImportSerializer(serializers.ModelSerializer):
    """How far the work is, what was wrong, or the campaign that was made."""

    url = serializers.SerializerMethodField()
    campaign = serializers.CharField(source="campaign.slug", default=None, allow_null=True)
    problems = serializers.ListField(child=serializers.DictField(), read_only=True)

    class Meta:
        model = Import
        fields = (
            "url", "id", "file_name", "state", "progress", "step", "error", "problems", "campaign", "created_at",
            "finished_at",
        )  # fmt: skip

    def get_url(self, bundle: Import) -> str:
        """Where it is followed."""
        return reverse("api_import", [bundle.pk], request=self.context["request"])


class ImportList(View):
    """Bundles."""

    parser_classes = (MultiPartParser,)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Nothing is read of what is too large."""
        super().initial(request, *args, **kwargs)
        refuse_too_much(request, MOST_BYTES, too_large_a_bundle())

    @extend_schema(request={"multipart/form-data": NewImport}, responses={201: ImportSerializer})
    @once
    def post(self, request: Request) -> Response:
        """Hand one in; the worker makes a campaign of it, which the user then runs."""
        access.check_may_make_campaigns(request.user)
        given = asked(NewImport, request).validated_data
        file = given["bundle"]
        bundle = import_job.hand_in(request.user, file.name or "", file.read(), given["slug"])
        tasks.enqueue(bundle)
        told = ImportSerializer(bundle, context={"request": request}).data
        return Response(told, status.HTTP_201_CREATED, headers={"Location": told["url"]})


class ImportDetail(View):
    """One import."""

    @extend_schema(responses=ImportSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """How far it is."""
        return Response(ImportSerializer(access.import_of(request.user, pk), context={"request": request}).data)


class CancelImport(View):
    """The end of an import."""

    @extend_schema(request=None, responses=ImportSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Stop it."""
        bundle = access.import_of(request.user, pk)
        if not attempts.cancel(bundle):
            raise Refused("This was over already.")
        bundle.refresh_from_db()
        return Response(ImportSerializer(bundle, context={"request": request}).data)
