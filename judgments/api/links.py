"""Personal and shared links, and the mails with them."""

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from judgments.api.base.views import ListInOrder, View
from judgments.api.jobs import JobSerializer, answer
from judgments.judges import people
from judgments.models import Invitation, MailJob, SharedLink


class InvitationSerializer(serializers.ModelSerializer):
    """A personal link; anybody who has it can judge."""

    link = serializers.CharField(source="url", read_only=True)

    class Meta:
        model = Invitation
        fields = ("pseudonym", "address", "link", "expires_at")


class SharedLinkSerializer(serializers.ModelSerializer):
    """A link by which several judges can join."""

    link = serializers.CharField(source="url", read_only=True)

    class Meta:
        model = SharedLink
        fields = ("link", "most_judges", "expires_at")


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


class SharedLinkList(View):
    @extend_schema(responses=SharedLinkSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the valid shared links."""
        return Response(SharedLinkSerializer(people.shared_links(self.campaign), many=True).data)


class Mail(View):
    @extend_schema(responses=MailJobSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Return the newest mail job, and the addresses not reached."""
        newest = MailJob.objects.newest(self.campaign)
        if newest is None:
            raise NotFound("No mail has been sent yet.")
        return answer(request, newest)
