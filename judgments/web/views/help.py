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
# By what people need them for, and in that order.
GROUPS = {
    "Start": "first organisers judges features",
    "How to": "upload-texts collect-submissions texts-for-judges answer-scales exclude-judges plan-screens when-to-stop"
    " invite-judges crowd-platforms program-judges watch-judging score-outputs make-reports citing crowd-verdicts"
    " import-judgments export-and-move",
    "Reference": "commands formats statistics metrics library api",
    "Operation": "deployment data performance reliability architecture",
}
NAMES = " ".join(GROUPS.values()).split()
SCROLLING = '<div class="scroll" role="group" tabindex="0" aria-label="Table"><table>'
LINK = re.compile(r"(?P<name>[a-z-]+)\.md(?P<anchor>#.*)?")


@english_page("GET", needs_account=False)
def guide(request: HttpRequest, name: str = "organisers") -> HttpResponse:
    if name not in NAMES:
        raise Http404("There is no such guide.")
    groups = {heading: [(one, _title(one)) for one in names.split()] for heading, names in GROUPS.items()}
    page = {"name": name, "title": _title(name), "groups": groups.items(), "guide": _rendered(name)}
    return render(request, "judgments/guide.html", page)


def _path(name: str) -> Path:
    return Path(GUIDES / f"{name}.md")


@cache
def _title(name: str) -> str:
    with _path(name).open(encoding="utf-8") as file:
        return file.readline().lstrip("# ").rstrip()


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
        if (found := LINK.fullmatch(address)) and found["name"] in NAMES:
            part.attrSet("href", reverse("guide", args=[found["name"]]) + (found["anchor"] or ""))
        elif address.startswith("../"):  # a file that is not on the site
            del part.attrs["href"]
