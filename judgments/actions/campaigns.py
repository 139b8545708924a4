"""What organisers do to a campaign: its state, texts for judges, screens, organisers, and its end."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from django import forms
from django.forms.models import fields_for_model
from django.shortcuts import get_object_or_404
from django.urls import reverse

from judgments.actions.base import Action, Subject
from judgments.archive import deleting
from judgments.assignment import assigning, planning
from judgments.assignment.planning import MOST_SCREENS
from judgments.campaigns import access, settings, states, steps
from judgments.campaigns.presets import PRESETS
from judgments.exchange import references
from judgments.judges import invitations, people
from judgments.models import AssignmentJob, Campaign, Membership, Screen
from judgments.models.campaign import PLAN_SETTINGS, SETTINGS, SHORT_NAME
from judgments.protocols.guidance import LANGUAGES, TEXTS

# From each of two neighbours, the campaign can go to the other, and back.
_State = Campaign.State
NEIGHBOURS = ({_State.OPEN, _State.CLOSED}, {_State.CLOSED, _State.ARCHIVED})


class ChangeState(Action):
    """Open a campaign for judging, close it, or archive a closed one, which takes no imported judgments any more."""

    address = "state/"
    page = "organise"
    state = forms.ChoiceField(choices=[(state, state) for state in states.CHANGES])

    def do(self, state: str) -> str:
        before = self.campaign.state
        states.CHANGES[state](self.campaign)
        self.campaign.refresh_from_db()
        if {before, state} in NEIGHBOURS:
            self.undone_by(ChangeState, state=before)
        self.outcome = {"state": self.campaign.state}
        warnings = [steps.idle_rule(self.campaign), steps.too_few_judges(self.campaign)] * self.campaign.is_open
        return " ".join([f"{self.campaign} is {self.campaign.get_state_display()}.", *filter(None, warnings)])


class ActionOnSettings(Action):
    """An action with settings among its fields; each is checked as its column does, which has stricter limits."""

    def settings(self) -> dict[str, Any]:
        return {name: value for name, value in self.values_sent().items() if name in SETTINGS}

    def clean(self) -> dict[str, Any]:
        for name, value in self.settings().items():
            column: Any = Campaign._meta.get_field(name)
            try:
                column.clean(value, self.campaign)
            except forms.ValidationError as error:
                self.add_error(name, error)
        return self.cleaned_data


def settings_fields(names: Iterable[str]) -> dict[str, forms.Field]:
    fields: dict[str, forms.Field] = fields_for_model(Campaign, list(names))
    for field in fields.values():
        field.required = False
    return fields


class Configure(ActionOnSettings):
    """Change settings; those that are not given stay as they are, and an empty value removes one.

    What screens depend on is fixed once they are assigned, and the exclusion rule once the campaign is opened.
    """

    address = "settings/change/"
    page = "settings"

    def do(self, **values: Any) -> str:
        given = self.settings()
        before = {name: getattr(self.campaign, name) for name in given}
        settings.configure(self.campaign, **given)
        if any(getattr(self.campaign, name) != value for name, value in before.items()):
            self.undone_by(Configure, **before)
        done = {name: "removed" if value in ("", None) else "set" for name, value in given.items()}
        changes = [f"{self._called(name)} {what}" for name, what in done.items()]
        return f"{self.campaign.slug}: {', '.join(changes) or 'nothing changed'}."

    def _called(self, name: str) -> str:
        label = str(self[name].label)
        return label[:1].lower() + label[1:]


Configure.base_fields = settings_fields(SETTINGS)


class RestoreGuidance(Action):
    """Replace texts for judges by the ready-made ones."""

    address = "guidance/"
    page = "settings"
    language = forms.ChoiceField(choices=list(LANGUAGES.items()), help_text="The language of the texts.")
    texts = forms.MultipleChoiceField(
        choices=[(name, name.capitalize()) for name in TEXTS],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one of the texts."},
    )

    def do(self, language: str, texts: list[str]) -> str:
        before = {name: getattr(self.campaign, name) for name in texts}
        settings.restore_guidance(self.campaign, language, texts)
        self.undone_by(Configure, **before)
        return "The ready-made texts were filled in."


class DeleteCampaign(Action):
    """Delete a campaign with all its texts, judgments and reports.

    Export it first, to be able to import it again. Type its short name, because this cannot be undone.
    """

    address = "delete/"
    page = "home"
    has_own_page = True
    typed = forms.CharField(max_length=50, label="Short name of the campaign")

    def do(self, typed: str) -> str:
        slug, deleted = self.campaign.slug, deleting.contents(self.campaign)
        deleting.delete_campaign(self.campaign, typed)
        return f"{slug} was deleted, with {deleted.judgments} judgments by {deleted.judges} judges."

    def return_address(self) -> str:
        return reverse(self.page)


class PlanAction(ActionOnSettings):
    """An action on a plan of screens: the campaign's settings, those of a preset, and those that are given."""

    page = "screens"
    preset = forms.ChoiceField(
        required=False,
        choices=[("", "the campaign's settings"), *((name, name) for name in PRESETS)],
        help_text="Start from the settings of a published study.",
    )
    screens = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_SCREENS,
        help_text="How many to assign if sentences are sampled; by default as many as there are sentences on which "
        "systems differ.",
    )

    def plan(self) -> dict[str, Any]:
        preset = self.cleaned_data["preset"]
        return (settings.preset(preset, self.campaign.protocol) if preset else {}) | self.settings()


