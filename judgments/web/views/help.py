"""The guides of docs/ as pages, with the same links between them."""

import re
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.text import slugify

from judgments.web.views.shared import english_page

GUIDES = settings.ASSETS / "docs"
INDEX = re.compile(r"^:caption: (.+)\n\n((?:[a-z/-]++\n)++)", re.MULTILINE)
SCROLLING = '<div class="scroll" role="group" tabindex="0" aria-label="Table"><table>'
LINK = re.compile(r"(?P<name>[a-z-]+)\.md(?P<anchor>#.*)?")


@english_page("GET", needs_account=False)
def guide(request: HttpRequest, name: str = "organisers") -> HttpResponse:
    if name not in titles():
        raise Http404("There is no such guide.")
    groups = {heading: [(one, titles()[one]) for one in names] for heading, names in _groups().items()}
    page = {"name": name, "title": titles()[name], "groups": groups.items(), "guide": _rendered(name)}
    return render(request, "judgments/guide.html", page)


def _path(name: str) -> Path:
    return Path(GUIDES / f"{name}.md")


@cache
def _groups() -> dict[str, list[str]]:
    """The guides by what people need them for, and in that order, as on the site of the documentation."""
    found = INDEX.findall(_path("index").read_text(encoding="utf-8"))
    return {heading: [name for name in names.split() if "/" not in name] for heading, names in found}


@cache
def titles() -> dict[str, str]:
    names = [name for names in _groups().values() for name in names]
    return {name: _path(name).read_text(encoding="utf-8").partition("\n")[0].lstrip("# ") for name in names}


@cache
def _rendered(name: str) -> str:
    from markdown_it import MarkdownIt

    renderer = MarkdownIt("commonmark", {"html": False}).enable("table")
    renderer.add_render_rule("table_open", lambda *_: SCROLLING)
    renderer.add_render_rule("table_close", lambda *_: "</table></div>")
    tokens = renderer.parse(_path(name).read_text(encoding="utf-8"))
    for before, token in zip([None, *tokens], tokens, strict=False):
        if before and before.type == "heading_open":
            before.attrSet("id", slugify(token.content))
        for part in token.children or []:
            _point_to_pages(part)
    return mark_safe(renderer.renderer.render(tokens, renderer.options, {}))  # noqa: S308 (our own text) # nosec B703


def _point_to_pages(part: Any) -> None:
    """Change links and images of the folder into those of the site."""
    if part.type == "image":
        part.attrSet("src", static(str(part.attrGet("src"))))
    elif part.type == "link_open":
        address = str(part.attrGet("href"))
        if (found := LINK.fullmatch(address)) and found["name"] in titles():
            part.attrSet("href", reverse("guide", args=[found["name"]]) + (found["anchor"] or ""))
        elif address.startswith("../"):  # a file that is not on the site
            del part.attrs["href"]
