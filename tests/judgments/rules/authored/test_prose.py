"""Markdown becomes HTML, and nothing that a browser would run gets through."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.authored.prose import LONGEST, prose_fault, to_html


def test_what_organisers_write_is_set():
    html = to_html("# Read this\n\nRank *all* of them:\n\n- the **best** is 1\n- ties are fine\n")
    assert "<h1>Read this</h1>" in html
    assert "<em>all</em>" in html
    assert html.count("<li>") == 2


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "a <img src=x onerror=alert(1)> b",
        "[click](javascript:alert(1))",
        "[click](JaVaScRiPt:alert(1))",
        "[click](data:text/html,<script>alert(1)</script>)",
        "<javascript:alert(1)>",
        "![x](https://elsewhere.example/track.png)",
        "[x]: javascript:alert(1)\n\n[x]",
        '[a](https://example.org "\\" onmouseover=alert(1)")',
    ],
)
def test_nothing_runs_and_nothing_is_fetched(hostile):
    html = to_html(hostile)
    tags = re.findall(r"<[^>]+>", html)
    assert not [tag for tag in tags if re.match(r"<(script|img|iframe|style|object)", tag)]
    assert not [tag for tag in tags if re.search(r"javascript:|data:|\son\w+=", re.sub(r'"[^"]*"', "", tag) + tag[:0])]
    assert not re.search(r'href="(?!https?:|mailto:)[a-z]+:', html)


@given(st.text(alphabet="<>[]()!\"'`*_#-:/\n javscriptonetdl=&;", max_size=80))
def test_any_input_yields_only_tags_of_markdown(markdown):
    names = {name.lower() for name in re.findall(r"</?([a-zA-Z][a-zA-Z0-9]*)", to_html(markdown))}
    plain = {"p", "em", "strong", "code", "pre", "ul", "ol", "li", "blockquote", "hr", "br", "a"}
    assert names <= plain | {"h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"}


def table(columns: int, before: str = "") -> str:
    row = "|" * (columns + 1)
    return f"{before}{row.replace('|', '|a', columns)}\n{before}{row.replace('|', '|-', columns)}\n"


def test_a_text_is_bounded_and_listed_so():
    assert prose_fault("a" * LONGEST) is None
    assert "20,001 characters" in (prose_fault("a" * (LONGEST + 1)) or "")


@pytest.mark.parametrize("before", ["", "> ", "  ", "- "])
def test_a_table_cannot_be_wider_than_a_page(before):
    assert prose_fault(table(11, before)) is None
    assert "too many columns" in (prose_fault(table(12, before)) or "")


@pytest.mark.wide
def test_no_text_becomes_a_book():
    """Rows that lack cells are filled up; a head of few columns bounds what comes of that."""
    text = table(11) + "|\n" * ((LONGEST - len(table(11))) // 2)
    assert prose_fault(text) is None
    assert len(to_html(text)) < 1_000_000
