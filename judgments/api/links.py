"""Personal and shared links: creating, mailing, revoking."""

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.inputs import Input, checked
from judgments.api.base.once import once
from judgments.api.base.views import ListInOrder, View
from judgments.api.jobs import JobSerializer, answer
from judgments.judges import invitations, people
from judgments.judges.invitations import LONGEST_LINK
from judgments.models import Invitation, MailJob, SharedLink

MOST_INVITED = 1000


class Guests(Input):
    """The judges to invite."""

    names = serializers.ListField(
        child=serializers.CharField(max_length=254), allow_empty=False, max_length=MOST_INVITED,
        help_text="Pseudonyms or mail addresses.",
    )  # fmt: skip
    days = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=LONGEST_LINK)


class InvitationSerializer(serializers.ModelSerializer):
    """A personal link; anybody who has it can judge."""

    link = serializers.SerializerMethodField()

    class Meta:
        model = Invitation
        fields = ("pseudonym", "address", "link", "expires_at")

    def get_link(self, invitation: Invitation) -> str:
        return invitation.url


class SharedLinkSerializer(serializers.Serializer):
    """A link by which several judges can join."""

    link = serializers.CharField()
    most_judges = serializers.IntegerField()
    expires_at = serializers.DateTimeField(allow_null=True)


class Unreached(serializers.Serializer):
    """An address not reached."""

    address = serializers.CharField()
    why = serializers.CharField()


class MailJobSerializer(JobSerializer):
    """The progress of sending mails, and the addresses not reached."""

    sent = serializers.IntegerField(source="outcome.sent", read_only=True)
    unreached = Unreached(source="problems", many=True, read_only=True)

    class Meta:
        model = MailJob
        fields = (*JobSerializer.FIELDS, "sent", "unreached")


class InvitationList(ListInOrder):
    """Valid personal links."""

    serializer_class = InvitationSerializer

    def get_queryset(self) -> QuerySet[Invitation]:
        return people.personal_links(self.campaign)

    @extend_schema(request=Guests, responses={201: InvitationSerializer(many=True)})
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Invite judges; those invited before keep their link."""
        campaign, given = self.campaign, checked(Guests, request).validated_data
        made = invitations.invite(campaign, given["names"], given.get("days"))
        links = InvitationSerializer(made, many=True, context={"request": request}).data
        return Response({"results": links}, status.HTTP_201_CREATED)


class SharedLinkList(View):
    @extend_schema(responses=SharedLinkSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the valid shared links."""
        links = people.shared_links(self.campaign)
        return Response([_shared(link) for link in links])


class Mail(View):
    @extend_schema(responses=MailJobSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return the newest mail job, and the addresses not reached."""
        newest = MailJob.objects.newest(self.campaign)
        if newest is None:
            raise NotFound("No mail has been sent yet.")
        return answer(request, newest)


def _shared(link: SharedLink) -> dict[str, object]:
    return {"link": link.url, "most_judges": link.most_judges, "expires_at": link.expires_at}
