"""How a test gets to a judging screen."""

from collections.abc import Iterator

from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page

from judgments.judges import invitations
from judgments.models import Campaign

NEXT_IS_FETCHED = """() => {
    const form = document.querySelector("form.answers");
    return performance.getEntriesByType("resource").some(
        ({name, responseEnd, responseStatus}) =>
            name === new URL(form.dataset.next, location).href && responseEnd > 0 && responseStatus < 400,
    );
}"""


def join(page: Page, campaign: Campaign) -> None:
    """Accept an invitation and begin without the browser, which opens the first screen."""
    (invitation,) = invitations.invite(campaign, ["dan"])
    client = Client()
    client.post(reverse("join", args=[invitation.token]))
    begun = client.post(reverse("begin", args=[campaign.slug]))
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "domain": "localhost", "path": "/"}
    page.context.add_cookies([cookie])
    page.goto(begun["location"])


def wait_for_next(page: Page) -> None:
    """Wait until the script has fetched the next screen ahead, behind which nothing is under way."""
    page.wait_for_function(NEXT_IS_FETCHED)


def while_edits_are_open(page: Page) -> Iterator[None]:
    """Go on as long as an edit has no verdict, but not for ever."""
    for _ in range(300):
        if not page.locator("[data-verdict=open]").count():
            return
        yield
    raise AssertionError("Edits remain without a verdict.")
