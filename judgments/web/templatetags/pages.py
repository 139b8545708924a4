"""The way between the pages of a campaign."""

from django import template

from judgments.models import Campaign
from judgments.protocols import protocol_of

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


@register.filter
def protocol_label(campaign: Campaign) -> str:
    """What pages call the campaign's protocol."""
    return str(protocol_of(campaign).label)


def has_outputs(campaign: Campaign) -> bool:
    """Whether systems make something of sentences that a metric can score."""
    return protocol_of(campaign).has_outputs
