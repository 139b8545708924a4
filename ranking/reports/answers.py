"""What a report answers first: a sentence to quote, what it rests on, and what may be claimed.

The same for a paper: paragraphs and a table to paste, in Markdown, LaTeX and Typst, and the works that they cite, as
BibTeX. Paragraphs are plain text with citations such as [@efron1993; @smyth2004], as Pandoc reads them.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from judgments.charts.numbers import number, quantity, span
from ranking.charts.lines import lines_of
from ranking.numbers.tables import Table, for_latex, for_markdown, for_typst, to_latex, to_markdown, to_typst
from ranking.numbers.version import VERSION

PLATFORM = "appraisegec"
# Of sentences on pairs of systems.
MOST_SAID = 5
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


@dataclass(frozen=True)
class Answer:
    """The first screenful of a report.

    `precision` says what the uncertainty consists of and what would reduce it, `fragility` how little decides the first
    place. `cited` is the method whose ranking is the one to cite, `refused` why the method chosen for that could not
    rank, `caution` why conclusions look surer than they are, and `legend` what a line between clusters says. `others`
    are the other methods, each with its label and on how many of the pairs of systems it concludes the same.
    """

    sentence: str
    facts: tuple[str, ...]
    scope: str
    agreement: str = ""
    precision: str = ""
    fragility: str = ""
    cited: str = ""
    caution: str = ""
    legend: str = ""
    refused: str = ""
    may_say: tuple[str, ...] = ()
    may_not_say: tuple[str, ...] = ()
    others: tuple[Mapping[str, Any], ...] = ()
    paper: Paper | None = None

    def text(self) -> str:
        """As plain text: the sentence, and what may be said and what not."""
        return "\n\n".join(filter(None, (self.sentence, self.caution, in_lists(self.may_say, self.may_not_say))))

    def with_paper(self, methods: str, caption: str, table: Table) -> "Answer":
        """With text for a paper, whose results are what is said here and whose caption ends with the facts."""
        results = " ".join([self.sentence, *self.may_say])
        return replace(self, paper=Paper(methods, results, f"{caption} ({', '.join(self.facts)}).", table))


def in_lists(may_say: Sequence[str], may_not_say: Sequence[str]) -> str:
    claims = (("You may say", may_say), ("You may not say", may_not_say))
    return "\n\n".join("\n- ".join([f"{title}:", *said]) for title, said in claims if said)


def first_of(table: str, said: Sequence[str]) -> tuple[str, ...]:
    """The first of these sentences on pairs, and in which table the others are."""
    more = len(said) - MOST_SAID
    return (*said[:MOST_SAID], *([f"For {quantity(more, 'more pair')} see {table}.csv."] if more > 0 else []))


def counts_of(tables: Mapping[str, Table]) -> dict[str, int]:
    """How many systems, sentences, judges and so on the numbers rest on."""
    return {line["what"]: line["number"] for line in lines_of(tables, "counts")}


def facts_of(tables: Mapping[str, Table]) -> tuple[str, ...]:
    """Say how much there was: 13 systems, 8 judges. Sentences that came without documents are in one."""
    return tuple(
        f"{many:,} skipped" if what == "skipped" else quantity(many, what.removesuffix("s"))
        for what, many in counts_of(tables).items()
        if many > (what == "documents")
    )


def describe_excluded(exclusion: Mapping[str, Any], counted: int) -> str:
    """How many judges were excluded, and how; empty if nobody was. `counted` judges were not."""
    by_rule, by_hand = exclusion.get("by_rule", 0), exclusion.get("by_hand", 0)
    if not (excluded := by_rule + by_hand):
        return ""
    said = f"{excluded} of {quantity(counted + excluded, 'judge')} {'was' if excluded == 1 else 'were'} excluded"
    if by_rule and by_hand:
        return f"{said}, {by_rule} by the rule and {by_hand} by the organisers."
    return f"{said} by the {'rule' if by_rule else 'organisers'}."


def describe_doubted(tables: Mapping[str, Table], doubted: Collection[str]) -> str:
    """Which judges wait for an organiser's look, and what changes without each; empty if nobody does."""
    if not doubted:
        return ""
    judges = counts_of(tables).get("judges", len(doubted))
    said = f"{len(doubted)} of {quantity(judges, 'judge')} {'needs' if len(doubted) == 1 else 'need'} a look."
    first = next((line["system"] for line in lines_of(tables, "standings")), "")
    for line in lines_of(tables, "leave_out"):
        if line["left_out"] == "judge" and line["name"] in doubted:
            leads = f"{first} still leads" if line["leader"] == first else f"{line['leader']} leads instead of {first}"
            many = abs(line["largest_move"])
            moves = "gains" if line["largest_move"] < 0 else "loses"
            also = f"{line['system']} {moves} {quantity(many, 'rank')}" if many else "no system moves"
            said += f" Without {line['name']}, {leads}, and {also}."
    return said


def with_interval(line: Mapping[str, Any], column: str) -> str:
    """A number of a line and its interval, such as 0.29 (0.20 to 0.38)."""
    return f"{number(line[column])}{span(line[f'{column}_low'], line[f'{column}_high'])}"


def in_percent(line: Mapping[str, Any], column: str) -> str:
    """A share of a line and its interval in percent, such as 83% (78 to 87%)."""
    value, low, high = line[column], line[f"{column}_low"], line[f"{column}_high"]
    ends = "" if low is None or high is None else f" ({number(100 * low, 0)} to {number(100 * high, 0)}%)"
    return f"{number(100 * value, 0)}%{ends}"
