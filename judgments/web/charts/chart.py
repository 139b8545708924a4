"""What every plot is."""

from dataclasses import dataclass

from django.utils.safestring import SafeString

# Nothing to draw: the sentence says why.
NO_PICTURE = SafeString("")


@dataclass(frozen=True)
class Plot:
    """A picture of some tables, and the sentence that says what it shows; without a picture the sentence says why."""

    name: str
    title: str
    sentence: str
    svg: SafeString
    tables: tuple[str, ...] = ()
