"""A data release: the judgments of a report without names, its numbers, and what is needed to use and cite them.

The same report and the same choices give the same bytes. The card is a README with the header in YAML that dataset
hosts read; croissant.json has metadata in the format Croissant 1.0 of MLCommons, which describes judgments.csv column
by column.
"""

import json
import re
from collections.abc import Collection, Iterator
from hashlib import sha256

from django.http import Http404

from judgments.models import Job, Screen
from judgments.models.database import snapshot
from judgments.protocols import protocol_of
from judgments.rules.errors import Refused
from ranking.models import Report
from ranking.numbers.tables import Table, to_csv, to_markdown
from ranking.publishing.eval_records import RECORDS, eval_records
from ranking.publishing.facts import OTHER, VERSION, PublicFacts, ReleaseChoices, as_yaml, bibtex, citation_cff
from ranking.publishing.released_judgments import ReleasedJudgments, judgments_of
from ranking.reports.answers import CITATION, MARKDOWN
from ranking.reports.downloads import bundle_files, make_zip
from ranking.reports.kinds.kind import answer_of
from ranking.reports.renaming import AnonymousReport, anonymous_report, can_reproduce
from ranking.stats.analysis import INPUTS

README, JUDGMENTS, REPRODUCTION = "README.md", "judgments.csv", "reproduction"
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
    (f"{RECORDS}/", "the scores of each system as records for Every Eval Ever"),
    (f"{REPRODUCTION}/", "inputs, code and a script that computes the numbers again"),
)
# As the specification has it: other contexts mean the same, but its validator complains.
CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "dct": "http://purl.org/dc/terms/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
} | {
    name: f"cr:{name}"
    for name in (
        "citeAs", "column", "equivalentProperty", "extract", "field", "fileProperty", "fileObject", "fileSet", "format",
        "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet", "references",
        "regex", "repeated", "replace", "samplingRate", "separator", "source", "subField", "transform",
    )
}  # fmt: skip


def check_releasable(report: Report) -> None:
    if report.state != Job.State.DONE or report.is_interim:
        raise Http404("Only a finished report can be released. Wait until it is done, or make a new one.")


def release(report: Report, choices: ReleaseChoices) -> bytes:
    """Build the ZIP; without permission to give texts away, no file of it contains any."""
    check_releasable(report)
    if not choices.licence:
        raise Refused("Choose a licence: without one, nobody may use the data.")
    with snapshot():
        anonymous = anonymous_report(report)
        judgments = judgments_of(report, anonymous.names, choices.with_texts)
        facts = PublicFacts(report, choices, choices.address, is_release=True)
        files: dict[str, str | bytes] = {
            "LICENSE": facts.licence_text,
            "CITATION.cff": citation_cff(facts),
            "croissant.json": croissant_json(judgments, facts),
            JUDGMENTS: judgments.csv(),
            "judgments.jsonl": judgments.jsonl(),
        }
        files |= {f"tables/{name}.csv": to_csv(table) for name, table in sorted(anonymous.tables.items())}
        files |= eval_records(anonymous, facts)
        if can_reproduce(report, choices.with_texts):
            bundle = bundle_files(anonymous.report, anonymous.tables, anonymous.inputs)
            files |= {f"{REPRODUCTION}/{name}": content for name, content in bundle.items()}
        files = {README: card(anonymous, judgments, facts, files), **files}
    return make_zip(files)


def card(anonymous: AnonymousReport, judgments: ReleasedJudgments, facts: PublicFacts, files: Collection[str]) -> str:
    campaign, number = anonymous.report.campaign, len(judgments.rows)
    own = {"license_name": "own-licence", "license_link": "LICENSE"} if facts.choices.licence == OTHER else {}
    header = {
        "pretty_name": facts.title,
        "license": facts.choices.licence,
        **own,
        "language": [campaign.language.split("-")[0].lower()],
        "task_categories": ["text-generation"],
        "tags": ["grammatical-error-correction", "human-evaluation", campaign.protocol, "croissant"],
        "size_categories": [next((size for limit, size in SIZES.items() if number < limit), LARGEST)],
        "configs": [{"config_name": "judgments", "data_files": "judgments.csv"}],
    }
    parts = "\n\n".join(part.strip() for part in _parts_of_card(anonymous, judgments, facts, files))
    return f"---\n{as_yaml(header)}---\n\n{parts}\n"


