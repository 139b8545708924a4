"""Shares as percents."""

from django import template

register = template.Library()


@register.filter
def percent(share: object) -> str:
    """A share in whole percents; nothing where there is none, or nobody to have one."""
    return f"{100 * share:.0f}" if isinstance(share, int | float) else ""
