"""Full addresses of pages."""

from django.conf import settings
from django.urls import reverse


def site_address(page: str, *args: object) -> str:
    """The address of a page on this site, from SITE_URL and never from the Host header of a request."""
    return settings.SITE_URL + reverse(page, args=args)
