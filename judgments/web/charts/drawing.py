"""SVG elements: marks, texts and the frame around them, in user units; every text is escaped.

`static/css/plots.css` and `ranking.charts.drawing.standalone` style the classes, because pages allow no inline styles.
Text widths are estimates that err on the wide side, because system fonts differ.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from itertools import accumulate
from unicodedata import combining, east_asian_width

from django.utils.html import format_html_join
from django.utils.safestring import SafeString

# Characters that XML does not allow, even escaped.
UNWRITABLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
TEXT, SMALL = 14, 12
# The height of a text's middle above its baseline, as a share of the font size.
TO_MIDDLE = 0.35
# Widths of characters as shares of the font size.
WIDE, BROAD, CAPITAL, NORMAL = 1.05, 1.0, 0.76, 0.62
LONGEST = 13.0
NO_CHART = SafeString("")


@dataclass(frozen=True)
class Chart:
    """A chart of some tables with a sentence that describes it or, if there is no drawing, says why."""

    name: str
    title: str
    sentence: str
    svg: SafeString
    tables: tuple[str, ...] = ()


def tag(name: str, content: object = "", **attributes: object) -> SafeString:
    """An element; `class_` stands for class and `text_anchor` for text-anchor."""
    named = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_written(value))}"' for key, value in attributes.items()
    )
    inner = content if isinstance(content, SafeString) else escape(_clean(str(content)))
    return SafeString(f"<{name}{named}>{inner}</{name}>")  # nosec B703


def words(x: float, y: float, text: str, anchor: str = "start", class_: str = "", size: int = TEXT) -> SafeString:
    """A text centred vertically at y."""
    given = {"text_anchor": anchor} if anchor != "start" else {}
    given |= {"class_": class_} if class_ else {}
    return tag("text", text, x=x, y=y + TO_MIDDLE * size, font_size=size, **given)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> SafeString:
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def box(x: float, y: float, width: float, height: float, class_: str, tip: str = "") -> SafeString:
    """A rectangle with an optional tooltip."""
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
    content = format_html_join("\n", "{}", ((part,) for part in (*heads, *parts)))
    return tag(
        "svg", content, xmlns="http://www.w3.org/2000/svg", class_="plot", role="img",
        viewBox=f"0 0 {_written(width)} {_written(height)}", width=width, height=height,
        aria_labelledby=f"{name}-title {name}-desc",
    )  # fmt: skip


def _written(value: object) -> str:
    """Write a number with at most one decimal, the same on every machine."""
    if isinstance(value, int | float):
        return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")  # never -0
    return _clean(str(value))


def _clean(text: str) -> str:
    return UNWRITABLE.sub("\ufffd", text)


def width_of(texts: list[str], size: int = TEXT) -> float:
    """Estimate the width of the widest text."""
    return size * max((sum(map(ems, text)) for text in texts), default=0.0)


def ems(sign: str) -> float:
    """Estimate the width of a character as a share of the font size."""
    if combining(sign):
        return 0.0
    if east_asian_width(sign) in "WF":
        return WIDE
    if sign in "mwMW@%—":
        return BROAD
    return CAPITAL if sign.isupper() else NORMAL


def shortened(text: str, longest: float = LONGEST) -> str:
    """Shorten a name with an ellipsis in the middle, as names from one team often differ only at their ends."""
    if sum(map(ems, text)) <= longest:
        return text
    room = (longest - 1) / 2
    return f"{_beginning(text, room).rstrip()}…{_beginning(text[::-1], room)[::-1].lstrip()}"


def _beginning(text: str, room: float) -> str:
    return text[: sum(1 for width in accumulate(map(ems, text)) if width <= room)]