class PlanScreens(PlanAction):
    """Preview a plan: screens, assignments, batches, hours of work, comparisons; nothing is stored."""

    address = "screens/plan/"
    has_own_page = True

    def do(self, screens: int | None, **_: Any) -> str:
        plan, pace = planning.plan(self.campaign, self.plan(), screens), planning.pace(self.campaign)
        self.outcome = {name: value for name, value in asdict(plan).items() if name != "pairs"}
        automatic = f" and {plan.automatic} automatic ties" if plan.automatic else ""
        batches = f"{plan.batches} batch{'es' * (plan.batches != 1)}"
        apart = f"\nNever compared: {', '.join(' and '.join(pair) for pair in plan.apart)}." if plan.apart else ""
        few = steps.too_few_judges(self.campaign, each=self.plan().get("redundancy"))
        return (
            f"{plan.screens} screens{automatic} in {batches} of at most {plan.longest}, "
            f"{plan.assignments} assignments, {plan.hours:.1f} hours at {pace.seconds:.0f} seconds per screen.\n"
            f"Comparisons per pair: {plan.fewest} to {plan.most}, median {plan.median:g}.{apart}\n{few}"
        ).rstrip()


class AssignScreens(PlanAction):
    """Store the settings of a plan that are given, and assign screens; earlier screens are not changed."""

    address = "screens/assign/"
    may_take_long = True
    make_controls = forms.BooleanField(required=False, help_text="Make controls from the source sentences.")
    assigned_before = forms.IntegerField(
        required=False, min_value=0, help_text="The next batch of the plan that was seen; refused if it is another now."
    )

    judges = forms.IntegerField(
        required=False, min_value=1, max_value=99,
        help_text="Also open the campaign, and make personal links for so many judges.",
    )  # fmt: skip

    def do(
        self, screens: int | None, make_controls: bool, assigned_before: int | None, judges: int | None, **_: Any
    ) -> str:
        planning.check_plan(self.campaign, assigned_before)
        plan = self.plan()
        changes = make_controls or any(getattr(self.campaign, name) != value for name, value in plan.items())
        is_first = not Screen.objects.filter(campaign=self.campaign).exists()
        assigned = planning.assign_or_request(self.campaign, self.requester, plan, screens, make_controls)
        if isinstance(assigned, AssignmentJob):
            self.job = assigned
            return "The screens are being assigned." + " Then invite the judges, and open the campaign." * bool(judges)
        self.outcome = asdict(assigned)
        if judges:
            states.open_campaign(self.campaign)
            made = invitations.invite_new(self.campaign, judges)
            self.outcome["links"] = {one.pseudonym: one.url for one in made}
            done = sentence_on_assigned(self.campaign, **asdict(assigned))
            return f"{done} The campaign is open: send each judge a link from below."
        if is_first and not changes:
            self.undone_by(WithdrawScreens)
        return sentence_on_assigned(self.campaign, **self.outcome)

    def return_address(self) -> str:
        if self.job:
            return self.job.get_absolute_url()
        done = "judges" if "links" in self.outcome else "organise"
        return reverse(self.page if self.errors else done, args=[self.campaign.slug])


