"""Drawings as charts."""

from collections.abc import Iterator
from typing import Protocol

from django.utils.safestring import SafeString

from judgments.web.charts.chart import Plot as Chart
from judgments.web.charts.drawing import frame


class Drawing(Protocol):
    """Anything with an extent and parts."""

    @property
    def extent(self) -> tuple[float, float]:
        """The width and height of the drawing."""

    def parts(self) -> Iterator[SafeString]:
        """All elements of the drawing."""


def framed(name: str, title: str, text: str, drawing: Drawing, tables: tuple[str, ...]) -> Chart:
    """A chart of a drawing, shown with these tables."""
    return Chart(name, title, text, frame(name, title, text, *drawing.extent, drawing.parts()), tables)
