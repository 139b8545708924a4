"""Programs that judge, for organisers."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.asked import Asked, asked
from judgments.api.base.views import View
from judgments.campaigns import access
from judgments.judges import people, programs
from judgments.models import Membership


class NewProgram(Asked):
    """The name of a program."""

    name = serializers.CharField(max_length=80)


class ProgramSerializer(serializers.ModelSerializer):
    """A program that judges, and the number of its judgments."""

    done = serializers.IntegerField()

    class Meta:
        model = Membership
        fields = ("id", "pseudonym", "joined_at", "removed_at", "done")


class EnrolledProgram(serializers.Serializer):
    """A program's token, shown only once."""

    name = serializers.CharField()
    token = serializers.CharField()


class ProgramList(View):
    """Programs that judge."""

    @extend_schema(responses=ProgramSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the programs by name."""
        return Response(
            ProgramSerializer(people.programs(access.campaign_to_organise(request.user, slug)), many=True).data
        )

    @extend_schema(request=NewProgram, responses={201: EnrolledProgram})
    def post(self, request: Request, slug: str) -> Response:
        """Give a program a token, which replaces an earlier one."""
        campaign, name = (
            access.campaign_to_organise(request.user, slug),
            asked(NewProgram, request).validated_data["name"],
        )
        return Response({"name": name, "token": programs.enrol(campaign, name)}, status.HTTP_201_CREATED)


class ProgramDetail(View):
    """One program."""

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """End the program's access; its judgments stay."""
        programs.dismiss(access.program_to_organise(access.campaign_to_organise(request.user, slug), pk))
        return Response(status=status.HTTP_204_NO_CONTENT)
