"""The people of a campaign for programs: who judges and how, who is invited, who counts; and programs that judge."""

from collections.abc import Callable

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import NotFound
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from judgments import access, exclusion, invitations, mailing, overview, programs, quotas, tasks
from judgments.api.base.asked import Asked, asked
from judgments.api.base.once import once
from judgments.api.base.paging import InOrder
from judgments.api.base.views import View
from judgments.exclusion import LONGEST_REASON
from judgments.forms.links import LONGEST_LINK
from judgments.mailing import LINK, fault_of_text
from judgments.models import Campaign, Conduct, Invitation, Mailing, Membership, SharedLink
from judgments.models.campaign import MOST_BATCHES
from judgments.models.mailings import LONGEST_SUBJECT
from judgments.models.members import MOST_BY_ONE_LINK

MOST_INVITED = 1000


class ToldConduct(serializers.ModelSerializer):
    """How a judge had worked when that was last counted."""

    pace = serializers.FloatField(allow_null=True, help_text="Screens an hour of active time.")
    hours = serializers.FloatField()
    tie_share = serializers.FloatField(allow_null=True)
    extreme_share = serializers.FloatField(allow_null=True)

    class Meta:
        model = Conduct
        fields = (
            "screens", "median_seconds", "pace", "hours", "tie_share", "extreme_share", "controls", "controls_passed",
            "counted_up_to", "others_kappa", "self_kappa", "position_p_value", "compared_at",
        )  # fmt: skip


class ToldJudge(serializers.ModelSerializer):
    """A judge, by pseudonym."""

    done = serializers.IntegerField(read_only=True)
    batches = serializers.IntegerField(read_only=True)
    last = serializers.DateTimeField(read_only=True, allow_null=True)
    conduct = ToldConduct(read_only=True, default=None, allow_null=True)

    class Meta:
        model = Membership
        fields = (
            "id", "pseudonym", "joined_at", "done", "batches", "quota", "last", "excluded_at", "exclusion_reason",
            "excluded_by_rule", "conduct",
        )  # fmt: skip


class Guests(Asked):
    """Whom to invite."""

    names = serializers.ListField(
        child=serializers.CharField(max_length=254), allow_empty=False, max_length=MOST_INVITED,
        help_text="Pseudonyms or mail addresses.",
    )  # fmt: skip
    days = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=LONGEST_LINK)


class ToldInvitation(serializers.ModelSerializer):
    """A personal link; whoever has it can judge."""

    link = serializers.SerializerMethodField()

    class Meta:
        model = Invitation
        fields = ("pseudonym", "address", "link", "expires_at")

    def get_link(self, invitation: Invitation) -> str:
        """The whole address."""
        return reverse("join", [invitation.token], request=self.context["request"])


class Places(Asked):
    """How many a shared link lets in."""

    most_judges = serializers.IntegerField(min_value=1, max_value=MOST_BY_ONE_LINK)
    days = serializers.IntegerField(required=False, allow_null=True, min_value=1, max_value=LONGEST_LINK)


class ToldSharedLink(serializers.Serializer):
    """A link by which many can join."""

    link = serializers.CharField()
    most_judges = serializers.IntegerField()
    expires_at = serializers.DateTimeField(allow_null=True)


class NewMailing(Asked):
    """What is written to them."""

    subject = serializers.CharField(max_length=LONGEST_SUBJECT)
    text = serializers.CharField(help_text=f"With {LINK} where the personal link goes.")

    def validate_subject(self, subject: str) -> str:
        """One line."""
        return " ".join(subject.split())

    def validate_text(self, text: str) -> str:
        """With the link in it."""
        if fault := fault_of_text(text):
            raise serializers.ValidationError(fault)
        return text


class Unreached(serializers.Serializer):
    """Somebody who got no mail."""

    address = serializers.CharField()
    why = serializers.CharField()


class ToldMailing(serializers.ModelSerializer):
    """How far it is."""

    unreached = Unreached(many=True, read_only=True)

    class Meta:
        model = Mailing
        fields = ("state", "progress", "error", "sent", "unreached", "created_at", "finished_at")


class GivenToken(Asked):
    """The last part of a link."""

    token = serializers.CharField(max_length=64)


class GivenReason(Asked):
    """Why."""

    reason = serializers.CharField(max_length=LONGEST_REASON)


class GivenQuota(Asked):
    """The most batches for a judge; null for what the campaign says."""

    quota = serializers.IntegerField(min_value=0, max_value=MOST_BATCHES, allow_null=True)


class ToldApplied(serializers.Serializer):
    """What the rule changed."""

    excluded = serializers.IntegerField()
    included = serializers.IntegerField()


class NewProgram(Asked):
    """How a program is called."""

    name = serializers.CharField(max_length=80)


class ToldProgram(serializers.ModelSerializer):
    """A program that judges, and the number of its judgments."""

    done = serializers.IntegerField()

    class Meta:
        model = Membership
        fields = ("id", "pseudonym", "joined_at", "removed_at", "done")


class EnrolledProgram(serializers.Serializer):
    """A program's token; it is told this once."""

    name = serializers.CharField()
    token = serializers.CharField()


class JudgeList(View, ListAPIView):
    """The judges."""

    serializer_class = ToldJudge
    pagination_class = InOrder

    def get_queryset(self) -> QuerySet[Membership]:
        """Of a campaign that the user runs."""
        return overview.judges(_campaign(self.request, self.kwargs["slug"]))