for action in (PlanScreens, AssignScreens):
    action.base_fields |= settings_fields(PLAN_SETTINGS)


def sentence_on_assigned(campaign: Campaign, screens: int, assignments: int, later: int, **_: int) -> str:
    more = f" {later} more will be drawn as judging goes on." if later else ""
    back = " You can withdraw them on Screens until somebody begins them."
    few = steps.too_few_judges(campaign)
    return f"{screens} screens were assigned, with {assignments} assignments.{more}{back} {few}".rstrip()


class WithdrawScreens(Action):
    """Withdraw the batches that nobody has begun, with their screens."""

    address = "screens/withdraw/"
    page = "screens"

    def do(self) -> str:
        withdrawn = assigning.withdraw(self.campaign)
        self.outcome = withdrawn._asdict()
        return f"{withdrawn.screens} screens with {withdrawn.assignments} assignments were withdrawn."


class UseCorrections(Action):
    """Use each judge's corrections as a reference in another campaign with the same sentences on the same lines.

    Earlier references from this campaign are replaced.
    """

    address = "references/"
    page = "exports"
    to = forms.SlugField(
        max_length=50,
        help_text="The short name of the campaign that gets the references.",
        error_messages=SHORT_NAME | {"required": "Choose a campaign with the same sentences that is not closed."},
    )

    def do(self, to: str) -> str:
        target = (
            access.get_campaign_to_organise_or_404(self.user, to) if self.user else get_object_or_404(Campaign, slug=to)
        )
        used = references.use_corrections(self.campaign, target)
        self.campaign, self.page = target, "material"
        self.outcome = {"campaign": to} | used._asdict()
        made = ", ".join(used.references)
        return f"{target} has the references {made} on {used.sentences} sentences; metrics use them from now on."


class AddOrganiser(Action):
    """Let somebody who has an account on this site organise the campaign, too."""

    address = "organisers/add/"
    page = "organisers"
    username = forms.CharField(max_length=150, label="User name", help_text="Somebody who has an account on this site.")

    def do(self, username: str) -> str:
        others = set(people.organisers(self.campaign))
        member = settings.make_organiser(self.campaign, username)
        if member not in others:
            self.undone_by(RemoveOrganiser, member)
        return f"{member.username} organises this campaign now."


class RemoveOrganiser(Action):
    """End the part of an organiser or observer; a campaign keeps one organiser."""

    about = Subject("member", people.organisers, "pseudonym")
    address = "organisers/<int:pk>/remove/"
    page = "organisers"
    subject: Membership

    def do(self) -> str:
        people.remove_organiser(self.subject)
        if self.subject.role == Membership.Role.ORGANISER and self._stays():
            self.undone_by(AddOrganiser, username=self.subject.username)
        return f"{self.subject.pseudonym} was removed."

    def return_address(self) -> str:
        return super().return_address() if self._stays() else reverse("home")

    def _stays(self) -> bool:
        return self.user is None or access.is_organiser(self.user, self.campaign)


ACTIONS = (
    ChangeState, Configure, RestoreGuidance, PlanScreens, AssignScreens, WithdrawScreens, UseCorrections,
    AddOrganiser, RemoveOrganiser, DeleteCampaign,
)  # fmt: skip
