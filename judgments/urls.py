"""Addresses of collecting."""

from django.urls import path

from judgments.views import campaigns, joining, judges, judging, material, organising, preparing

urlpatterns = [
    path("", joining.home, name="home"),
    path("campaigns/new/", campaigns.new_campaign, name="new_campaign"),
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
    path("campaigns/<slug:slug>/settings/", campaigns.settings, name="settings"),
    path("campaigns/<slug:slug>/journal/", campaigns.journal, name="journal"),
    path("campaigns/<slug:slug>/delete/", campaigns.delete_campaign, name="delete_campaign"),
    path("campaigns/<slug:slug>/material/", material.material, name="material"),
    path("campaigns/<slug:slug>/judges/", judges.judges, name="judges"),
    path("campaigns/<slug:slug>/judges/<int:pk>/exclude/", judges.exclude, name="exclude"),
    path("campaigns/<slug:slug>/judges/<int:pk>/include/", judges.include, name="include"),
    path("campaigns/<slug:slug>/judges/<int:pk>/quota/", judges.set_quota, name="set_quota"),
    path("campaigns/<slug:slug>/judges/apply-rule/", judges.apply_rule, name="apply_rule"),
    path("campaigns/<slug:slug>/invitations/", judges.invite, name="invite"),
    path("campaigns/<slug:slug>/invitations.csv", judges.invitations_csv, name="invitations_csv"),
    path("campaigns/<slug:slug>/invitations/mail/", judges.mail_links, name="mail_links"),
    path("campaigns/<slug:slug>/shared-links/", judges.share, name="share"),
    path("campaigns/<slug:slug>/links/revoke/", judges.revoke, name="revoke"),
]