class InvitationList(View, ListAPIView):
    """Personal links that let somebody in; new ones."""

    serializer_class = ToldInvitation
    pagination_class = InOrder

    def get_queryset(self) -> QuerySet[Invitation]:
        """Of a campaign that the user runs."""
        return overview.personal_links(_campaign(self.request, self.kwargs["slug"]))

    @extend_schema(request=Guests, responses={201: ToldInvitation(many=True)})
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Invite; who was invited before keeps the link."""
        campaign, given = _campaign(request, slug), asked(Guests, request).validated_data
        made = invitations.invite(campaign, given["names"], given.get("days"))
        told = ToldInvitation(made, many=True, context={"request": request}).data
        return Response({"results": told}, status.HTTP_201_CREATED)


class SharedLinkList(View):
    """Links for many."""

    @extend_schema(responses=ToldSharedLink(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """Those that let somebody in."""
        links = overview.shared_links(_campaign(request, slug))
        return Response([_shared(request, link) for link in links])

    @extend_schema(request=Places, responses={201: ToldSharedLink})
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Make one."""
        link = invitations.share(_campaign(request, slug), **asked(Places, request).validated_data)
        return Response(_shared(request, link), status.HTTP_201_CREATED)


class Mail(View):
    """Sending personal links by mail."""

    @extend_schema(responses=ToldMailing)
    def get(self, request: Request, slug: str) -> Response:
        """The newest mailing, and whom it did not reach."""
        newest = overview.newest_mailing(_campaign(request, slug))
        if newest is None:
            raise NotFound("Nothing was sent by mail yet.")
        return Response(ToldMailing(newest).data)

    @extend_schema(request=NewMailing, responses={202: ToldMailing})
    @once
    def post(self, request: Request, slug: str) -> Response:
        """Have everybody who was invited by an address, and got nothing yet, sent the own link."""
        campaign, given = _campaign(request, slug), asked(NewMailing, request).validated_data
        asked_for = mailing.ask(campaign, request.user, **given, site=request.build_absolute_uri("/").rstrip("/"))
        tasks.enqueue_mailing(asked_for)
        return Response(ToldMailing(asked_for).data, status.HTTP_202_ACCEPTED)


class RevokeLink(View):
    """The end of a link."""

    @extend_schema(request=GivenToken, responses={204: None})
    def post(self, request: Request, slug: str) -> Response:
        """Let nobody in by it any more."""
        campaign = _campaign(request, slug)
        invitations.revoke(access.link_to_revoke(campaign, asked(GivenToken, request).validated_data["token"]))
        return Response(status=status.HTTP_204_NO_CONTENT)


class ExcludeJudge(View):
    """Not counting a judge."""

    @extend_schema(request=GivenReason, responses={204: None})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """What was judged stays stored."""
        return _decide(request, slug, pk, exclusion.exclude)


class IncludeJudge(View):
    """Counting a judge again."""

    @extend_schema(request=GivenReason, responses={204: None})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Whatever the rule says."""
        return _decide(request, slug, pk, exclusion.include)


class JudgeQuota(View):
    """How many batches one judge may do."""

    @extend_schema(request=GivenQuota, responses={204: None})
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """Store it."""
        judge = access.judge_to_organise(_campaign(request, slug), pk)
        quotas.set_quota(judge, asked(GivenQuota, request).validated_data["quota"])
        return Response(status=status.HTTP_204_NO_CONTENT)


class ApplyRule(View):
    """The rule of exclusion."""

    @extend_schema(request=None, responses=ToldApplied)
    def post(self, request: Request, slug: str) -> Response:
        """Exclude and include by it, now."""
        return Response(exclusion.apply_rule(_campaign(request, slug))._asdict())


class ProgramList(View):
    """Programs that judge."""

    @extend_schema(responses=ToldProgram(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """By name."""
        return Response(ToldProgram(overview.programs(_campaign(request, slug)), many=True).data)

    @extend_schema(request=NewProgram, responses={201: EnrolledProgram})
    def post(self, request: Request, slug: str) -> Response:
        """Give a program a token, in the place of any that it had."""
        campaign, name = _campaign(request, slug), asked(NewProgram, request).validated_data["name"]
        return Response({"name": name, "token": programs.enrol(campaign, name)}, status.HTTP_201_CREATED)


class ProgramDetail(View):
    """One program."""

    @extend_schema(responses={204: None})
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """End its access; what it judged stays."""
        programs.dismiss(access.program_to_organise(_campaign(request, slug), pk))
        return Response(status=status.HTTP_204_NO_CONTENT)


def _campaign(request: Request, slug: str) -> Campaign:
    return access.campaign_to_organise(request.user, slug)


def _decide(request: Request, slug: str, pk: int, verb: Callable[[Membership, str], None]) -> Response:
    judge = access.judge_to_organise(_campaign(request, slug), pk)
    verb(judge, asked(GivenReason, request).validated_data["reason"])
    return Response(status=status.HTTP_204_NO_CONTENT)


def _shared(request: Request, link: SharedLink) -> dict[str, object]:
    address = reverse("join_shared", [link.token], request=request)
    return {"link": address, "most_judges": link.most_judges, "expires_at": link.expires_at}
