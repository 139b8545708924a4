from django.urls import path

from judgments.actions import actions_in
from judgments.api.actions import api_addresses
from ranking.api import datasheet, metrics, power, reports

CHANGES = "reports/<int:pk>/compared-with/<int:other>/<str:name>"

urlpatterns = [
    path("campaigns/<slug:slug>/board/", reports.Board.as_view(), name="api_board"),
    path("campaigns/<slug:slug>/power/", power.Power.as_view(), name="api_power"),
    path("campaigns/<slug:slug>/datasheet/", datasheet.Datasheet.as_view(), name="api_datasheet"),
    path("campaigns/<slug:slug>/metrics/", metrics.MetricList.as_view(), name="api_metrics"),
    path("campaigns/<slug:slug>/metrics/files/<str:name>", metrics.MetricFile.as_view(), name="api_metric_file"),
    path("campaigns/<slug:slug>/scorings/", metrics.ScoringList.as_view(), name="api_scorings"),
    path("campaigns/<slug:slug>/reports/", reports.ReportList.as_view(), name="api_reports"),
    path("reports/<int:pk>/", reports.ReportDetail.as_view(), name="api_report"),
    path("reports/<int:pk>/files/<str:name>", reports.ReportFileDownload.as_view(), name="api_report_file"),
    path("reports/<int:pk>/files.zip", reports.ReportZip.as_view(), name="api_report_zip"),
    path("reports/<int:pk>/bundle.zip", reports.ReportBundle.as_view(), name="api_report_bundle"),
    path(CHANGES, reports.ReportChanges.as_view(), name="api_report_changes"),
    *api_addresses(actions_in("ranking.actions")),
]
