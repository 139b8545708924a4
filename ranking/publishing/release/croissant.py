"""Metadata in the format Croissant 1.0 of MLCommons, which describes the file judgments.csv column by column."""

import json
from hashlib import sha256

from ranking.publishing.release.citation import bibtex
from ranking.publishing.release.facts import VERSION, Facts
from ranking.publishing.release.judgments import Column

JUDGMENTS = "judgments.csv"
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


def croissant_json(facts: Facts, judgments: str) -> str:
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
                "sha256": sha256(judgments.encode()).hexdigest(),
            }
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": "judgments",
                "name": "judgments",
                "field": [_field(column) for column in facts.judgments.columns],
            }
        ],
    }
    content |= {"url": facts.address} if facts.address else {}
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _field(column: Column) -> dict[str, object]:
    return {
        "@type": "cr:Field",
        "@id": f"judgments/{column.name}",
        "name": column.name,
        "description": column.about,
        "dataType": column.type,
        "source": {"fileObject": {"@id": JUDGMENTS}, "extract": {"column": column.name}},
    }
