"""A report, its standings and its other tables."""

import json

from django.conf import settings
from django.db import models
from django.db.models import Q

from judgments.models import Campaign, Work
from judgments.models.work import WorkQuerySet
from ranking.stats.parameters import Parameters
from ranking.stats.tables import Table

LONGEST_KEY = 255


class Report(Work):
    """One computed analysis of a campaign with its parameters, signature and state."""

    campaign = models.ForeignKey(Campaign, models.CASCADE)
    requested_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True)
    preset = models.CharField(max_length=40, blank=True)
    parameters = models.JSONField(default=dict)
    signature = models.TextField(blank=True)
    judgments = models.PositiveIntegerField(default=0)
    newest_judgment = models.BigIntegerField(default=0, help_text="The newest judgment that counted.")
    gaps = models.JSONField(default=dict, help_text="What could not be made, and why.")
    idempotency_key = models.CharField(
        max_length=LONGEST_KEY, blank=True, help_text="What a program calls its wish, so that it is granted once."
    )

    objects = WorkQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-pk"]
        indexes = [models.Index(fields=["state", "heartbeat"], name="report_state")]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "requested_by", "idempotency_key"],
                condition=~Q(idempotency_key=""),
                name="one_report_per_key",
            )
        ]

    def __str__(self) -> str:
        return f"report {self.pk} of {self.campaign}"

    def chosen(self) -> Parameters:
        """The parameters as the statistics take them."""
        return Parameters(**self.parameters | {"methods": tuple(self.parameters["methods"])})


class ReportTable(models.Model):
    """One table of a report, as it was made; pages, files and plots show what it says."""

    report = models.ForeignKey(Report, models.CASCADE, db_index=False)
    name = models.CharField(max_length=40)
    columns = models.JSONField()
    rows = models.TextField(help_text="As JSON; text, because databases may write numbers otherwise than they came.")

    class Meta:
        ordering = ["report", "name"]
        constraints = [models.UniqueConstraint(fields=["report", "name"], name="one_table_per_name_and_report")]

    def __str__(self) -> str:
        return f"{self.name} of {self.report}"

    @classmethod
    def written(cls, report: Report, table: Table) -> "ReportTable":
        """A table as it is kept."""
        return cls(report=report, name=table.name, columns=list(table.columns), rows=json.dumps(table.rows))

    def table(self) -> Table:
        """The table as it was made."""
        return Table.of(self.name, self.columns, json.loads(self.rows))
