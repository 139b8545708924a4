"""The card of a release: a README with the header in YAML that dataset hosts read."""

import re
from collections.abc import Iterator

from judgments.models import Screen
from judgments.protocols import protocol_of
from ranking.numbers.tables import Table, to_markdown
from ranking.publishing.release.choices import OTHER
from ranking.publishing.release.citation import as_yaml, bibtex
from ranking.publishing.release.facts import VERSION, Facts
from ranking.reports.kinds.registry import answer_of
from ranking.reports.papers import CITATION, MARKDOWN
from ranking.stats.analysis import INPUTS

REPRODUCTION = "reproduction"
# From the classes of sizes that hosts know; the last is open.
SIZES = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M"}
LARGEST = "1M<n<10M"
OF_AGREEMENT = ("agreement", "verdict_agreement", "edit_agreement", "essay_agreement")
FILES = (
    ("judgments.csv", "single judgments, a row for each answer"),
    ("judgments.jsonl", "the same, an object for each judgment"),
    ("tables/", "the numbers of the report, a CSV for each table"),
    ("croissant.json", "metadata for programs"),
    ("CITATION.cff", "how to cite these data"),
    ("LICENSE", "what is allowed"),
)


def card(facts: Facts, can_reproduce: bool) -> str:
    parts = [
        f"# {MARKDOWN.plain(facts.title)}",
        MARKDOWN.plain(facts.description),
        *_about_files(facts, can_reproduce),
        *_about_judgments(facts),
        *_about_numbers(facts, can_reproduce),
        *_about_use(facts, can_reproduce),
    ]
    return f"---\n{as_yaml(_header(facts))}---\n\n" + "\n\n".join(part.strip() for part in parts) + "\n"


def _header(facts: Facts) -> dict[str, object]:
    campaign, number = facts.anonymous.report.campaign, len(facts.judgments.rows)
    own = {"license_name": "own-licence", "license_link": "LICENSE"} if facts.choices.licence == OTHER else {}
    return {
        "pretty_name": facts.title,
        "license": facts.choices.licence,
        **own,
        "language": [campaign.language.split("-")[0].lower()],
        "task_categories": ["text-generation"],
        "tags": ["grammatical-error-correction", "human-evaluation", campaign.protocol, "croissant"],
        "size_categories": [next((size for limit, size in SIZES.items() if number < limit), LARGEST)],
        "configs": [{"config_name": "judgments", "data_files": "judgments.csv"}],
    }


def _about_files(facts: Facts, can_reproduce: bool) -> Iterator[str]:
    bundle = (
        [(f"{REPRODUCTION}/", "inputs, code and a script that computes the numbers again")] if can_reproduce else []
    )
    yield "## Files"
    yield to_markdown(Table.of("files", ("file", "content"), [*FILES, *bundle]))
    yield "## Fields of judgments.csv"
    fields = [
        (column.name, column.type.removeprefix("sc:").lower(), column.about) for column in facts.judgments.columns
    ]
    yield to_markdown(Table.of("fields", ("field", "type", "meaning"), fields))
    yield (
        "Text that a spreadsheet would take for a formula begins with an apostrophe in CSV files, not in JSON lines."
    )


def _about_judgments(facts: Facts) -> Iterator[str]:
    report = facts.anonymous.report
    campaign, answer = report.campaign, answer_of(report, facts.anonymous.tables)
    yield "## How the judgments were collected"
    asked = f"The protocol {campaign.protocol} {protocol_of(campaign).explanation}."
    methods = _plain(answer.paper.methods) if answer and answer.paper else ""
    yield f"{asked} {methods}"
    days = facts.judgments.days
    dates = f" from {min(days)} to {max(days)}" if days else ""
    skipped = sum(one.head["skipped"] == "yes" for one in facts.judgments.rows)
    yield f"These are {len(facts.judgments.rows):,} judgments{dates}, of which {skipped:,} are skips."
    if report.exclusion:
        yield (
            f"{_plain(str(report.exclusion['rule']))} Judges excluded: {report.exclusion['excluded']}; "
            f"their judgments are not in these data. {report.exclusion.get('answers', '')} "
            f"{_plain(report.exclusion.get('systems', ''))}".rstrip()
        )
    if automatic := Screen.objects.filter(campaign=campaign, automatic=True).count():
        yield (
            f"All outputs of {automatic:,} further sentences are identical. Nobody judged them, so judgments.csv does "
            "not contain them; the report counts them as ties."
        )


def _about_numbers(facts: Facts, can_reproduce: bool) -> Iterator[str]:
    report, tables = facts.anonymous.report, facts.anonymous.tables
    answer = answer_of(report, tables)
    yield "## Numbers"
    if answer:
        yield _plain(" ".join([answer.sentence, f"These numbers hold for {answer.scope}."]))
    if answer and answer.paper:
        yield to_markdown(answer.paper.table)
        yield f": {_plain(answer.paper.caption)}"
    for table in (tables[name] for name in OF_AGREEMENT if name in tables):
        yield "## Agreement"
        of_all = [row for row in table.rows if not set(row) & set(facts.anonymous.names.values())]
        yield to_markdown(Table(table.name, table.columns, tuple(of_all)))
        yield f"Lines about single judges, if there are any, are in tables/{table.name}.csv."
    yield "## Computing the numbers again"
    if can_reproduce:
        yield (
            f"{REPRODUCTION}/README.txt says how to compute every number of tables/ again and compare it, byte for "
            "byte, without the platform. The signature of the numbers is:"
        )
    else:
        yield (
            "Numbers of this kind of report are computed from texts, which this release does not give away, so it has "
            "no script that computes them again. The signature of the numbers is:"
        )
    yield _verbatim(report.signature)


def _about_use(facts: Facts, can_reproduce: bool) -> Iterator[str]:
    yield "## Licence"
    if facts.licence:
        yield f"[{facts.licence.name}]({facts.licence.address}); see LICENSE."
    else:
        yield "The licence is in the file LICENSE."
    if facts.choices.with_texts:
        yield "Texts of the source may have a licence of their own."
    yield "## Citation"
    yield f"Version {VERSION}, {facts.date}."
    yield _verbatim(bibtex(facts).strip())
    if facts.contact:
        yield f"Contact: {MARKDOWN.plain(facts.contact)}"
    yield "## Limits"
    yield (
        "The numbers of judges were drawn by chance, and judgments are in the order of the text, not of time. "
        "Comments, accounts and days are left out. Those who know a judge well may still recognise the answers; "
        "please do not try to."
    )
    if can_reproduce:
        yield f"Seconds are rounded in judgments.csv, and exact in {REPRODUCTION}/{INPUTS}/."
    if not facts.choices.with_texts:
        yield "Texts of the source and of systems are left out; segments are known by their numbers."


def _plain(text: str) -> str:
    """Plain text as Markdown, without citations of works, which are in the reproduction."""
    return MARKDOWN.plain(re.sub(f" ?{CITATION.pattern}", "", text))


def _verbatim(text: str) -> str:
    return f"```\n{text}\n```"
