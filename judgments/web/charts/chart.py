"""The structure of a chart."""

from dataclasses import dataclass

from django.utils.safestring import SafeString

# Nothing to draw: the sentence says why.
NO_PICTURE = SafeString("")


@dataclass(frozen=True)
class Plot:
    """A chart of some tables, and the sentence that describes it; without a chart the sentence gives the reason."""

    name: str
    title: str
    sentence: str
    svg: SafeString
    tables: tuple[str, ...] = ()
