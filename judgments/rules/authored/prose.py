"""Markdown by organisers, rendered as HTML that can do no harm."""

import re
from functools import lru_cache

from markdown_it import MarkdownIt

LONGEST = 20_000
# A row of a table that lacks cells is filled up, so that a few characters could become a page of a thousand cells.
WIDEST_TABLE = 12
# The line below the head, be it in a quotation or a list.
DELIMITERS = re.compile(r"[\s|:>0-9.)*+-]+")

# CommonMark without raw HTML, which is shown as it is written, and without pictures from elsewhere. Links to anything
# but the web and mail (javascript: and the like) are no links for this library.
RENDERER = MarkdownIt("commonmark", {"html": False}).disable("image").enable("table")


@lru_cache(maxsize=64)
def to_html(markdown: str) -> str:
    return RENDERER.render(markdown)


def prose_fault(markdown: str) -> str | None:
    """Return why a text is too large for a page, or None."""
    if len(markdown) > LONGEST:
        return f"This text has {len(markdown):,} characters; write at most {LONGEST:,}, or link to the rest."
    if any(line.count("|") > WIDEST_TABLE and DELIMITERS.fullmatch(line) for line in markdown.splitlines()):
        return f"A table in this text has too many columns; write at most {WIDEST_TABLE - 1}."
    return None
