"""The way between the pages of a campaign."""

from django import template

from judgments.models import Campaign

register = template.Library()

# In the order in which an organiser comes to need them.
PAGES = {
    "organise": "Overview",
    "material": "Material",
    "screens": "Screens",
    "judges": "Judges",
    "board": "Board",
    "metrics": "Metrics",
    "report_list": "Reports",
    "exports": "Exports",
    "settings": "Settings",
    "journal": "Journal",
}


@register.inclusion_tag("judgments/_pages.html")
def pages_of(campaign: Campaign, here: str) -> dict[str, object]:
    """Links to all of them; `here` is the one that is shown."""
    pages = {name: title for name, title in PAGES.items() if name != "metrics" or has_outputs(campaign)}
    return {"campaign": campaign, "pages": pages.items(), "here": here}


def has_outputs(campaign: Campaign) -> bool:
    """Whether systems make something of sentences that a metric can score."""
    return campaign.protocol != Campaign.Protocol.VERDICT
