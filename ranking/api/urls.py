"""Addresses of concluding for machines."""

from django.urls import path

from ranking.api import views

urlpatterns = [
    path("campaigns/<slug:slug>/reports/", views.ReportList.as_view(), name="api_reports"),
    path("reports/<int:pk>/", views.ReportDetail.as_view(), name="api_report"),
    path("reports/<int:pk>/cancel/", views.CancelReport.as_view(), name="api_cancel_report"),
    path("reports/<int:pk>/files/<str:name>", views.ReportFile.as_view(), name="api_report_file"),
    path("reports/<int:pk>/files.zip", views.ReportZip.as_view(), name="api_report_zip"),
    path("reports/<int:pk>/bundle.zip", views.ReportBundle.as_view(), name="api_report_bundle"),
]
