"""Make every number of a report again from what it was made from, and say whether it is the same, byte for byte."""

import json
from pathlib import Path

from ranking.stats.analysis import analyse
from ranking.stats.kinds import read
from ranking.stats.texts import texts_of

INPUTS, REPORT, AGAIN = "inputs", "report", "again"
ABOUT = "about.json"


def make_again(folder: Path) -> str:
    """Read the inputs, write all numbers beside the report, and compare them."""
    inputs = {file.name: file.read_bytes().decode() for file in (folder / INPUTS).iterdir()}
    study = read(inputs)
    analysis = analyse(study)
    texts = texts_of(analysis.tables, analysis.gaps, study.signature(), json.loads(inputs[ABOUT]))
    (folder / AGAIN).mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / AGAIN / name).write_bytes(text.encode())
    there = {file.name: file.read_bytes() for file in (folder / REPORT).iterdir()}
    different = sorted(name for name in there | texts if there.get(name) != texts.get(name, "").encode())
    if different:
        return f"Different: {', '.join(different)}. Compare the folders {REPORT} and {AGAIN}."
    return f"All {len(texts)} files are the same, byte for byte."
