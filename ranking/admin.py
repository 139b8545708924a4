"""Reports and metric scores in the admin, read-only."""

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html

from judgments.admin import ReadOnly
from ranking.models import Metric, Report


@admin.register(Report)
class ReportAdmin(ReadOnly):
    list_display = ("id", "campaign", "preset", "is_interim", "state", "attempt", "judgments", "created_at", "page")
    list_filter = ("state", "is_interim", "preset")
    search_fields = ("campaign__slug", "error")
    list_select_related = ("campaign",)

    @admin.display(description="page")
    def page(self, report: Report) -> str:
        """A link to the report's page."""
        return format_html('<a href="{}">read</a>', reverse("report", args=[report.pk]))


@admin.register(Metric)
class MetricAdmin(ReadOnly):
    list_display = ("name", "campaign", "level", "origin", "added_by", "added_at")
    list_filter = ("level",)
    search_fields = ("name", "campaign__slug")
    list_select_related = ("campaign", "added_by")
    exclude = ("scores",)
