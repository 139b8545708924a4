"""Charts as SVG: elements, widths of texts, the frame around a drawing, and files; every text is escaped.

`static/css/plots.css` and STYLE style the classes, because pages allow no inline styles. Text widths are estimates that
err on the wide side, because system fonts differ.
"""

import re
from collections.abc import Callable, Iterable
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
# Width, height and elements.
Drawing = tuple[float, float, Iterable[SafeString]]


@dataclass(frozen=True)
class Chart:
    """A chart of some tables with a sentence that describes it or, if there is no drawing, says why."""

    name: str
    title: str
    sentence: str
    svg: SafeString
    tables: tuple[str, ...] = ()


def draw_chart(
    name: str, title: str, text: str, draw: Callable[[], Drawing], too_large: str | bool = "",
    tables: tuple[str, ...] | None = None,
) -> Chart:  # fmt: skip
    """Make a chart shown with these tables, by default the one of its name; if it is too large, say so instead.

    The chart scales, and screen readers read its title and its text.
    """
    shown = (name,) if tables is None else tables
    if too_large:
        return Chart(name, title, f"{text} {too_large}; see the numbers below.", NO_CHART, shown)
    width, height, parts = draw()
    heads = (tag("title", title, id=f"{name}-title"), tag("desc", text, id=f"{name}-desc"))
    content = format_html_join("\n", "{}", ((part,) for part in (*heads, *parts)))
    svg = tag(
        "svg", content, xmlns="http://www.w3.org/2000/svg", class_="plot", role="img",
        viewBox=f"0 0 {_plain(width)} {_plain(height)}", width=width, height=height,
        aria_labelledby=f"{name}-title {name}-desc",
    )  # fmt: skip
    return Chart(name, title, text, svg, shown)


def tag(name: str, content: object = "", **attributes: object) -> SafeString:
    """An element; `class_` stands for class and `text_anchor` for text-anchor."""
    named = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_plain(value))}"' for key, value in attributes.items()
    )
    inner = content if isinstance(content, SafeString) else escape(UNWRITABLE.sub("\ufffd", str(content)))
    return SafeString(f"<{name}{named}>{inner}</{name}>")  # nosec B703


def _plain(value: object) -> str:
    """Write a number with at most one decimal, the same on every machine."""
    if isinstance(value, int | float):
        return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")  # never -0
    return UNWRITABLE.sub("\ufffd", str(value))


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
    return tag("polyline", points=" ".join(f"{_plain(x)},{_plain(y)}" for x, y in points), class_=class_)


def link_to(address: str, mark: SafeString) -> SafeString:
    """A mark that leads somewhere by mouse or finger, where the page has scripts; by keyboard, its table does."""
    return tag("g", mark, data_href=address)


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


def short_name(text: str, longest: float = LONGEST) -> str:
    """Shorten a name with an ellipsis in the middle, as names from one team often differ only at their ends."""
    if sum(map(ems, text)) <= longest:
        return text
    room = (longest - 1) / 2
    first, last = (sum(width <= room for width in accumulate(map(ems, side))) for side in (text, text[::-1]))
    return f"{text[:first].rstrip()}…{text[len(text) - last :].lstrip()}"


# The same classes as in static/css/plots.css, which styles charts in pages; a test compares them.
STYLE = """
.plot { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
.plot text { fill: #1d1d1b; font-variant-numeric: tabular-nums; }
.plot text.faded { fill: #5c5b57; }
.plot .name { font-weight: 600; }
.plot .name.column { font-weight: 400; }
.plot .paper { fill: #ffffff; }
.plot .band { fill: #5c5b57; fill-opacity: .1; }
.plot .band.other { fill: none; }
.plot .grid { stroke: #d9d6cd; }
.plot .zero { stroke: #5c5b57; stroke-opacity: .6; }
.plot .leader { stroke: #5c5b57; stroke-opacity: .35; }
.plot .lead { stroke: #d9d6cd; stroke-width: 2; }
.plot .interval { stroke: #1d1d1b; stroke-width: 2; }
.plot .point { fill: #1d1d1b; stroke: #1d1d1b; stroke-width: 1.5; }
.plot .point.hollow { fill: #ffffff; }
.plot .curve { fill: none; stroke: #1d1d1b; stroke-width: 2; stroke-linejoin: round; }
.plot .curve.dashed { stroke-dasharray: 8 4; }
.plot .curve.dotted { stroke-dasharray: 2 3; }
.plot .curve.pale { stroke: #5c5b57; stroke-width: 1; stroke-opacity: .45; }
.plot .bar { fill: #1f5fa8; }
.plot .bar.tied { fill-opacity: .35; }
.plot .cell { stroke: none; }
.plot .void { fill: none; stroke: #d9d6cd; stroke-dasharray: 2 3; }
.plot .even { fill: #5c5b57; fill-opacity: .08; }
.plot .more1, .plot .more2, .plot .more3, .plot .more4 { fill: #5b9bd8; }
.plot .less1, .plot .less2, .plot .less3, .plot .less4 { fill: #e8913a; }
.plot .more1, .plot .less1 { fill-opacity: .22; }
.plot .more2, .plot .less2 { fill-opacity: .45; }
.plot .more3, .plot .less3 { fill-opacity: .7; }
"""
PAPER = '<rect class="paper" width="100%" height="100%"/>'
END_OF_HEAD = "</desc>"


def to_svg(chart: Chart) -> str:
    """Insert the styles after the chart's description; names cannot contain its end tag, because they are escaped."""
    head, end, rest = chart.svg.partition(END_OF_HEAD)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{head}{end}\n<style>{STYLE}</style>\n{PAPER}{rest}\n'
