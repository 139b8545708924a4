from django.urls import path

from judgments.actions import OF_JUDGMENTS, actions_in
from judgments.api import (
    answers,
    assignments,
    campaigns,
    jobs,
    judges,
    judgments,
    links,
    material,
    programs,
    screens,
    uploads,
)
from judgments.api.actions import api_addresses
from judgments.api.base.views import Description

CAMPAIGN = "campaigns/<slug:slug>/"

urlpatterns = [
    path("schema/", Description.as_view(), name="api_schema"),
    path("imports/", campaigns.ImportList.as_view(), name="api_imports"),
    path("jobs/<slug:kind>/<int:pk>/", jobs.JobDetail.as_view(), name="api_job"),
    path("jobs/<slug:kind>/<int:pk>/cancel/", jobs.CancelJob.as_view(), name="api_cancel_job"),
    path("campaigns/", campaigns.CampaignList.as_view(), name="api_campaigns"),
    path(CAMPAIGN, campaigns.CampaignDetail.as_view(), name="api_campaign"),
    path(f"{CAMPAIGN}journal/", campaigns.Journal.as_view(), name="api_journal"),
    path(f"{CAMPAIGN}segments/", material.SegmentList.as_view(), name="api_segments"),
    path(f"{CAMPAIGN}usages/", material.UsageList.as_view(), name="api_usages"),
    path(f"{CAMPAIGN}systems/", material.SystemList.as_view(), name="api_systems"),
    path(f"{CAMPAIGN}systems/<int:pk>/", material.SystemDetail.as_view(), name="api_system"),
    path(f"{CAMPAIGN}systems/<int:pk>/outputs/", material.OutputList.as_view(), name="api_outputs"),
    path(f"{CAMPAIGN}submissions/", material.SubmissionList.as_view(), name="api_submissions"),
    path(f"{CAMPAIGN}uploads/", uploads.UploadList.as_view(), name="api_uploads"),
    path(f"{CAMPAIGN}uploads/<int:pk>/", uploads.UploadDetail.as_view(), name="api_upload"),
    path(f"{CAMPAIGN}screens/", screens.ScreenList.as_view(), name="api_screens"),
    path(f"{CAMPAIGN}assignments/", assignments.AssignmentList.as_view(), name="api_assignments"),
    path("assignments/<int:pk>/", assignments.AssignmentDetail.as_view(), name="api_assignment"),
    path("assignments/<int:pk>/judgment/", answers.NewJudgment.as_view(), name="api_new_judgment"),
    path("assignments/<int:pk>/said/", answers.NewProgramAnswer.as_view(), name="api_said"),
    path(f"{CAMPAIGN}judgments/", judgments.JudgmentList.as_view(), name="api_judgments"),
    path(f"{CAMPAIGN}judges/", judges.JudgeList.as_view(), name="api_judges"),
    path(f"{CAMPAIGN}invitations/", links.InvitationList.as_view(), name="api_invitations"),
    path(f"{CAMPAIGN}invitations/mail/", links.Mail.as_view(), name="api_mail"),
    path(f"{CAMPAIGN}shared-links/", links.SharedLinkList.as_view(), name="api_shared_links"),
    path(f"{CAMPAIGN}programs/", programs.ProgramList.as_view(), name="api_programs"),
    path(f"{CAMPAIGN}prompt/", programs.PromptDetail.as_view(), name="api_prompt"),
    path(f"{CAMPAIGN}program-runs/", programs.ProgramRunList.as_view(), name="api_program_runs"),
    path(f"{CAMPAIGN}exports/", judgments.ExportList.as_view(), name="api_exports"),
    path(f"{CAMPAIGN}exports/<str:name>", judgments.ExportFile.as_view(), name="api_export"),
    *api_addresses(actions_in(*OF_JUDGMENTS)),
]
