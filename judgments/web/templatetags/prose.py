"""Markdown in templates."""

from django import template
from django.utils.safestring import SafeString, mark_safe

from judgments.rules.authored.prose import to_html

register = template.Library()


@register.filter
def prose(markdown: str) -> SafeString:
    """Render an organiser's Markdown; `rules.prose` lets nothing through that a browser would run."""
    return mark_safe(to_html(markdown))  # noqa: S308 (see above) # nosec B703
