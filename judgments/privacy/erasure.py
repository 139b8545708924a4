"""Erasing a judge's identity: names are deleted, answers stay, and no number changes."""

import re
from collections.abc import Iterator
from re import Pattern
from typing import Any

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Q, QuerySet

from judgments.archive.tables import policy_of
from judgments.judges.invitations import taken_names
from judgments.models import (
    Campaign,
    Draft,
    EssayRating,
    Invitation,
    Job,
    Judgment,
    MailJob,
    Membership,
    StoredResponse,
    Upload,
)
from judgments.models.journal import THE_PLATFORM, acting, actor, note
from judgments.models.members import FORGOTTEN
from judgments.privacy.person import Person, journal_entries, names_of, names_pattern, privacy_hooks, sessions_of
from judgments.rules.errors import Refused

# What comes before the name of a judge in the journal.
BEFORE_A_NAME = r"^(?:excluded |included |marked )|^invited |, |\bof |: "
SHORTEST_ID = 10  # of a worker on a crowd platform, in digits
CONFIRM = "Type {name} to erase this judge's name permanently. Nothing was changed."
NOT_ERASABLE = (
    "This account runs a campaign or this site, or belongs to a program, so it cannot be erased here. docs/data.md "
    "describes what the operators of this site can do instead."
)
FORGOTTEN_ALREADY = "{name} was forgotten already; nothing stored here shows who it was. Nothing was changed."
ERASED = "erased a judge's name and addresses on request; the answers stay"


@transaction.atomic
def forget_judge(judge: Membership, typed: str) -> str:
    """Erase a judge's name from one campaign; return the new name.

    An account created by a link is deleted too; one with a password may be used elsewhere, so its owner deletes it.
    """
    _refuse_forgotten(judge)
    if typed.strip() != judge.pseudonym:
        raise Refused(CONFIRM.format(name=judge.pseudonym))
    user = judge.user
    name = _forget(judge)
    if user and not user.has_usable_password() and may_be_forgotten(user):
        _delete_account(user)
    return name


@transaction.atomic
def forget_person(person: Person) -> list[str]:
    """Erase a person's name from all campaigns and delete the account; return the new names."""
    if person.user and not may_be_forgotten(person.user):
        raise Refused(NOT_ERASABLE)
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
    numbers = [int(found[1]) for name in taken_names(campaign) if (found := FORGOTTEN.fullmatch(name))]
    old_names, name = names_of(judge), f"forgotten-{max(numbers, default=0) + 1}"
    for hook in privacy_hooks():
        hook.rename(judge, name)
    pattern = names_pattern(old_names)
    _replace_names(judge, old_names, pattern, name)
    _delete_traces(judge, old_names, pattern)
    judge.pseudonym, erased = name, policy_of(Membership).erased.split()
    for field in judge._meta.concrete_fields:
        if field.attname in erased:
            setattr(judge, field.attname, field.get_default())
    judge.save(update_fields=["pseudonym", *erased])
    who = actor()
    # The entry must not name a user who erases their own name.
    with acting(lambda: THE_PLATFORM if pattern.fullmatch(who) else who):
        note(campaign, ERASED)
    return name


def _refuse_forgotten(judge: Membership) -> None:
    if judge.is_forgotten:
        raise Refused(FORGOTTEN_ALREADY.format(name=judge.pseudonym))


def _replace_names(judge: Membership, old_names: set[str], pattern: Pattern[str], name: str) -> None:
    """Replace names in the journal and in everybody's words; drop failed mails to the judge."""
    telling = set(filter(_is_telling, old_names))
    short = "|".join(map(re.escape, old_names - telling))
    for entry in journal_entries(judge, old_names):
        is_own = judge.user and entry.actor == judge.user.get_username()
        what = names_pattern(telling).sub(name, entry.what) if telling else entry.what
        # Where no name stands, a number or a letter is one.
        what = re.sub(rf"({BEFORE_A_NAME})(?:{short})(?!\w)", rf"\g<1>{name}", what) if short else what
        entry.what, entry.actor = what[:500], name if is_own else entry.actor
        entry.save(update_fields=["what", "actor"])
    for job in MailJob.objects.filter(campaign=judge.campaign_id):
        others = [failure for failure in job.problems if not pattern.search(" ".join(map(str, failure.values())))]
        Job.objects.filter(pk=job.pk).update(problems=others)
    if not telling:
        return
    pattern = names_pattern(telling)
    for rows, column, key in _words(judge.campaign):
        longest = rows.model._meta.get_field(column).max_length
        for pk, words in list(rows.exclude(**{column: ""}).values_list("pk", column)):
            replaced = _replace(words, pattern, name, key)
            if replaced != words:
                rows.filter(pk=pk).update(**{column: replaced[:longest] if isinstance(words, str) else replaced})


