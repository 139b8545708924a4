"""Addresses of links outside of a request."""

from django.conf import settings
from django.urls import reverse

from judgments.models import Invitation, SharedLink


def join_link(invitation: Invitation) -> str:
    return settings.SITE_URL + reverse("join", args=[invitation.token])


def shared_link(link: SharedLink) -> str:
    return settings.SITE_URL + reverse("join_shared", args=[link.token])
