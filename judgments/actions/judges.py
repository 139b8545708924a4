"""What organisers do to judges."""

from django import forms
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from judgments.actions.base import Action, Subject
from judgments.campaigns.access import check_operates
from judgments.judges import exclusion
from judgments.judges.exclusion import LONGEST_REASON
from judgments.judges.watching import sentence_of
from judgments.models import Alarm, Campaign, ExclusionJob, Membership
from judgments.models.assignments import judges_in
from judgments.models.campaign import MOST_BATCHES
from judgments.models.journal import note
from judgments.models.members import LONGEST_MESSAGE
from judgments.privacy.erasure import CONFIRM, forget_judge, forget_person
from judgments.privacy.person import Person
from judgments.rules.errors import Refused

UNDONE = "the exclusion was undone"


def _judges(campaign: Campaign) -> QuerySet[Membership]:
    return judges_in(campaign).filter(removed_at=None).select_related("campaign")


def _alarms(campaign: Campaign) -> QuerySet[Alarm]:
    return Alarm.objects.filter(judge__campaign=campaign, judge__removed_at=None).select_related("judge")


def _reason() -> forms.CharField:
    return forms.CharField(max_length=LONGEST_REASON, error_messages={"required": "Give a short reason."})


class JudgeAction(Action):
    about = Subject("judge", _judges, "pseudonym")
    page = "judge"
    subject: Membership

    def return_address(self) -> str:
        return reverse(self.page, args=[self.campaign.slug, self.subject.pk])


class ExcludeJudge(JudgeAction):
    """Exclude a judge's answers from reports; they stay stored, and exports mark them."""

    address = "judges/<int:pk>/exclude/"
    reason = _reason()
    judged_again = forms.NullBooleanField(
        required=False, help_text="Whether others judge these screens again; by default as the exclusion rule does."
    )

    def do(self, reason: str, judged_again: bool | None) -> str:
        exclusion.exclude(self.subject, reason, judged_again)
        self.undone_by(IncludeJudge, self.subject, reason=UNDONE, follows_rule=self.subject.kept_at is None)
        return f"{self.subject.pseudonym} was excluded; the judgments stay stored."


class IncludeJudge(JudgeAction):
    """Include an excluded judge's answers in reports again, whatever the exclusion rule says."""

    address = "judges/<int:pk>/include/"
    reason = _reason()
    follows_rule = forms.BooleanField(required=False, help_text="Whether the rule may exclude the judge again.")

    def do(self, reason: str, follows_rule: bool) -> str:
        judge = self.subject
        exclusion.include(judge, reason, follows_rule)
        if not judge.excluded_by_rule:
            self.undone_by(ExcludeJudge, judge, reason=judge.exclusion_reason, judged_again=judge.judged_again)
        return f"{self.subject.pseudonym} was included again."


class SetQuota(JudgeAction):
    """Limit a judge to a number of batches; without one, the campaign's limit applies."""

    address = "judges/<int:pk>/quota/"
    quota = forms.IntegerField(required=False, min_value=0, max_value=MOST_BATCHES, label="Batches for this judge")

    def do(self, quota: int | None) -> str:
        name, most = self.subject.pseudonym, "the campaign's" if quota is None else str(quota)
        Membership.objects.filter(pk=self.subject.pk).update(quota=quota)
        self.undone_by(SetQuota, self.subject, quota=self.subject.quota)
        note(self.campaign, f"set the quota of batches of {name} to {most}")
        if quota is None:
            return f"The campaign's limit applies to {name}."
        return f"{name} gets at most {quota} batch{'es' * (quota != 1)}."


class MarkExpert(JudgeAction):
    """Mark a judge as an expert, with whom reports compare the others, or as one of the crowd."""

    address = "judges/<int:pk>/expert/"
    is_expert = forms.BooleanField(required=False, label="Expert")

    def do(self, is_expert: bool) -> str:
        name = self.subject.pseudonym
        if Membership.objects.filter(pk=self.subject.pk, is_expert=not is_expert).update(is_expert=is_expert):
            note(self.campaign, f"marked {name} as {'an' if is_expert else 'no'} expert")
            self.undone_by(MarkExpert, self.subject, is_expert=not is_expert)
        return f"{name} is {'an' if is_expert else 'no'} expert in reports made from now on."


