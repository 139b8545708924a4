"""Coming in: the list of one's campaigns, and the page behind an invitation."""

from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from judgments import access, invitations
from judgments.models import Campaign

BACKEND = "django.contrib.auth.backends.ModelBackend"


@require_safe
@login_required
def home(request: HttpRequest) -> HttpResponse:
    """The campaigns of whoever is signed in."""
    return render(request, "judgments/home.html", {"campaigns": Campaign.objects.of(request.user)})


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """One click on the page of an invitation makes a judge."""
    invitation = access.invitation_by(token)
    if request.method != "POST":
        mine = invitation.membership is not None and invitation.membership.user == request.user
        return render(request, "judgments/join.html", {"invitation": invitation, "mine": mine})
    login(request, invitations.accept(invitation), BACKEND)
    return redirect("campaign", invitation.campaign.slug)
