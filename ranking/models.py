"""Plans of analysis, looks, predictions, reports, their tables, and the metric scores that they are compared with."""

import json
from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.urls import reverse

from judgments.models import Campaign
from judgments.models.jobs import LONG, Job, JobQuerySet
from judgments.models.members import new_token, site_address
from ranking.numbers.tables import StatisticsError, Table
from ranking.stats.choices import INDEPENDENT, PEOPLE
from ranking.stats.rankings.stopping import Goal


class AnalysisPlan(models.Model):
    """What organisers fixed about the report before it was made; never changed, only followed by a newer plan."""

    campaign = models.ForeignKey(Campaign, models.CASCADE)
    preset = models.CharField(max_length=40)
    parameters = models.JSONField()
    wanted = models.PositiveIntegerField(help_text="How many judgments will be collected at most.")
    until = models.DateField(null=True, blank=True, help_text="The last day of judging.")
    goal = models.CharField(max_length=10, blank=True, choices=[(goal.value, goal.label) for goal in Goal])
    stopping = models.TextField(blank=True, help_text="What else ends judging.")
    judgments = models.PositiveIntegerField(help_text="How many judgments there were when the plan was fixed.")
    fixed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    fixed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign", "-pk"]

    def __str__(self) -> str:
        return f"plan {self.pk} of {self.campaign}"

    @classmethod
    def in_force(cls, campaign: Campaign) -> "AnalysisPlan | None":
        """The newest plan of a campaign."""
        return cls.objects.filter(campaign=campaign).first()


class Look(models.Model):
    """An interim ranking that was computed while judging went on, so that somebody could see it."""

    campaign = models.ForeignKey(Campaign, models.CASCADE)
    judgments = models.PositiveIntegerField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["campaign", "pk"]

    def __str__(self) -> str:
        return f"look at {self.campaign} after {self.judgments} judgments"


class Prediction(Job):
    """Simulated campaigns that say what a plan of screens would resolve.

    It asks for the plan, and what is assumed of systems and judges. It yields, as JSON texts, because databases may
    change how numbers are written, the curves of the campaigns simulated so far, and ways of choosing sentences.
    """

    KIND = "prediction"
    SINGLE = True
    handler_path = "ranking.power.predicting.simulate"
    queue = LONG

    class Meta:
        proxy = True

    def get_absolute_url(self) -> str:
        return reverse("power", args=[self.campaign.slug])

    def progress_now(self) -> dict[str, Any]:
        return super().progress_now() | {"shown": self.simulated}

    @property
    def simulated(self) -> int:
        """The number of campaigns simulated so far."""
        table = self.table()
        return int(table.dicts()[0]["campaigns"] or 0) if table else 0

    def table(self) -> Table | None:
        """The curves so far, if a campaign was simulated."""
        return self._stored("power", "curves")

    def ways_compared(self) -> Table | None:
        """Ways of choosing sentences side by side, if they were compared."""
        return self._stored("sampling", "comparison")

    def _stored(self, name: str, key: str) -> Table | None:
        if key not in self.outcome:
            return None
        stored = json.loads(self.outcome[key])
        return Table(name, tuple(stored["columns"]), tuple(map(tuple, stored["rows"])))


class ReportQuerySet(JobQuerySet):
    def of(self, campaign: Campaign) -> Self:
        """Requested reports, newest first."""
        return self.filter(campaign=campaign, is_interim=False)

    def finished(self, campaign: Campaign) -> Self:
        return self.of(campaign).filter(state=Job.State.DONE)

    def interim(self, campaign: Campaign) -> Self:
        """Reports of the live board, newest first."""
        return self.filter(campaign=campaign, is_interim=True)


class Report(Job):
    """One computed analysis of a campaign with its parameters, signature and state."""

    KIND = "report"
    handler_path = "ranking.reports.report_job.make"
    queue = LONG
    explained = (StatisticsError,)

    study = models.CharField(max_length=20, help_text="The name of its kind, such as comparisons.")
    preset = models.CharField(max_length=40, blank=True)
    is_interim = models.BooleanField(default=False, help_text="For the live board; deleted when the next one is made.")
    parameters = models.JSONField(default=dict)
    signature = models.TextField(blank=True)
    judgments = models.PositiveIntegerField(default=0)
    newest_judgment = models.BigIntegerField(default=0, help_text="The newest judgment that counted.")
    other_inputs = models.JSONField(default=dict, help_text="Further state by which the report may be out of date.")
    gaps = models.JSONField(default=dict, help_text="What could not be computed, with the reason.")
    exclusion = models.JSONField(
        default=dict,
        help_text="The exclusion rule, how many judges were excluded, which answers count, and what the "
        "numbers are about.",
    )

    course = models.JSONField(
        default=list, help_text="In sentences: how screens were drawn, what ends judging, and who looked meanwhile."
    )

    objects: ClassVar[Any] = ReportQuerySet.as_manager()

    def get_absolute_url(self) -> str:
        return reverse("report", args=[self.pk])

    def progress_now(self) -> dict[str, Any]:
        """How many tables can be shown, too."""
        return super().progress_now() | {"shown": self.reporttable_set.count()}

    @property
    def name(self) -> str:
        """As sentences and files name it: report 3 of 2026-05-17 (recommended)."""
        return f"report {self.pk} of {self.created_at:%Y-%m-%d} ({self.preset or 'own choices'})"

    @property
    def judged_by(self) -> str:
        return self.parameters.get("judged_by", PEOPLE)

    @property
    def answers(self) -> str:
        return self.parameters.get("answers", INDEPENDENT)

    def metadata(self) -> dict[str, object]:
        """Metadata for the report's files."""
        about = {"campaign": self.campaign.slug, "preset": self.preset, "parameters": self.parameters}
        return about | {"exclusion": self.exclusion, "course": self.course}


