"""In what dress machines get their answers."""

from collections.abc import Sequence

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class OnlyOne(DefaultContentNegotiation):
    """There is one dress, so nobody is refused for wishing another one; files come as what they are."""

    def select_renderer(
        self, request: Request, renderers: Sequence[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """The only renderer, with its media type."""
        return renderers[0], renderers[0].media_type