def _parts_of_card(
    anonymous: AnonymousReport, judgments: ReleasedJudgments, facts: PublicFacts, files: Collection[str]
) -> Iterator[str]:
    report, tables = anonymous.report, anonymous.tables
    is_whole = any(name.startswith(REPRODUCTION) for name in files)
    campaign, answer = report.campaign, answer_of(report, tables)
    paper = answer.paper if answer else None
    yield f"# {MARKDOWN.plain(facts.title)}"
    yield MARKDOWN.plain(facts.description)
    yield "## Files"
    there = [line for line in FILES if any(name.startswith(line[0]) for name in files)]
    yield to_markdown(Table.of("files", ("file", "content"), there))
    yield "## Fields of judgments.csv"
    fields = [(one.name, one.type.removeprefix("sc:").lower(), one.about) for one in judgments.columns]
    yield to_markdown(Table.of("fields", ("field", "type", "meaning"), fields))
    yield (
        "Text that a spreadsheet would take for a formula begins with an apostrophe in CSV files, not in JSON lines."
    )
    yield "## How the judgments were collected"
    asked = f"The protocol {campaign.protocol} {protocol_of(campaign).explanation}."
    yield f"{asked} {_plain(paper.methods) if paper else ''}"
    days = judgments.days
    dates = f" from {min(days)} to {max(days)}" if days else ""
    skipped = sum(head["skipped"] == "yes" for head, _ in judgments.rows)
    yield f"These are {len(judgments.rows):,} judgments{dates}, of which {skipped:,} are skips."
    if excluded := report.exclusion.get("excluded"):  # by which rule stands above, with what else was fixed
        yield f"Judges excluded: {excluded}; their judgments are not in these data."
    if automatic := Screen.objects.filter(campaign=campaign, automatic=True).count():
        yield (
            f"All outputs of {automatic:,} further sentences are identical. Nobody judged them, so judgments.csv does "
            "not contain them; the report counts them as ties."
        )
    yield "## Numbers"
    if answer:
        yield _plain(" ".join([answer.sentence, f"These numbers hold for {answer.scope}."]))
    if paper:
        yield to_markdown(paper.table)
        yield f": {_plain(paper.caption)}"
    for table in (tables[name] for name in OF_AGREEMENT if name in tables):
        yield "## Agreement"
        of_all = [row for row in table.rows if not set(row) & set(anonymous.names.values())]
        yield to_markdown(Table(table.name, table.columns, tuple(of_all)))
        yield f"Lines about single judges, if there are any, are in tables/{table.name}.csv."
    yield "## Computing the numbers again"
    yield (
        f"{REPRODUCTION}/README.txt says how to compute every number of tables/ again and compare it, byte for "
        "byte, without the platform. The signature of the numbers is:"
        if is_whole
        else "Numbers of this kind of report are computed from texts, which this release does not give away, so it has "
        "no script that computes them again. The signature of the numbers is:"
    )
    yield f"```\n{report.signature}\n```"
    yield "## Licence"
    if facts.licence:
        yield f"[{facts.licence.name}]({facts.licence.address}); see LICENSE."
    else:
        yield "The licence is in the file LICENSE."
    if facts.choices.with_texts:
        yield "Texts of the source may have a licence of their own."
    yield "## Citation"
    yield f"Version {VERSION}, {facts.date}."
    yield f"```\n{bibtex(facts).strip()}\n```"
    if facts.contact:
        yield f"Contact: {MARKDOWN.plain(facts.contact)}"
    yield "## Limits"
    yield (
        "The numbers of judges were drawn by chance, and judgments are in the order of the text, not of time. "
        "Comments, accounts and days are left out. Those who know a judge well may still recognise the answers; "
        "please do not try to."
    )
    if is_whole:
        yield f"Seconds are rounded in judgments.csv, and exact in {REPRODUCTION}/{INPUTS}/."
    if not facts.choices.with_texts:
        yield "Texts of the source and of systems are left out; sentences are known by their numbers."


def _plain(text: str) -> str:
    """Plain text as Markdown, without citations of works, which are in the reproduction."""
    return MARKDOWN.plain(re.sub(f" ?{CITATION.pattern}", "", text))


def croissant_json(judgments: ReleasedJudgments, facts: PublicFacts) -> str:
    fields = [
        {
            "@type": "cr:Field",
            "@id": f"judgments/{column.name}",
            "name": column.name,
            "description": column.about,
            "dataType": column.type,
            "source": {"fileObject": {"@id": JUDGMENTS}, "extract": {"column": column.name}},
        }
        for column in judgments.columns
    ]
    content = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": facts.title,
        "description": facts.description,
        "license": facts.licence.address if facts.licence else facts.licence_text.strip(),
        "creator": [{"@type": "sc:Person" if "," in one else "sc:Organization", "name": one} for one in facts.creators],
        "version": VERSION,
        "datePublished": facts.date,
        "citeAs": bibtex(facts),
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": JUDGMENTS,
                "name": JUDGMENTS,
                "description": "Single judgments, a row for each answer.",
                "contentUrl": JUDGMENTS,
                "encodingFormat": "text/csv",
                "sha256": sha256(judgments.csv().encode()).hexdigest(),
            }
        ],
        "recordSet": [{"@type": "cr:RecordSet", "@id": "judgments", "name": "judgments", "field": fields}],
    }
    content |= {"url": facts.address} if facts.address else {}
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"
