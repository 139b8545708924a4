"""Paragraphs and a table to paste into a paper, in Markdown, LaTeX and Typst, and the works that they cite, as BibTeX.

Paragraphs are plain text with citations such as [@efron1993; @smyth2004], as Pandoc reads them.
"""

import re
from collections.abc import Callable
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


# Papers do not begin a sentence with digits.
COUNT_FIRST = re.compile(r"^(?=[\d,]+ of )")
CITATION = re.compile(r"\[(@[\w@; ]+)\]")


def keys_of(citation: str) -> list[str]:
    return citation.replace("@", "").split("; ")


class Format(NamedTuple):
    """How a format writes plain text, a citation, and a reference to the table."""

    plain: Callable[[str], str]
    cite: Callable[[list[str]], str]
    refer: Callable[[str], str]

    def write(self, text: str) -> str:
        parts = enumerate(CITATION.split(text))
        return "".join(self.cite(keys_of(part)) if place % 2 else self.plain(part) for place, part in parts)


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
        """The same in each format, and the works that are cited."""
        label, texts = f"tab:{self.table.name}", (self.methods, self.results, self.caption)
        text_of, caption_of = {}, {}
        for form in (MARKDOWN, LATEX, TYPST):
            methods, results, caption_of[form] = map(form.write, texts)
            text_of[form] = f"{methods}\n\n{results} {form.refer(label)} gives all scores.\n\n"
        latex = "\n".join([
            r"\begin{table}[t]", r"\centering", to_latex(self.table).rstrip(), rf"\caption{{{caption_of[LATEX]}}}",
            rf"\label{{{label}}}", r"\end{table}",
        ])  # fmt: skip
        typst = f"#figure(\n  {to_typst(self.table)},\n  caption: [{caption_of[TYPST]}],\n) <{label}>"
        cited_keys = {key for text in texts for keys in CITATION.findall(text) for key in keys_of(keys)}
        return {
            "paper.md": f"{text_of[MARKDOWN]}{to_markdown(self.table)}\n: {caption_of[MARKDOWN]}\n",
            "paper.tex": f"{text_of[LATEX]}{latex}\n",
            "paper.typ": f"{text_of[TYPST]}{typst}\n",
            "references.bib": "".join(f"{works()[key]}\n" for key in sorted(cited_keys)),
        }
