"""Numbers as pages write them."""

from django import template

register = template.Library()


@register.filter
def percent(share: object) -> str:
    """A share in whole percents; nothing where there is none, or nobody to have one."""
    return f"{100 * share:.0f}" if isinstance(share, int | float) else ""


@register.filter
def grouped(number: object) -> str:
    """A whole number with its thousands apart; nothing where there is none."""
    return f"{number:,}" if isinstance(number, int) else ""
