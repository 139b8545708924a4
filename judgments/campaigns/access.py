"""Permissions: functions return the object, or raise 404 for strangers and 403 for users in the wrong role."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy

from judgments.models import (
    Assignment,
    Campaign,
    ImportJob,
    Invitation,
    Job,
    MailJob,
    Membership,
    SharedLink,
    Submission,
    System,
    Team,
    Upload,
)
from judgments.models.jobs import job_models
from judgments.models.members import RUNNING, LinkQuerySet, Visitor

ONLY_PROGRAMS = (
    "Only programs judge through the API; people judge in the browser. "
    "A program gets its token from the organiser of the campaign."
)
ONLY_ORGANISERS = gettext_lazy("Only organisers of this campaign may do that.")


def get_campaign_or_404(user: Visitor, slug: str) -> Campaign:
    return get_object_or_404(Campaign.objects.of(user), slug=slug)


def _roles(user: Visitor, *roles: str) -> QuerySet[Membership]:
    """The user's current memberships in one of these roles."""
    return Membership.objects.filter(user=user.pk, role__in=roles, removed_at=None)


def is_organiser(user: Visitor, campaign: Campaign) -> bool:
    return user.is_superuser or _roles(user, Membership.Role.ORGANISER).filter(campaign=campaign).exists()


def campaigns_run_by(user: Visitor, *, or_observed: bool = False) -> QuerySet[Campaign]:
    if user.is_superuser:
        return Campaign.objects.all()
    roles = RUNNING if or_observed else RUNNING[:1]
    return Campaign.objects.filter(pk__in=_roles(user, *roles).values("campaign"))


def get_campaign_to_organise_or_404(user: Visitor, slug: str) -> Campaign:
    campaign = get_campaign_or_404(user, slug)
    if not is_organiser(user, campaign):
        raise PermissionDenied(ONLY_ORGANISERS)
    return campaign


def get_campaign_to_see_or_404(user: Visitor, slug: str) -> Campaign:
    """A campaign that the user organises or observes; pages show observers no buttons."""
    campaign = get_campaign_or_404(user, slug)
    roles = set(_roles(user, *RUNNING).filter(campaign=campaign).values_list("role", flat=True))
    if not roles and not user.is_superuser:
        raise PermissionDenied(ONLY_ORGANISERS)
    campaign.is_observed = roles == {Membership.Role.OBSERVER} and not user.is_superuser
    return campaign


def may_make_campaigns(user: Visitor) -> bool:
    """Whether the user may create a campaign: staff, and users who already run one."""
    return user.is_authenticated and (user.is_staff or _roles(user, Membership.Role.ORGANISER).exists())


def check_may_make_campaigns(user: Visitor) -> None:
    if not may_make_campaigns(user):
        raise PermissionDenied("Only organisers can create campaigns. Ask the operator of this site to become one.")


def check_operates(user: Visitor) -> None:
    """Refuse everybody but the operators of the site."""
    if not user.is_superuser:
        raise PermissionDenied("Only operators of this site can see this page.")


def get_system_or_404(user: Visitor, slug: str, pk: int) -> System:
    campaign = get_campaign_to_organise_or_404(user, slug)
    return get_object_or_404(System.objects.select_related("campaign"), campaign=campaign, pk=pk)


def get_upload_or_404(user: Visitor, slug: str, pk: int, **chosen: str) -> Upload:
    """An upload of a campaign that the user runs; `chosen` may say what it is about.

    It and reports are found by `id`: `pk` is the key of their own table, for which Django lets numbers that no
    database holds raise an error.
    """
    campaign = get_campaign_to_organise_or_404(user, slug)
    return get_object_or_404(Upload.objects.select_related("campaign"), campaign=campaign, id=pk, **chosen)


def jobs_named(kind: str) -> QuerySet[Job]:
    if kind not in job_models():
        raise Http404("There is no such kind of job.")
    return job_models()[kind].objects.all()


