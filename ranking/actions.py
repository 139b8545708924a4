"""What organisers do to the metrics and the reports of a campaign."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.urls import reverse

from judgments.actions.base import Action, Subject
from judgments.actions.fields import FilesField, WordsField
from judgments.models import Campaign
from judgments.rules.errors import Refused
from ranking.metrics.catalogue import canonical
from ranking.metrics.material import MetricError
from ranking.models import Metric, Publication, Report
from ranking.publishing.form import LICENCE_CHOICES, ReleaseForm
from ranking.publishing.public_page import publish, withdraw
from ranking.scores.stored import add_metrics, cancel_scoring, request_scoring
from ranking.scores.texts import usual_metrics


class ScoreOutputs(Action):
    """Have workers score the outputs by metrics; without any, by the usual ones of the language."""

    address = "metrics/score/"
    page = "metrics"
    has_own_page = True
    metrics = WordsField(required=False, help_text="Names, with settings after a colon, such as m2:beta=0.2.")

    def clean_metrics(self) -> list[str]:
        try:
            return list(map(canonical, self.cleaned_data["metrics"]))
        except MetricError as reason:
            raise forms.ValidationError(str(reason)) from reason

    def do(self, metrics: list[str], **_: Any) -> str:
        jobs = request_scoring(self.campaign, metrics or usual_metrics(self.campaign), self.user)
        self.outcome = {"jobs": [job.pk for job in jobs]}
        if not jobs:
            return "All of these are already being scored."
        return f"Workers score the outputs by {', '.join(job.metric for job in jobs)}."


class AddMetrics(Action):
    """Store scores from files, which reports compare with people; they replace those of the same name and level."""

    address = "metrics/add/"
    page = "metrics"
    has_own_page = True
    files = FilesField(  # type: ignore[assignment] # a form has its files under this name once it is made
        label="Files of scores",
        help_text="Lines of a system and its score, or a table with a column for each system and a row for each "
        "sentence. Every system that takes part needs a score.",
    )
    columns = forms.CharField(
        required=False,
        max_length=1000,
        label="Names of the score columns",
        help_text="Only for files without a header. Separate names by spaces, such as F P R. Precision and recall, "
        "named P and R, also give the curve of F over beta.",
    )

    def do(self, files: list[UploadedFile], columns: str) -> str:
        added = [
            metric.name
            for file in files
            for metric in add_metrics(self.campaign, file.name or "", file.read(), tuple(columns.split()), self.user)
        ]
        return f"Added scores by {', '.join(added)}. The next report will use them."


class RemoveMetric(Action):
    """Remove the scores of a metric, at one level or at all; existing reports keep their numbers."""

    address = "metrics/remove/"
    page = "metrics"
    name = forms.CharField(max_length=100)
    level = forms.ChoiceField(required=False, choices=[("", "all"), *Metric.Level.choices])

    def do(self, name: str, level: str) -> str:
        scores = Metric.objects.of(self.campaign).filter(name=name)
        if not (scores.filter(level=level) if level else scores).delete()[0]:
            raise Refused(f"There are no scores by {name}, or they have already been removed.")
        return f"Removed the scores by {name}."


class CancelScorings(Action):
    """Cancel all unfinished scorings; stored scores stay."""

    address = "scorings/cancel/"
    page = "metrics"

    def do(self) -> str:
        cancel_scoring(self.campaign)
        return "The scorings were cancelled; stored scores stay."


def _reports(campaign: Campaign) -> QuerySet[Report]:
    return Report.objects.of(campaign).select_related("campaign")


class ReportAction(Action):
    about = Subject("report", _reports)
    page = "publication"
    subject: Report

    def return_address(self) -> str:
        return reverse(self.page, args=[self.subject.pk])


class PublishReport(ReportAction, ReleaseForm):
    """Show a report to everybody who knows the address of its public page; publishing it again keeps the address."""

    address = "reports/<int:pk>/publish/"
    has_own_page = True
    title = description = None  # type: ignore[assignment] # the report has its own
    licence = forms.ChoiceField(
        required=False,
        choices=[("", "None stated"), *LICENCE_CHOICES],
        help_text="The terms under which everybody may use the page and its files; they are stated on the page.",
    )
    with_texts = forms.BooleanField(
        required=False,
        label="The source texts and outputs may be shown",
        help_text="They are added as texts.csv. Tick this only if their licence allows it.",
    )

    def do(self, **_: Any) -> str:
        if not Publication.objects.filter(report=self.subject).exists():
            self.undone_by(WithdrawReport, self.subject)
        publication = publish(self.subject, self.choices())
        self.outcome = {"address": publication.url}
        return "The report is published."


class WithdrawReport(ReportAction):
    """Delete the public page of a report; its address leads nowhere from now on."""

    address = "reports/<int:pk>/withdraw/"

    def do(self) -> str:
        withdraw(self.subject)
        return "The report is no longer public."


ACTIONS = (ScoreOutputs, AddMetrics, RemoveMetric, CancelScorings, PublishReport, WithdrawReport)
