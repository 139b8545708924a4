"""A report's numbers as files, and their reproduction from the inputs.

One CSV file for each table, everything as JSON, and the signature; the same numbers give the same bytes.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from ranking.numbers.tables import Table, to_csv
from ranking.stats.analysis import StudyKind, analyse

SIGNATURE, EVERYTHING = "signature.txt", "report.json"
INPUTS, REPORT, AGAIN = "inputs", "report", "again"
ABOUT = "about.json"


def texts_of(
    tables: Mapping[str, Table], gaps: Mapping[str, str], signature: str, about: Mapping[str, object]
) -> dict[str, str]:
    """The content of every file by name."""
    content = {
        **about,
        "signature": signature,
        "gaps": gaps,
        "tables": {name: table.dicts() for name, table in tables.items()},
    }
    everything = json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    numbers = {f"{name}.csv": to_csv(tables[name]) for name in sorted(tables)}
    return {SIGNATURE: signature + "\n", EVERYTHING: everything} | numbers


def make_again(kind: StudyKind, folder: Path) -> str:
    """Recompute a report from its inputs into a folder beside it, and say whether the files are the same."""
    inputs = {file.name: file.read_bytes().decode() for file in (folder / INPUTS).iterdir()}
    study = kind.read(inputs)
    analysis = analyse(study, kind.sections)
    texts = texts_of(analysis.tables, analysis.gaps, study.signature(), json.loads(inputs[ABOUT]))
    (folder / AGAIN).mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / AGAIN / name).write_bytes(text.encode())
    reported = {file.name: file.read_bytes() for file in (folder / REPORT).iterdir()}
    different = sorted(name for name in reported | texts if reported.get(name) != texts.get(name, "").encode())
    if different:
        return f"Different: {', '.join(different)}. Compare the folders {REPORT} and {AGAIN}."
    return f"All {len(texts)} files are the same, byte for byte."
