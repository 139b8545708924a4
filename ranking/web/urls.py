from django.urls import path

from ranking.web import board, changes, metrics, operation, plans, release, reports

urlpatterns = [
    path("campaigns/<slug:slug>/reports/", reports.report_list, name="report_list"),
    path("campaigns/<slug:slug>/reports/new/", reports.new_report, name="new_report"),
    path("campaigns/<slug:slug>/analysis-plan/", plans.analysis_plan, name="analysis_plan"),
    path("campaigns/<slug:slug>/analysis-plan/<int:pk>.md", plans.plan_file, name="plan_file"),
    path("campaigns/<slug:slug>/board/", board.board, name="board"),
    path("campaigns/<slug:slug>/board/refresh/", board.refresh_board, name="refresh_board"),
    path("campaigns/<slug:slug>/reports/judges/", reports.judges_in_report, name="judges_in_report"),
    path("campaigns/<slug:slug>/metrics/", metrics.metrics, name="metrics"),
    path("campaigns/<slug:slug>/metrics/score/", metrics.score_outputs, name="score_outputs"),
    path("campaigns/<slug:slug>/metrics/state/", metrics.scorings_state, name="scorings_state"),
    path("campaigns/<slug:slug>/metrics/cancel/", metrics.cancel_scorings, name="cancel_scorings"),
    path("campaigns/<slug:slug>/metrics/files/<str:name>", metrics.metric_file, name="metric_file"),
    path("campaigns/<slug:slug>/metrics/<int:pk>/remove/", metrics.remove, name="remove_metric"),
    path("campaigns/<slug:slug>/reports/compare/", changes.compare_reports, name="compare_reports"),
    path("reports/<int:pk>/compared-with/<int:other>/", changes.report_changes, name="report_changes"),
    path("reports/<int:pk>/compared-with/<int:other>/<str:name>", changes.changes_file, name="changes_file"),
    path("reports/<int:pk>/", reports.report, name="report"),
    path("reports/<int:pk>/files.zip", reports.report_zip, name="report_zip"),
    path("reports/<int:pk>/bundle.zip", reports.report_bundle, name="report_bundle"),
    path("reports/<int:pk>/release/", release.release_data, name="release_data"),
    path("reports/<int:pk>/<str:name>", reports.report_file, name="report_file"),
    path("operation/", operation.operation, name="operation"),
    path("operation/<slug:kind>/<int:pk>/again/", operation.queue_job_again, name="queue_job_again"),
    path("operation/<slug:kind>/<int:pk>/give-up/", operation.give_up_job, name="give_up_job"),
]