class ReportTable(models.Model):
    """One table of a report, stored once; pages, files and charts read it."""

    report = models.ForeignKey(Report, models.CASCADE, db_index=False)
    name = models.CharField(max_length=40)
    columns = models.JSONField()
    rows = models.TextField(help_text="JSON as text, because databases may change how numbers are written.")

    class Meta:
        ordering = ["report", "name"]
        constraints = [models.UniqueConstraint(fields=["report", "name"], name="one_table_per_name_and_report")]

    def __str__(self) -> str:
        return f"{self.name} of {self.report}"

    @classmethod
    def of(cls, report: Report, table: Table) -> "ReportTable":
        return cls(report=report, name=table.name, columns=list(table.columns), rows=json.dumps(table.rows))

    def table(self) -> Table:
        """Read the stored table; its numbers are already rounded."""
        return Table(self.name, tuple(self.columns), tuple(map(tuple, json.loads(self.rows))))


class ReportInputs(models.Model):
    """Inputs of a report as a ZIP, kept because judgments, judges and outputs may change later."""

    report = models.OneToOneField(Report, models.CASCADE, primary_key=True, related_name="inputs")
    content = models.BinaryField()
    output_scores = models.BinaryField(
        default=b"",
        help_text="What people thought of each output, for pages on sentences; empty if nothing is compared.",
    )

    def __str__(self) -> str:
        return f"inputs of {self.report}"


class Publication(models.Model):
    """A report as everybody who knows its address may read it: files without names of judges, made once."""

    report = models.OneToOneField(Report, models.CASCADE, primary_key=True)
    token = models.CharField(max_length=64, unique=True, default=new_token)
    with_texts = models.BooleanField(default=False)
    published_at = models.DateTimeField(auto_now_add=True)
    content = models.BinaryField(help_text="A ZIP of the page and its files.")

    def __str__(self) -> str:
        return f"publication of {self.report}"

    def get_absolute_url(self) -> str:
        return reverse("public_page", args=[self.token])

    @property
    def url(self) -> str:
        return site_address("public_page", self.token)


class ReportPart(models.Model):
    """Replicates that one of several workers drew for an unfinished report."""

    report = models.ForeignKey(Report, models.CASCADE, db_index=False)
    attempt = models.PositiveSmallIntegerField()
    method = models.CharField(max_length=40)
    unit = models.CharField(max_length=20)
    first = models.PositiveIntegerField()
    number = models.PositiveIntegerField()
    scores = models.BinaryField(help_text="One row per replicate, one number per system.")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["report", "attempt", "method", "unit", "first"], name="one_part_per_beginning"
            )
        ]

    def __str__(self) -> str:
        return f"{self.number} replicates of {self.report}"


class ScoringJobQuerySet(JobQuerySet):
    def of(self, campaign: Campaign) -> Self:
        return self.filter(campaign=campaign).order_by("pk").defer("counts")


class ScoringJob(Job):
    """Scoring the outputs of a campaign by one automatic metric, and the resulting tables."""

    KIND = "scoring"
    SINGLE = True
    handler_path = "ranking.scores.stored.score_outputs"
    queue = LONG

    signature = models.TextField(blank=True)
    tables = models.TextField(default="{}", help_text="As JSON, by name: columns, and rows.")
    counts = models.BinaryField(
        default=b"",
        help_text="What the metric counted of each candidate, to score some sentences alone.",
    )

    objects: ClassVar[Any] = ScoringJobQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]

    def get_absolute_url(self) -> str:
        return reverse("metrics", args=[self.campaign.slug])

    @property
    def metric(self) -> str:
        """The metric with its parameters, as requested."""
        return self.about

    def tables_by_name(self) -> dict[str, Table]:
        stored = json.loads(self.tables).items()
        return {name: Table(name, tuple(columns), tuple(map(tuple, rows))) for name, (columns, rows) in stored}


class MetricQuerySet(models.QuerySet["Metric"]):
    def of(self, campaign: Campaign) -> "MetricQuerySet":
        return self.filter(campaign=campaign).order_by("name", "level")


class Metric(models.Model):
    """Scores of a campaign's systems by an automatic metric, one per system or one per sentence."""

    class Level(models.TextChoices):
        SYSTEM = "system", "systems"
        SENTENCE = "sentence", "sentences"

    campaign = models.ForeignKey(Campaign, models.CASCADE, db_index=False)
    name = models.CharField(max_length=100)
    level = models.CharField(max_length=10, choices=Level)
    systems = models.JSONField(help_text="Names, in the order of the scores.")
    scores = models.TextField(help_text="As JSON: a list, or one for each sentence; null where a score is missing.")
    origin = models.CharField(max_length=200, blank=True, help_text="The file that the scores came from.")
    signature = models.TextField(blank=True, help_text="How the platform computed them, if it did.")
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    added_at = models.DateTimeField(auto_now_add=True)

    objects = MetricQuerySet.as_manager()

    class Meta:
        ordering = ["campaign", "name", "level"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "name", "level"], name="one_metric_per_name_and_level")
        ]

    def __str__(self) -> str:
        return f"{self.name} on {self.campaign}"
