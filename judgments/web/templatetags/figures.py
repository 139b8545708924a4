"""Formats of numbers on pages."""

from django import template

register = template.Library()


@register.filter
def percent(share: object) -> str:
    """Format a share in whole percents; empty if there is none."""
    return f"{100 * share:.0f}" if isinstance(share, int | float) else ""


@register.filter
def grouped(number: object) -> str:
    """Format an integer with separated thousands; empty if there is none."""
    return f"{number:,}" if isinstance(number, int) else ""
