"""Addresses of concluding."""

from django.urls import path

from ranking import views

urlpatterns = [
    path("campaigns/<slug:slug>/reports/", views.report_list, name="report_list"),
    path("campaigns/<slug:slug>/reports/new/", views.new_report, name="new_report"),
    path("reports/<int:pk>/", views.report, name="report"),
    path("reports/<int:pk>/state/", views.report_state, name="report_state"),
    path("reports/<int:pk>/cancel/", views.cancel_report, name="cancel_report"),
    path("reports/<int:pk>/files.zip", views.report_zip, name="report_zip"),
    path("reports/<int:pk>/<str:name>", views.report_file, name="report_file"),
]
