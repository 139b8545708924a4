"""Paragraphs and a table to paste into a paper, in Markdown, LaTeX and Typst, and the works that they cite, as BibTeX.

Paragraphs are plain text with citations such as [@efron1993; @smyth2004], as Pandoc reads them.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from ranking.numbers.tables import Table, for_latex, for_markdown, for_typst, to_latex, to_markdown, to_typst
from ranking.numbers.version import VERSION

PLATFORM = "appraisegec"
OWN = (
    f"@misc{{{PLATFORM}, author = {{{{The Appraise GEC authors}}}}, title = {{{{Appraise GEC}}}}, "
    f"note = {{Software, version {VERSION}}}, year = {{2026}}}}"
)


def computed_with(seed: int) -> str:
    """The sentence that cites the platform."""
    return f"All results were computed with Appraise GEC [@{PLATFORM}], with random seed {seed}."


@cache
def works() -> dict[str, str]:
    """Every work by its key, in alphabetical order."""
    written = Path(__file__).with_name("references.bib").read_text("utf-8").splitlines()
    return {re.match(r"@\w+\{(\w+),", work)[1]: work for work in [OWN, *written]}  # type: ignore[index]


def bibliography(keys: Iterable[str]) -> str:
    """The entries of the works, one a line."""
    return "".join(f"{works()[key]}\n" for key in sorted(set(keys)))


CITATION = re.compile(r"\[(@[\w@; ]+)\]")


def keys_of(citation: str) -> list[str]:
    return citation.replace("@", "").split("; ")


class Format(NamedTuple):
    """How a format writes plain text, a citation, and a reference to the table."""

    plain: Callable[[str], str]
    cite: Callable[[list[str]], str]
    refer: Callable[[str], str]

    def written(self, text: str) -> str:
        plain, *others = CITATION.split(text)
        parts = [self.plain(plain)]
        for keys, after in zip(others[::2], others[1::2], strict=True):
            parts += [self.cite(keys_of(keys)), self.plain(after)]
        return "".join(parts)


MARKDOWN = Format(
    for_markdown, lambda keys: f"[{'; '.join(f'@{key}' for key in keys)}]", lambda label: "The table below"
)
LATEX = Format(for_latex, lambda keys: rf"\cite{{{','.join(keys)}}}", lambda label: rf"Table~\ref{{{label}}}")
TYPST = Format(for_typst, lambda keys: " ".join(f"@{key}" for key in keys), lambda label: f"@{label}")


@dataclass(frozen=True)
class Paper:
    """What was done, what came out, and the main table with its caption; the name of the table is part of its label."""

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

    def _written(self, form: Format) -> tuple[str, str, str]:
        methods, results, caption = map(form.written, self._texts())
        return methods, f"{results} {form.refer(self._label)} gives all scores.", caption

    @property
    def _label(self) -> str:
        return f"tab:{self.table.name}"

    def _markdown(self) -> str:
        methods, results, caption = self._written(MARKDOWN)
        return f"{methods}\n\n{results}\n\n{to_markdown(self.table)}\n: {caption}\n"

    def _latex(self) -> str:
        methods, results, caption = self._written(LATEX)
        table = "\n".join([
            r"\begin{table}[t]", r"\centering", to_latex(self.table).rstrip(), rf"\caption{{{caption}}}",
            rf"\label{{{self._label}}}", r"\end{table}",
        ])  # fmt: skip
        return f"{methods}\n\n{results}\n\n{table}\n"

    def _typst(self) -> str:
        methods, results, caption = self._written(TYPST)
        figure = f"#figure(\n  {to_typst(self.table)},\n  caption: [{caption}],\n) <{self._label}>"
        return f"{methods}\n\n{results}\n\n{figure}\n"

    def _bibtex(self) -> str:
        return bibliography(key for text in self._texts() for keys in CITATION.findall(text) for key in keys_of(keys))
