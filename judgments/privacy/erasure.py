"""Erasing a judge's identity: names are deleted, answers stay, and no number changes."""

from re import Pattern
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Q

from judgments.models import Assignment, Campaign, Draft, Invitation, Judgment, MailJob, Membership, StoredResponse
from judgments.models.journal import THE_PLATFORM, acting, actor, note
from judgments.models.members import FORGOTTEN
from judgments.privacy.person import FOLLOWERS, Person, journal_lines, naming, sessions_of, words_for
from judgments.rules.errors import Refused

TYPE_IT = "Type {name} to take this judge's name out for good; nothing was changed."
HAS_POWER = (
    "This account runs a campaign or this site, or is a program, so its name cannot be taken out here. docs/data.md "
    "says what the operators of this site can do instead."
)
FORGOTTEN_ALREADY = "{name} was forgotten already: nothing here tells who it was. Nothing was changed."
WITHOUT_NAME = "took a judge's name and addresses out, on request; the answers stay"


@transaction.atomic
def forget_judge(judge: Membership, typed: str) -> str:
    """Erase a judge's name from one campaign; return the new name.

    An account created by a link is deleted too; one with a password may be used elsewhere, so its owner deletes it.
    """
    _refuse_forgotten(judge)
    if typed.strip() != judge.pseudonym:
        raise Refused(TYPE_IT.format(name=judge.pseudonym))
    user = judge.user
    name = _forget(judge)
    if user and not user.has_usable_password() and may_be_forgotten(user):
        _delete_account(user)
    return name


@transaction.atomic
def forget_person(person: Person) -> list[str]:
    """Erase a person's name from all campaigns and delete the account; return the new names."""
    if person.user and not may_be_forgotten(person.user):
        raise Refused(HAS_POWER)
    names = [_forget(judge) for judge in person.members]
    if person.user:
        _delete_account(person.user)
    return names


def may_be_forgotten(user: User) -> bool:
    """Whether users can delete their account without help from an operator."""
    others = Membership.objects.filter(user=user).exclude(role=Membership.Role.JUDGE)
    return not (user.is_staff or user.is_superuser or others.exists())


def _forget(judge: Membership) -> str:
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=judge.campaign_id)
    judge = Membership.objects.select_for_update(of=("self",)).select_related("user").get(pk=judge.pk)
    judge.campaign = campaign
    _refuse_forgotten(judge)
    words, name = words_for(judge), _free_name(campaign)
    for follower in FOLLOWERS:
        follower.rename(judge, name)
    pattern = naming(words)
    _scrub(judge, words, pattern, name)
    _drop(judge, words, pattern)
    judge.pseudonym, judge.user, judge.worker, judge.platform = name, None, "", {}
    judge.save(update_fields=["pseudonym", "user", "worker", "platform"])
    who = actor()
    # The entry must not name a user who erases their own name.
    with acting(lambda: THE_PLATFORM if pattern.fullmatch(who) else who):
        note(campaign, WITHOUT_NAME)
    return name


def _refuse_forgotten(judge: Membership) -> None:
    if judge.is_forgotten:
        raise Refused(FORGOTTEN_ALREADY.format(name=judge.pseudonym))


def _free_name(campaign: Campaign) -> str:
    """The next of forgotten-1, forgotten-2 and so on."""
    in_use = [model._base_manager.filter(campaign=campaign) for model in (Membership, Invitation)]
    taken = [name for rows in in_use for name in rows.values_list("pseudonym", flat=True)]
    numbers = [int(found[1]) for name in taken if (found := FORGOTTEN.fullmatch(name))]
    return f"forgotten-{max(numbers, default=0) + 1}"


def _scrub(judge: Membership, words: set[str], pattern: Pattern[str], name: str) -> None:
    """Replace names in the journal, the judge's comments and organisers' reasons; drop failed mails to the judge."""
    for entry in journal_lines(judge, words):
        is_own = judge.user and entry.actor == judge.user.get_username()
        entry.what, entry.actor = pattern.sub(name, entry.what)[:500], name if is_own else entry.actor
        entry.save(update_fields=["what", "actor"])
    mine = Judgment.objects.filter(assignment__judge=judge).exclude(comment="")
    for pk, comment in list(mine.values_list("pk", "comment")):
        if pattern.search(comment):
            Judgment.objects.filter(pk=pk).update(comment=pattern.sub(name, comment))
    reasoned = Membership.objects.filter(campaign=judge.campaign_id).exclude(exclusion_reason="")
    for pk, reason in list(reasoned.values_list("pk", "exclusion_reason")):
        if pattern.search(reason):
            Membership.objects.filter(pk=pk).update(exclusion_reason=pattern.sub(name, reason)[:200])
    for job in MailJob.objects.filter(campaign=judge.campaign_id):
        left = [one for one in job.unreached if not pattern.search(" ".join(map(str, one.values())))]
        MailJob.objects.filter(pk=job.pk).update(unreached=left, error=pattern.sub(name, job.error)[:500])


def _drop(judge: Membership, words: set[str], pattern: Pattern[str]) -> None:
    """Delete links, sessions, drafts and stored responses."""
    Draft.objects.filter(judge=judge).delete()
    Assignment.objects.held_by(judge).planned().waiting().update(judge=None, claimed_at=None, leased_until=None)
    invitations = Invitation.objects.filter(Q(membership=judge) | Q(campaign=judge.campaign_id, membership=None))
    named = [one.pk for one in invitations if one.membership_id == judge.pk or one.address in words - {""}]
    _drop_log(Membership, [judge.pk])
    _drop_log(Invitation, named)
    Invitation.objects.filter(pk__in=named).delete()
    kept = StoredResponse.objects.filter(address__contains=f"/{judge.campaign.slug}/")
    named = [one.pk for one in kept.iterator() if pattern.search(f"{one.content} {one.address} {one.location}")]
    StoredResponse.objects.filter(pk__in=named).delete()


def _drop_log(model: Any, keys: list[int]) -> None:
    """Delete entries about these rows from the admin site's log."""
    kind = ContentType.objects.get_for_model(model)
    LogEntry.objects.filter(content_type=kind, object_id__in=[str(key) for key in keys]).delete()


def _delete_account(user: User) -> None:
    """Delete the account, unless it is still a member of a campaign."""
    if Membership.objects.filter(user=user).exists():
        return
    for session in sessions_of(user):
        session.delete()
    _drop_log(User, [user.pk])
    user.delete()
