"""Organisers' Markdown, rendered as safe HTML."""

import re
from functools import cache, lru_cache
from typing import Any

LONGEST = 20_000
# The renderer pads short rows, so a few characters could become a page with thousands of cells.
WIDEST_TABLE = 12
# The line below a table's header, also inside a quotation or list.
DELIMITERS = re.compile(r"[\s|:>0-9.)*+-]+")


@lru_cache(maxsize=64)
def to_html(markdown: str) -> str:
    return _renderer().render(markdown)


@cache
def _renderer() -> Any:
    """CommonMark without images; raw HTML is escaped. The library itself rejects links such as javascript:."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).disable("image").enable("table")


def prose_fault(markdown: str) -> str | None:
    """Why a text is too large for a page, or None."""
    if len(markdown) > LONGEST:
        return f"This text has {len(markdown):,} characters; write at most {LONGEST:,}, or link to the rest."
    if any(line.count("|") > WIDEST_TABLE and DELIMITERS.fullmatch(line) for line in markdown.splitlines()):
        return f"A table in this text has too many columns; write at most {WIDEST_TABLE - 1}."
    return None
