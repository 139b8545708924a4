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
    return {"campaign": campaign, "pages": PAGES.items(), "here": here}