class SetPause(JudgeAction):
    """Give a judge no new screens for now, and the open ones to others; or end that."""

    address = "judges/<int:pk>/pause/"
    is_paused = forms.BooleanField(required=False)

    def do(self, is_paused: bool) -> str:
        judge, paused_at = self.subject, timezone.now() if is_paused else None
        if not Membership.objects.filter(pk=judge.pk, paused_at__isnull=is_paused).update(paused_at=paused_at):
            raise Refused(f"{judge.pseudonym} is {'already' if is_paused else 'not'} paused; nothing was changed.")
        if is_paused:
            judge.release_screens()
        self.undone_by(SetPause, judge, is_paused=not is_paused)
        note(self.campaign, f"{'paused' if is_paused else 'resumed'} the judging of {judge.pseudonym}")
        return f"{judge.pseudonym} {'gets no new screens' if is_paused else 'can go on judging'}."


class SendMessage(JudgeAction):
    """Show a message above a judge's next screen until the judge closes it; an empty one takes it back."""

    address = "judges/<int:pk>/message/"
    message = forms.CharField(required=False, max_length=LONGEST_MESSAGE)

    def do(self, message: str) -> str:
        message, name = " ".join(message.split()), self.subject.pseudonym
        Membership.objects.filter(pk=self.subject.pk).update(message=message)
        self.undone_by(SendMessage, self.subject, message=self.subject.message)
        note(self.campaign, f"sent {name} a message: {message}" if message else f"took back the message to {name}")
        return f"The message to {name} was {'sent' if message else 'taken back'}."


class ReleaseScreens(JudgeAction):
    """Give a judge's open screens to others; drafts are kept."""

    address = "judges/<int:pk>/release/"

    def do(self) -> str:
        name = self.subject.pseudonym
        if not (released := self.subject.release_screens()):
            raise Refused(f"{name} has no open screen; nothing was changed.")
        note(self.campaign, f"gave {released} open screens of {name} to others")
        return f"The open screens of {name} go to others."


class ForgetJudge(JudgeAction):
    """Erase a judge's name, addresses, links, drafts, and mentions in the journal; answers and numbers stay.

    Backups keep the name until they are replaced. Type the name, because this cannot be undone.
    """

    address = "judges/<int:pk>/forget/"
    page = "judges"
    has_own_page = True
    typed = forms.CharField(max_length=80, label="Name of the judge")
    everywhere = forms.BooleanField(
        required=False, help_text="In all campaigns, and delete the account; only operators can do that."
    )

    def do(self, typed: str, everywhere: bool) -> str:
        if everywhere and self.user:
            check_operates(self.user)
        if everywhere and typed.strip() != self.subject.pseudonym:
            raise Refused(CONFIRM.format(name=self.subject.pseudonym))
        whole = everywhere and Person.of_judge(self.subject)
        names = forget_person(whole) if whole else [forget_judge(self.subject, typed)]
        return f"The judge is now called {', '.join(names)}; the judgments stay."

    def return_address(self) -> str:
        return Action.return_address(self)


class DismissAlarm(Action):
    """Note that the screens of an alarm were looked at, and nothing is wrong; they raise it no more. Or undo it."""

    about = Subject("alarm", _alarms)
    address = "alarms/<int:pk>/dismiss/"
    page = "judge"
    subject: Alarm
    is_taken_back = forms.BooleanField(required=False, help_text="Whether an earlier dismissal is taken back.")

    def do(self, is_taken_back: bool) -> str:
        alarm, dismissed_at = self.subject, None if is_taken_back else timezone.now()
        waiting = Alarm.objects.filter(pk=alarm.pk, dismissed_at__isnull=not is_taken_back)
        if not waiting.update(dismissed_at=dismissed_at):
            raise Refused(f"This alarm was {'not' if is_taken_back else 'already'} dismissed; nothing was changed.")
        note(self.campaign, f"{'reopened' if is_taken_back else 'dismissed'} an alarm: {sentence_of(alarm)}")
        self.undone_by(DismissAlarm, alarm, is_taken_back=not is_taken_back)
        if is_taken_back:
            return "The alarm waits for a look again."
        return "The alarm was dismissed. The same screens will not raise it again."

    def return_address(self) -> str:
        return reverse(self.page, args=[self.campaign.slug, self.subject.judge_id])


class ApplyRule(Action):
    """Recompute the statistics of every judge, and exclude and include judges by the rule."""

    address = "judges/apply-rule/"
    page = "judges"
    may_take_long = True
    is_atomic = False  # judges at work wait for no longer than the decision about one judge takes

    def do(self) -> str:
        applied = exclusion.apply_or_request(self.campaign, self.user)
        if isinstance(applied, ExclusionJob):
            self.job = applied
            return "The exclusion rule is being applied to all judges."
        self.outcome = applied._asdict()
        return f"The exclusion rule was applied: {applied.excluded} excluded, {applied.included} included again."


ACTIONS = (
    ExcludeJudge, IncludeJudge, SetQuota, MarkExpert, SetPause, SendMessage, ReleaseScreens, ForgetJudge, DismissAlarm,
    ApplyRule,
)  # fmt: skip
