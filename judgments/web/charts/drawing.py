"""SVG by hand: marks, texts and the frame around them, in user units; whatever strangers wrote is escaped.

Looks are classes, which `static/css/plots.css` and `ranking.plots.standalone` dress: a page allows no inline style.
"""

import re
from collections.abc import Iterable
from html import escape

from django.utils.safestring import SafeString

# What no XML may hold, not even escaped.
UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
TEXT, SMALL = 14, 12
# Where the middle of a text of this size stands above its baseline.
TO_MIDDLE = 0.35


def tag(name: str, content: object = "", **attributes: object) -> SafeString:
    """Write an element; `class_` stands for class and `text_anchor` for text-anchor."""
    named = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_written(value))}"' for key, value in attributes.items()
    )
    inner = content if isinstance(content, SafeString) else escape(clean(str(content)))
    return SafeString(f"<{name}{named}>{inner}</{name}>")  # nosec B703


def together(parts: Iterable[SafeString]) -> SafeString:
    """Join elements, one a line."""
    return SafeString("\n".join(parts))  # nosec B703


def clean(text: str) -> str:
    """Remove characters that XML does not allow."""
    return UNWRITABLE.sub("\ufffd", text)


def words(x: float, y: float, text: str, anchor: str = "start", class_: str = "", size: int = TEXT) -> SafeString:
    """Write a text centred vertically at y."""
    given = {"text_anchor": anchor} if anchor != "start" else {}
    given |= {"class_": class_} if class_ else {}
    return tag("text", text, x=x, y=y + TO_MIDDLE * size, font_size=size, **given)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> SafeString:
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def box(x: float, y: float, width: float, height: float, class_: str, tip: str = "") -> SafeString:
    """Draw a rectangle with a tip for pointers."""
    inner = tag("title", tip) if tip else ""
    return tag("rect", inner, x=x, y=y, width=width, height=height, class_=class_)


def dot(x: float, y: float, class_: str = "point", radius: float = 4.5) -> SafeString:
    return tag("circle", cx=x, cy=y, r=radius, class_=class_)


def curve(points: Iterable[tuple[float, float]], class_: str) -> SafeString:
    return tag("polyline", points=" ".join(f"{_written(x)},{_written(y)}" for x, y in points), class_=class_)


def frame(
    name: str, title: str, description: str, width: float, height: float, parts: Iterable[SafeString]
) -> SafeString:
    """Wrap the parts of a chart; it scales, and screen readers read its title and description."""
    heads = (tag("title", title, id=f"{name}-title"), tag("desc", description, id=f"{name}-desc"))
    return tag(
        "svg", together([*heads, *parts]), xmlns="http://www.w3.org/2000/svg", class_="plot", role="img",
        viewBox=f"0 0 {_written(width)} {_written(height)}", width=width, height=height,
        aria_labelledby=f"{name}-title {name}-desc",
    )  # fmt: skip


def _written(value: object) -> str:
    """Write a number with at most one decimal, the same on every machine."""
    if isinstance(value, int | float):
        return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")  # there is no -0 in a file
    return clean(str(value))
