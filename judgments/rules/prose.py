"""Markdown as organisers write it, turned into HTML that can do no harm."""

from markdown_it import MarkdownIt

# CommonMark without raw HTML, which is shown as it is written, and without pictures from elsewhere. Links to anything
# but the web and mail (javascript: and the like) are no links for this library.
RENDERER = MarkdownIt("commonmark", {"html": False}).disable("image").enable("table")


def to_html(markdown: str) -> str:
    """The text as HTML."""
    return RENDERER.render(markdown)
