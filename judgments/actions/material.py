"""What organisers do to systems, to uploaded files, and to teams and what they handed in."""

from datetime import datetime
from typing import Any

from django import forms
from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse

from judgments.actions.base import Action, Subject
from judgments.actions.fields import RowsField, WordsField
from judgments.material import systems, teams, uploads
from judgments.models import Campaign, Submission, System, Team, Upload
from judgments.rules.files.names import LONGEST


def _systems(campaign: Campaign) -> QuerySet[System]:
    return System.objects.filter(campaign=campaign).select_related("campaign")


class ChangeSystem(Action):
    """Rename a system, change its kind, or leave it out of screens and rankings; what is not given stays as it is.

    Once screens are assigned, only the name can change.
    """

    about = Subject("system", _systems, "name")
    address = "systems/<int:pk>/change/"
    page = "material"
    subject: System
    name = forms.CharField(
        required=False,
        max_length=LONGEST,
        help_text="Files, tables and new reports use this name. Metric scores under the old name must be added again.",
    )
    kind = forms.TypedChoiceField(
        required=False,
        empty_value=None,
        choices=[(kind.value, kind.label) for kind in System.Kind if kind != System.Kind.SOURCE],
        help_text="Judges compare systems. References are human corrections, which judges never see; controls are the "
        "source made worse on purpose.",
    )
    takes_part = forms.BooleanField(
        required=False, label="Judges compare it", help_text="A system that is left out is kept, but is not ranked."
    )

    def do(self, **values: Any) -> str:
        before = {name: getattr(self.subject, name) for name in self.values_sent()}
        changed = systems.change(self.subject, **self.values_sent())
        self.undone_by(ChangeSystem, self.subject, **before)
        self.outcome = {"name": changed.name, "kind": changed.kind, "takes_part": changed.takes_part}
        compared = "judges compare it" if changed.takes_part else "judges do not compare it"
        return f"{changed.name} is a {changed.kind}; {compared}."


def _uploads(campaign: Campaign) -> QuerySet[Upload]:
    return Upload.objects.filter(campaign=campaign).select_related("campaign")


class StoreUpload(Action):
    """Store the files of an upload as they were previewed: as material, or as judgments. A worker does it."""

    about = Subject("upload", _uploads)
    address = "uploads/<int:pk>/store/"
    may_take_long = True
    subject: Upload
    request_number = forms.IntegerField(
        required=False, help_text="Of the preview that was accepted; by default of the newest one."
    )

    def do(self, request_number: int | None) -> str:
        upload = self.subject
        number = upload.request_number if request_number is None else request_number
        is_requested = uploads.request_storing(upload, number)
        self.job = upload
        return "The files are being stored." if is_requested else "These files are already stored, or are being stored."

    def return_address(self) -> str:
        return self.subject.get_absolute_url()


class DiscardUpload(Action):
    """Throw the files of an upload away; what was stored stays."""

    about = Subject("upload", _uploads)
    address = "uploads/<int:pk>/discard/"
    subject: Upload | None

    @classmethod
    def subject_in(cls, campaign: Campaign, pk: Any) -> Upload | None:
        """None if the files are gone already, because somebody pressed the button twice."""
        return _uploads(campaign).filter(id=pk).first()

    def do(self) -> str:
        if self.subject:
            uploads.discard(self.campaign, self.subject.pk)
        return "The files were discarded. Nothing was stored."

    def return_address(self) -> str:
        if self.subject and self.errors:
            return self.subject.get_absolute_url()
        is_of_judgments = self.subject and self.subject.purpose == Upload.Purpose.JUDGMENTS
        return reverse("import_judgments" if is_of_judgments else "material", args=[self.campaign.slug])


class InviteTeams(Action):
    """Give teams of a shared task links to hand in outputs until a deadline; those that exist keep theirs."""

    address = "teams/invite/"
    page = "submissions"
    has_own_page = True
    names = WordsField(
        label="Teams",
        help_text="Names, one per line or separated by commas: letters, digits and . _ + -. A team that exists keeps "
        "its link and gets the new deadline.",
    )
    deadline = forms.DateTimeField(
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
        help_text=f"Such as 2030-01-31 18:00, in the time zone of the site, {settings.TIME_ZONE}.",
    )

    def do(self, names: list[str], deadline: datetime) -> str:
        teams.invite(self.campaign, names, deadline)
        invited = Team.objects.filter(campaign=self.campaign, revoked_at=None)
        self.outcome = {"links": {team.name: team.url for team in invited}}
        return "The deadline was set. Send each team its link."


class AcceptSubmissions(Action):
    """Upload files that teams handed in, to see their preview; storing them is the next step."""

    address = "submissions/accept/"
    page = "submissions"
    may_take_long = True
    chosen = RowsField(error_messages=dict.fromkeys(("required", "invalid_choice"), "Tick the submissions to accept."))

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        there = Submission.objects.filter(team__campaign=self.campaign).values_list("pk", flat=True)
        self.fields["chosen"].choices = [(pk, pk) for pk in there]  # type: ignore[attr-defined]

    def do(self, chosen: list[int]) -> str:
        self.job = teams.accept(self.campaign, self.requester, chosen)
        return "The files are being checked; nothing is stored yet."

    def return_address(self) -> str:
        return self.job.get_absolute_url() if self.job else super().return_address()


ACTIONS = (ChangeSystem, StoreUpload, DiscardUpload, InviteTeams, AcceptSubmissions)