def _is_telling(name: str) -> bool:
    """Whether a name in others' words can mean the judge; a letter alone and a small number mean something else."""
    return not name.isascii() or (len(name) > 1 and not (name.isdecimal() and len(name) < SHORTEST_ID))


def _words(campaign: Campaign) -> Iterator[tuple[QuerySet, str, str]]:
    """The rows of a campaign, the column in them in which somebody may have written about a judge, and a key in it.

    Answers are not among them, nor the texts for all judges.
    """
    members = Membership.objects.filter(campaign=campaign)
    yield Judgment.objects.filter(assignment__campaign=campaign), "comment", ""
    yield EssayRating.objects.filter(judgment__assignment__campaign=campaign), "reasons", ""
    yield Draft.objects.filter(assignment__campaign=campaign), "answers", "comment"
    yield members, "exclusion_reason", ""
    yield members, "message", ""
    yield Campaign.objects.filter(pk=campaign.pk), "datasheet", "words"
    yield Job.objects.filter(campaign=campaign), "error", ""
    yield Job.objects.filter(campaign=campaign).exclude(kind=MailJob.KIND), "problems", ""
    yield MailJob.objects.filter(campaign=campaign), "payload", ""
    of_judges = Upload.objects.filter(campaign=campaign, about=Upload.Purpose.JUDGMENTS)
    for column, key in (("file_names", ""), ("options", "judges"), ("preview", "by_judge"), ("notes", "")):
        yield of_judges, column, key


def _replace(words: Any, pattern: Pattern[str], name: str, key: str | None) -> Any:
    """The words with the new name; in JSON those under this key, with the keys there, or all values."""
    if isinstance(words, str):
        return pattern.sub(name, words)
    if isinstance(words, list):
        return [_replace(one, pattern, name, key) for one in words]
    if isinstance(words, dict):
        return {
            pattern.sub(name, at) if key is None else at:
                _replace(one, pattern, name, None if at == key else key)
                if not key or at == key or isinstance(one, dict) else one
            for at, one in words.items()
        }  # fmt: skip
    return words


def _delete_traces(judge: Membership, old_names: set[str], pattern: Pattern[str]) -> None:
    """Delete links, drafts, stored responses and entries in the admin site's log; give up unfinished assignments."""
    Draft.objects.filter(judge=judge).delete()
    judge.release_screens()
    invitations = Invitation.objects.filter(Q(membership=judge) | Q(campaign=judge.campaign_id, membership=None))
    links = [one.pk for one in invitations if one.membership_id == judge.pk or one.address in old_names]
    _delete_log_entries(Membership, [judge.pk])
    _delete_log_entries(Invitation, links)
    Invitation.objects.filter(pk__in=links).delete()
    members = Membership.objects.filter(campaign=judge.campaign_id, user__isnull=False).values("user")
    stored = StoredResponse.objects.filter(Q(address__contains=f"/{judge.campaign.slug}/") | Q(user__in=members))
    named = [one.pk for one in stored.iterator() if pattern.search(f"{one.content} {one.address} {one.location}")]
    StoredResponse.objects.filter(pk__in=named).delete()


def _delete_log_entries(model: Any, keys: list[int]) -> None:
    """Delete entries about these rows from the admin site's log."""
    kind = ContentType.objects.get_for_model(model)
    LogEntry.objects.filter(content_type=kind, object_id__in=[str(key) for key in keys]).delete()


def _delete_account(user: User) -> None:
    """Delete the account, unless it is still a member of a campaign."""
    if Membership.objects.filter(user=user).exists():
        return
    for session in sessions_of(user):
        session.delete()
    _delete_log_entries(User, [user.pk])
    user.delete()
