"""The guides as a static site: `make site` writes it into var/site."""

import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))

from ranking.numbers.version import VERSION  # noqa: E402

project, version, release = "Appraise GEC", VERSION, VERSION
author = copyright = "The Appraise GEC authors"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.linkcode"]
exclude_patterns = ["paper.md"]
html_theme, html_title = "furo", f"Appraise GEC {VERSION}"
html_permalinks_icon = "#"
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_inline"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
suppress_warnings = ["myst.header"]  # the changelog has headings of its own depth
linkcheck_ignore = [r"https?://(127\.0\.0\.1|localhost|judge\.example\.org)"]

# Where the files are that the guides name; unknown until it is published somewhere.
REPOSITORY = os.environ.get("GITHUB_REPOSITORY")
SOURCE = f"https://github.com/{REPOSITORY}/blob/v{VERSION}" if REPOSITORY else ""


def linkcode_resolve(domain: str, info: dict[str, str]) -> str | None:
    return f"{SOURCE}/{info['module'].replace('.', '/')}.py" if SOURCE and domain == "py" else None


def setup(app) -> None:
    app.connect("source-read", adapt)


def adapt(app, name: str, text: list[str]) -> None:
    """Put files in that are not in docs/, by the name that stands for them, and lead other links to the repository."""
    if text[0].count("\n") == 1:
        whole = (ROOT / text[0].strip()).read_text(encoding="utf-8")
        if not text[0].strip().endswith(".md"):
            whole = f"# Settings\n\nThe file `.env.example`:\n\n```sh\n{whole}```\n"
        text[0] = re.sub(r"\]\((?!docs/|http|#)", "](../", whole).replace("](docs/", "](/")
    text[0] = text[0].replace("](../.env.example)", "](/site/settings.md)")
    text[0] = re.sub(r"\[([^\]]+)\]\(\.\./([^)]+)\)", rf"[\1]({SOURCE}/\2)" if SOURCE else r"\1", text[0])
