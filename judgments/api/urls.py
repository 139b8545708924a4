"""Addresses of collecting for machines."""

from django.urls import path

from judgments.api import campaigns, description, exports, imports, judges, judgments, material, screens, seats, uploads

CAMPAIGN = "campaigns/<slug:slug>/"

urlpatterns = [
    path("schema/", description.Description.as_view(), name="api_schema"),
    path("imports/", imports.ImportList.as_view(), name="api_imports"),
    path("imports/<int:pk>/", imports.ImportDetail.as_view(), name="api_import"),
    path("imports/<int:pk>/cancel/", imports.CancelImport.as_view(), name="api_cancel_import"),
    path("campaigns/", campaigns.CampaignList.as_view(), name="api_campaigns"),
    path(CAMPAIGN, campaigns.CampaignDetail.as_view(), name="api_campaign"),
    path(f"{CAMPAIGN}state/", campaigns.CampaignState.as_view(), name="api_campaign_state"),
    path(f"{CAMPAIGN}journal/", campaigns.Journal.as_view(), name="api_journal"),
    path(f"{CAMPAIGN}segments/", material.SegmentList.as_view(), name="api_segments"),
    path(f"{CAMPAIGN}systems/", material.SystemList.as_view(), name="api_systems"),
    path(f"{CAMPAIGN}systems/<int:pk>/", material.SystemDetail.as_view(), name="api_system"),
    path(f"{CAMPAIGN}systems/<int:pk>/outputs/", material.OutputList.as_view(), name="api_outputs"),
    path(f"{CAMPAIGN}uploads/", uploads.UploadList.as_view(), name="api_uploads"),
    path(f"{CAMPAIGN}uploads/<int:pk>/", uploads.UploadDetail.as_view(), name="api_upload"),
    path(f"{CAMPAIGN}uploads/<int:pk>/store/", uploads.StoreUpload.as_view(), name="api_store_upload"),
    path(f"{CAMPAIGN}uploads/<int:pk>/cancel/", uploads.CancelUpload.as_view(), name="api_cancel_upload"),
    path(f"{CAMPAIGN}screens/", screens.ScreenList.as_view(), name="api_screens"),
    path(f"{CAMPAIGN}screens/plan/", screens.Plan.as_view(), name="api_plan"),
    path(f"{CAMPAIGN}screens/deal/", screens.Deal.as_view(), name="api_deal"),
    path(f"{CAMPAIGN}deals/<int:pk>/", screens.DealDetail.as_view(), name="api_deal_detail"),
    path(f"{CAMPAIGN}deals/<int:pk>/cancel/", screens.CancelDeal.as_view(), name="api_cancel_deal"),
    path(f"{CAMPAIGN}seats/", seats.SeatList.as_view(), name="api_seats"),
    path("seats/<int:pk>/", seats.SeatDetail.as_view(), name="api_seat"),
    path("seats/<int:pk>/judgment/", seats.NewJudgment.as_view(), name="api_new_judgment"),
    path(f"{CAMPAIGN}judgments/", judgments.JudgmentList.as_view(), name="api_judgments"),
    path(f"{CAMPAIGN}judges/", judges.JudgeList.as_view(), name="api_judges"),
    path(f"{CAMPAIGN}judges/apply-rule/", judges.ApplyRule.as_view(), name="api_apply_rule"),
    path(f"{CAMPAIGN}judges/<int:pk>/exclude/", judges.ExcludeJudge.as_view(), name="api_exclude"),
    path(f"{CAMPAIGN}judges/<int:pk>/include/", judges.IncludeJudge.as_view(), name="api_include"),
    path(f"{CAMPAIGN}judges/<int:pk>/quota/", judges.JudgeQuota.as_view(), name="api_quota"),
    path(f"{CAMPAIGN}invitations/", judges.InvitationList.as_view(), name="api_invitations"),
    path(f"{CAMPAIGN}invitations/mail/", judges.Mail.as_view(), name="api_mail"),
    path(f"{CAMPAIGN}shared-links/", judges.SharedLinkList.as_view(), name="api_shared_links"),
    path(f"{CAMPAIGN}links/revoke/", judges.RevokeLink.as_view(), name="api_revoke"),
    path(f"{CAMPAIGN}programs/", judges.ProgramList.as_view(), name="api_programs"),
    path(f"{CAMPAIGN}programs/<int:pk>/", judges.ProgramDetail.as_view(), name="api_program"),
    path(f"{CAMPAIGN}exports/", exports.ExportList.as_view(), name="api_exports"),
    path(f"{CAMPAIGN}exports/<str:name>", exports.ExportFile.as_view(), name="api_export"),
]
