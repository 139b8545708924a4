"""The rule of exclusion for programs: applied to all judges, at once or by a worker."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from judgments import tasks
from judgments.api.base.views import View
from judgments.campaigns import access
from judgments.jobs import attempts
from judgments.judges import exclusion_job
from judgments.models import Ruling
from judgments.rules.errors import Refused


class AppliedSerializer(serializers.Serializer):
    """What the rule changed."""

    excluded = serializers.IntegerField()
    included = serializers.IntegerField()


class RulingSerializer(serializers.ModelSerializer):
    """The rule as a worker applies it to very many judgments."""

    url = serializers.SerializerMethodField()

    class Meta:
        model = Ruling
        fields = (
            "url", "id", "state", "progress", "step", "error", "excluded", "included", "created_at", "finished_at",
        )  # fmt: skip

    def get_url(self, ruling: Ruling) -> str:
        """Where it is followed."""
        return reverse("api_ruling", [ruling.campaign.slug, ruling.pk], request=self.context["request"])


class ApplyRule(View):
    """The rule of exclusion."""

    @extend_schema(request=None, responses={200: AppliedSerializer, 202: RulingSerializer})
    def post(self, request: Request, slug: str) -> Response:
        """Exclude and include by it, now or as soon as a worker has the time."""
        applied = exclusion_job.carry_out(access.campaign_to_organise(request.user, slug), request.user)
        if not isinstance(applied, Ruling):
            return Response(applied._asdict())
        tasks.enqueue(applied)
        told = RulingSerializer(applied, context={"request": request}).data
        return Response(told, status.HTTP_202_ACCEPTED, headers={"Location": told["url"]})


class RulingDetail(View):
    """The rule that a worker applies."""

    @extend_schema(responses=RulingSerializer)
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """How far it is."""
        return Response(RulingSerializer(access.ruling_of(request.user, slug, pk), context={"request": request}).data)


class CancelRuling(View):
    """The end of such work."""

    @extend_schema(request=None, responses=RulingSerializer)
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Leave the judges who were not looked at yet as they are."""
        ruling = access.ruling_of(request.user, slug, pk)
        if not attempts.cancel(ruling):
            raise Refused("This was over already.")
        ruling.refresh_from_db()
        return Response(RulingSerializer(ruling, context={"request": request}).data)
