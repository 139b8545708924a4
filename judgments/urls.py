"""Addresses of collecting."""

from django.urls import path

from judgments.views import joining, judges, judging, material, organising, preparing, uploads

urlpatterns = [
    path("", joining.home, name="home"),
    path("join/<str:token>/", joining.join, name="join"),
    path("take-part/<str:token>/", joining.join_shared, name="join_shared"),
    path("campaigns/<slug:slug>/", judging.campaign, name="campaign"),
    path("campaigns/<slug:slug>/begin/", judging.begin, name="begin"),
    path("campaigns/<slug:slug>/consent/", preparing.consent, name="consent"),
    path("campaigns/<slug:slug>/tutorial/", preparing.tutorial, name="tutorial"),
    path("campaigns/<slug:slug>/tutorial/<int:number>/", preparing.tutorial, name="example"),
    path("campaigns/<slug:slug>/tutorial/finish/", preparing.finish_tutorial, name="finish_tutorial"),
    path("campaigns/<slug:slug>/questions/", preparing.questions, name="questions"),
    path("campaigns/<slug:slug>/thanks/", judging.thanks, name="thanks"),
    path("seats/<int:pk>/", judging.seat, name="seat"),
    path("seats/<int:pk>/next/", judging.next_seat, name="next_seat"),
    path("seats/<int:pk>/draft/", judging.draft, name="draft"),
    path("campaigns/<slug:slug>/answers/", judging.answers, name="answers"),
    path("campaigns/<slug:slug>/organise/", organising.organise, name="organise"),
    path("campaigns/<slug:slug>/state/", organising.change_state, name="change_state"),
    path("campaigns/<slug:slug>/material/", material.material, name="material"),
    path("campaigns/<slug:slug>/systems/<int:pk>/", material.system, name="system"),
    path("campaigns/<slug:slug>/uploads/", uploads.new_upload, name="new_upload"),
    path("campaigns/<slug:slug>/uploads/<int:pk>/", uploads.upload, name="upload"),
    path("campaigns/<slug:slug>/uploads/<int:pk>/state/", uploads.upload_state, name="upload_state"),
    path("campaigns/<slug:slug>/uploads/<int:pk>/check/", uploads.check_upload, name="check_upload"),
    path("campaigns/<slug:slug>/uploads/<int:pk>/store/", uploads.store_upload, name="store_upload"),
    path("campaigns/<slug:slug>/uploads/<int:pk>/cancel/", uploads.cancel_upload, name="cancel_upload"),
    path("campaigns/<slug:slug>/uploads/<int:pk>/throw-away/", uploads.throw_away_upload, name="throw_away_upload"),
    path("campaigns/<slug:slug>/judges/", judges.judges, name="judges"),
    path("campaigns/<slug:slug>/invitations/", judges.invite, name="invite"),
    path("campaigns/<slug:slug>/shared-links/", judges.share, name="share"),
    path("campaigns/<slug:slug>/links/revoke/", judges.revoke, name="revoke"),
]