def get_job_or_404(user: Visitor, kind: str, pk: int) -> Any:
    """A job of a campaign that the user runs or observes, or one of the user's own."""
    rows = jobs_named(kind).select_related("campaign")
    if kind == ImportJob.KIND:
        return get_object_or_404(rows, requested_by=user.pk, id=pk)
    job = get_object_or_404(rows.filter(campaign__in=Campaign.objects.of(user)), id=pk)
    allowed = (
        get_campaign_to_organise_or_404 if isinstance(job, MailJob) else get_campaign_to_see_or_404
    )  # mails name addresses
    job.campaign = allowed(user, job.campaign.slug)
    return job


def get_job_to_cancel_or_404(user: Visitor, kind: str, pk: int) -> Any:
    job = get_job_or_404(user, kind, pk)
    if kind != ImportJob.KIND:
        job.campaign = get_campaign_to_organise_or_404(user, job.campaign.slug)
    return job


def judge_in(user: Visitor, campaign: Campaign) -> Membership | None:
    judges = _roles(user, Membership.Role.JUDGE).select_related("campaign", "invitation")
    return judges.filter(campaign=campaign).first()


def get_judge_or_404(user: Visitor, slug: str) -> Membership:
    judge = judge_in(user, get_campaign_or_404(user, slug))
    if judge is None:
        raise PermissionDenied(gettext_lazy("Only judges of this campaign may do that."))
    return judge


def get_program_or_404(user: Visitor, slug: str) -> Membership:
    programs = _roles(user, Membership.Role.PROGRAM).select_related("campaign")
    program = programs.filter(campaign=get_campaign_or_404(user, slug)).first()
    if program is None:
        raise PermissionDenied(ONLY_PROGRAMS)
    return program


def get_program_assignment_or_404(user: Visitor, pk: int) -> Assignment:
    """An assignment that the user holds as a program."""
    assignment = get_assignment_or_404(user, pk, is_shown=True)
    if assignment.holder.role != Membership.Role.PROGRAM:
        raise PermissionDenied(ONLY_PROGRAMS)
    return assignment


def get_assignment_or_404(user: Visitor, pk: int, is_shown: bool = False) -> Assignment:
    """An assignment that the user holds as a judge; `is_shown` also fetches what its page needs."""
    assignments = Assignment.objects.with_campaign()
    if is_shown:
        related = ("campaign", "judge__invitation", "screen__segment", "screen__usage")
        assignments = Assignment.objects.select_related(*related)
    return get_object_or_404(assignments, judge__user=user.pk, judge__removed_at=None, pk=pk)


def judge_for_assignment(user: Visitor, pk: int) -> Membership | None:
    """The user as a judge of the assignment's campaign, who may have held it before another judge did."""
    return _roles(user, Membership.Role.JUDGE).filter(campaign__assignment=pk).first()


def get_invitation_or_404(token: str) -> Invitation:
    """A valid personal link."""
    return _link(Invitation.objects.filter(membership__removed_at=None).select_related("membership__user"), token)


def get_shared_link_or_404(token: str) -> SharedLink:
    return _link(SharedLink.objects.all(), token)


def get_study_link_or_404(token: str) -> SharedLink:
    """A shared link, valid or not: the events of a study come after its last judge has joined."""
    return get_object_or_404(SharedLink.objects.select_related("campaign"), token=token)


def _link(links: LinkQuerySet, token: str) -> Any:
    link = links.valid().select_related("campaign").filter(token=token).first()
    if link is None:
        raise Http404(gettext_lazy("This invitation is no longer valid. Ask the organiser for a new link."))
    return link


def get_team_or_404(token: str) -> Team:
    """The team of a link, which shows what was received after the deadline too."""
    return get_object_or_404(Team.objects.select_related("campaign"), token=token, revoked_at=None)


def get_submission_or_404(campaign: Campaign, pk: int) -> Submission:
    return get_object_or_404(Submission.objects.select_related("team"), team__campaign=campaign, pk=pk)


def get_link_or_404(campaign: Campaign, token: str) -> Invitation | SharedLink | Team:
    for kind in (Invitation, SharedLink, Team):
        if link := kind.objects.filter(campaign=campaign, token=token).first():
            return link
    raise Http404("There is no such link.")
