"""Paragraphs and a table to paste into a paper, in Markdown, LaTeX and Typst.

Paragraphs are plain text with citations such as [@efron1993; @smyth2004], as Pandoc reads them.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from ranking.numbers.tables import Table, for_latex, for_typst, to_latex, to_markdown, to_typst
from ranking.reports.papers.bibliography import bibliography

CITATION = re.compile(r"\[(@[\w@; ]+)\]")
MARKDOWN_SIGNS = re.compile(r"([\\`*_\[\]<>|])")


def keys_of(citation: str) -> list[str]:
    return citation.replace("@", "").split("; ")


class Format(NamedTuple):
    """How a format writes plain text and a citation."""

    plain: Callable[[str], str]
    cite: Callable[[list[str]], str]

    def written(self, text: str) -> str:
        plain, *others = CITATION.split(text)
        parts = [self.plain(plain)]
        for keys, after in zip(others[::2], others[1::2], strict=True):
            parts += [self.cite(keys_of(keys)), self.plain(after)]
        return "".join(parts)


MARKDOWN = Format(
    lambda text: MARKDOWN_SIGNS.sub(r"\\\1", text), lambda keys: f"[{'; '.join(f'@{key}' for key in keys)}]"
)
LATEX = Format(for_latex, lambda keys: rf"\cite{{{','.join(keys)}}}")
TYPST = Format(for_typst, lambda keys: " ".join(f"@{key}" for key in keys))


@dataclass(frozen=True)
class Paper:
    """What was done, what came out, and the main table with its caption."""

    methods: str
    results: str
    caption: str
    table: Table

    def files(self) -> dict[str, str]:
        return {
            "paper.md": self._markdown(),
            "paper.tex": self._latex(),
            "paper.typ": self._typst(),
            "references.bib": self._bibtex(),
        }

    def _texts(self) -> tuple[str, str, str]:
        return self.methods, self.results, self.caption

    def _markdown(self) -> str:
        methods, results, caption = map(MARKDOWN.written, self._texts())
        return f"{methods}\n\n{results}\n\n{to_markdown(self.table)}\n: {caption}\n"

    def _latex(self) -> str:
        methods, results, caption = map(LATEX.written, self._texts())
        table = "\n".join([
            r"\begin{table}", r"\centering", to_latex(self.table).rstrip(), rf"\caption{{{caption}}}", r"\end{table}",
        ])  # fmt: skip
        return f"{methods}\n\n{results}\n\n{table}\n"

    def _typst(self) -> str:
        methods, results, caption = map(TYPST.written, self._texts())
        return f"{methods}\n\n{results}\n\n#figure(\n  {to_typst(self.table)},\n  caption: [{caption}],\n)\n"

    def _bibtex(self) -> str:
        return bibliography(key for text in self._texts() for keys in CITATION.findall(text) for key in keys_of(keys))
