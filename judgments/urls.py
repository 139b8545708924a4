"""Addresses of collecting."""

from django.urls import path

from judgments.views import joining, judging, organising

urlpatterns = [
    path("", joining.home, name="home"),
    path("join/<str:token>/", joining.join, name="join"),
    path("campaigns/<slug:slug>/", judging.campaign, name="campaign"),
    path("campaigns/<slug:slug>/begin/", judging.begin, name="begin"),
    path("seats/<int:pk>/", judging.seat, name="seat"),
    path("seats/<int:pk>/next/", judging.next_seat, name="next_seat"),
    path("seats/<int:pk>/draft/", judging.draft, name="draft"),
    path("campaigns/<slug:slug>/answers/", judging.answers, name="answers"),
    path("campaigns/<slug:slug>/organise/", organising.organise, name="organise"),
    path("campaigns/<slug:slug>/state/", organising.change_state, name="change_state"),
    path("campaigns/<slug:slug>/invitations/", organising.invite, name="invite"),
]
