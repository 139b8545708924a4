"""Uploads: sending files, and previewing them."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.generics import ListAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.inputs import Input, check_input
from judgments.api.base.once import once
from judgments.api.base.parsing import JsonParser
from judgments.api.base.views import View
from judgments.api.jobs import JobSerializer, accepted_response, answer
from judgments.campaigns import access
from judgments.material import uploads
from judgments.material.rules.reading import EmptyLine, Roles
from judgments.material.rules.tables import ColumnRole
from judgments.material.uploads import MOST_BYTES, too_large, too_many
from judgments.models import Upload
from judgments.models.members import site_address
from judgments.rules.errors import Refused
from judgments.rules.files.archives import MOST_FILES
from judgments.rules.files.names import system_name
from judgments.rules.files.text_files import is_valid_text

MOST_NAMED = 1000


class FileRoles(Input):
    """The roles of the files, by default those of their names: the source, references (ref0, gold), or systems."""

    source = serializers.CharField(required=False, allow_null=True, help_text="The file of the original sentences.")
    source_takes_part = serializers.BooleanField(default=False)
    references = serializers.ListField(child=serializers.CharField(), default=list, max_length=MOST_NAMED)
    controls = serializers.ListField(child=serializers.CharField(), default=list, max_length=MOST_NAMED)
    empty_line = serializers.ChoiceField([choice.value for choice in EmptyLine], default=EmptyLine.ERROR.value)
    names = serializers.DictField(
        child=serializers.CharField(), default=dict, help_text="Other names for systems, by file."
    )
    dropped = serializers.ListField(
        child=serializers.CharField(), default=list, max_length=MOST_NAMED, help_text="Files to leave out."
    )

    header = serializers.ChoiceField(
        ["", "yes", "no"], default="", help_text="Whether the first row of a table has the names of its columns."
    )
    columns = serializers.DictField(
        child=serializers.ChoiceField([role.value for role in ColumnRole]),
        default=dict,
        help_text="What columns of a table hold, by their names; `text` for what is called as a reference and is none.",
    )

    def validate_names(self, names: dict[str, str]) -> dict[str, str]:
        """Refuse keys that the database refuses; values are checked by their field."""
        if len(names) > MOST_NAMED or not all(map(is_valid_text, names)):
            raise serializers.ValidationError(f"Name at most {MOST_NAMED} files, as they were uploaded.")
        return names

    def roles(self) -> Roles:
        given = self.validated_data
        return Roles(
            source=given.get("source") or None,
            source_takes_part=given["source_takes_part"],
            references=frozenset(map(system_name, given["references"])),
            controls=frozenset(map(system_name, given["controls"])),
            empty_line=EmptyLine(given["empty_line"]),
            names={system_name(file): name for file, name in given["names"].items()},
            dropped=frozenset(map(system_name, given["dropped"])),
            header=given["header"],
            columns={system_name(column): role for column, role in given["columns"].items()},
        )


class NewUpload(FileRoles):
    """Files, each named after its system, a table with a column for each, or a ZIP of them."""

    files = serializers.ListField(child=serializers.FileField(allow_empty_file=True), allow_empty=False)

    def validate_files(self, files: list[Any]) -> list[Any]:
        if len(files) > MOST_FILES:
            raise serializers.ValidationError(too_many())
        if sum(file.size or 0 for file in files) > MOST_BYTES:
            raise serializers.ValidationError(too_large())
        return files


class BriefUpload(JobSerializer):
    """An upload and its progress."""

    purpose = serializers.ChoiceField(source="about", choices=Upload.Purpose.choices)
    file_names = serializers.ListField(child=serializers.CharField(), read_only=True)

    class Meta:
        model = Upload
        fields: tuple[str, ...] = (*JobSerializer.FIELDS, "purpose", "stage", "file_names")

    def get_url(self, upload: Upload) -> str:
        return site_address("api_upload", upload.campaign.slug, upload.pk)


class FoundProblem(serializers.Serializer):
    """A problem in a file."""

    file = serializers.CharField()
    line = serializers.IntegerField(allow_null=True)
    what = serializers.CharField()


class WholeUpload(BriefUpload):
    """An upload with all findings."""

    options = serializers.DictField(read_only=True)
    names = serializers.ListField(child=serializers.CharField(), read_only=True)
    notes = serializers.ListField(child=serializers.CharField(), read_only=True)
    problems = FoundProblem(many=True, read_only=True)
    preview = serializers.DictField(read_only=True, allow_null=True)
    taken = serializers.DictField(read_only=True)
    can_be_stored = serializers.BooleanField(read_only=True)
    is_stored = serializers.BooleanField(read_only=True)

    class Meta(BriefUpload.Meta):
        fields = (
            *BriefUpload.Meta.fields, "options", "names", "notes", "problems", "preview", "can_be_stored", "is_stored",
            "taken",
        )  # fmt: skip


class UploadList(View, ListAPIView):
    """Uploads that are not stored yet."""

    serializer_class = BriefUpload
    parser_classes = (MultiPartParser,)
    refusal = staticmethod(too_large)

    def get_queryset(self) -> QuerySet[Upload]:
        return Upload.objects.not_stored(self.campaign).select_related("campaign")

    @extend_schema(request={"multipart/form-data": NewUpload}, responses={201: WholeUpload})
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Upload files; a worker checks them, and nothing is stored yet."""
        campaign, given = self.campaign, check_input(NewUpload, request)
        upload = uploads.upload_files(campaign, request.user, given.validated_data["files"], given.roles())
        return accepted_response(request, upload, status.HTTP_201_CREATED)


class UploadDetail(View):
    parser_classes = (JsonParser,)

    @extend_schema(responses=WholeUpload)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return the progress and the findings."""
        return answer(request, access.get_upload_or_404(request.user, slug, pk))

    @extend_schema(request=FileRoles, responses=WholeUpload)
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        """Change the roles of the files, and check them again."""
        upload = access.get_upload_or_404(request.user, slug, pk)
        if upload.purpose == Upload.Purpose.JUDGMENTS:
            raise Refused("This file holds judgments and has no role. Post its options to judgments/import/ID/check/.")
        uploads.check_again(upload, check_input(FileRoles, request).roles())
        return answer(request, upload)
