from django.urls import path

from judgments.actions import actions_in
from judgments.web.actions import page_addresses
from ranking.web import datasheet, metrics, operation, plans, power, reports, sentences, tour

urlpatterns = [
    path("campaigns/<slug:slug>/reports/", reports.report_list, name="report_list"),
    path("campaigns/<slug:slug>/reports/new/", reports.new_report, name="new_report"),
    path("campaigns/<slug:slug>/analysis-plan/", plans.analysis_plan, name="analysis_plan"),
    path("campaigns/<slug:slug>/analysis-plan/<int:pk>.md", plans.plan_file, name="plan_file"),
    path("campaigns/<slug:slug>/power/", power.power, name="power"),
    path("campaigns/<slug:slug>/power/plan/", power.resolution, name="resolution"),
    path("campaigns/<slug:slug>/power/<int:pk>.csv", power.power_file, name="power_file"),
    path("campaigns/<slug:slug>/datasheet/", datasheet.datasheet, name="datasheet"),
    path("campaigns/<slug:slug>/datasheet.<str:kind>", datasheet.datasheet_file, name="datasheet_file"),
    path("campaigns/<slug:slug>/board/", reports.board, name="board"),
    path("campaigns/<slug:slug>/board/refresh/", reports.refresh_board, name="refresh_board"),
    path("campaigns/<slug:slug>/reports/judges/", reports.judges_in_report, name="judges_in_report"),
    path("campaigns/<slug:slug>/metrics/", metrics.metrics, name="metrics"),
    path("campaigns/<slug:slug>/metrics/score/", metrics.score_outputs, name="score_outputs"),
    path("campaigns/<slug:slug>/metrics/state/", metrics.scorings_state, name="scorings_state"),
    path("campaigns/<slug:slug>/metrics/files/<str:name>", metrics.metric_file, name="metric_file"),
    path("campaigns/<slug:slug>/reports/compare/", reports.compare_reports, name="compare_reports"),
    path("reports/<int:pk>/compared-with/<int:other>/", reports.report_changes, name="report_changes"),
    path("reports/<int:pk>/compared-with/<int:other>/<str:name>", reports.changes_file, name="changes_file"),
    path("reports/<int:pk>/", reports.report, name="report"),
    path("reports/<int:pk>/publication/", reports.publication, name="publication"),
    path("public/<slug:token>/", reports.public_file, name="public_page"),
    path("public/<slug:token>/report.zip", reports.public_site, name="public_site"),
    path("public/<slug:token>/<str:name>", reports.public_file, name="public_file"),
    path("reports/<int:pk>/files.zip", reports.report_zip, name="report_zip"),
    path("reports/<int:pk>/bundle.zip", reports.report_bundle, name="report_bundle"),
    path("reports/<int:pk>/pairs/", sentences.report_pairs, name="report_pairs"),
    path("reports/<int:pk>/judges/", sentences.report_judges, name="report_judges"),
    path("reports/<int:pk>/metrics/", sentences.report_metrics, name="report_metrics"),
    path("reports/<int:pk>/release/", reports.release_data, name="release_data"),
    path("reports/<int:pk>/<str:name>", reports.report_file, name="report_file"),
    path("tour/", tour.tour, name="tour"),
    path("operation/", operation.operation, name="operation"),
    path("operation/<slug:kind>/<int:pk>/again/", operation.queue_job_again, name="queue_job_again"),
    path("operation/<slug:kind>/<int:pk>/give-up/", operation.give_up_job, name="give_up_job"),
    *page_addresses(actions_in("ranking.actions")),
]
