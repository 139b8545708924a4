"""How a test gets to a judging screen."""

from playwright.sync_api import Page

from judgments.judges import invitations
from judgments.models import Campaign


def join(page: Page, campaign: Campaign) -> None:
    """Go from the link of an invitation to the first screen."""
    (invitation,) = invitations.invite(campaign, ["dan"])
    page.goto(f"/join/{invitation.token}/")
    page.get_by_role("button", name="Join as a judge").click()
    page.get_by_role("button", name="Begin judging").click()
    page.wait_for_url("**/assignments/*/")
