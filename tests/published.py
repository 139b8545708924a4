"""The published material and judgments of Grundkiewicz et al. (2015), read once for all tests that ask them."""

import json
from collections import Counter
from functools import cache
from typing import Any

from judgments.exchange.importers.rules.rankings import read_appraise_xml
from judgments.exchange.importers.rules.recorded import RecordedJudgment
from judgments.material.rules.contents import UploadedMaterial
from judgments.material.rules.reading import EmptyLine, Roles, read_material
from judgments.rules.files.text_files import UploadedFile
from judgments.rules.texts.collapsing import collapse
from tests.shared_data import shared


@cache
def golden() -> dict[str, Any]:
    """Numbers computed by the programs of the paper's authors."""
    return json.loads(shared("reference/gjg15-golden.json").read_text(encoding="utf-8"))


@cache
def outputs() -> UploadedMaterial:
    """Twelve systems and the source; one system left one line empty, which is an empty output."""
    files = [UploadedFile(file.name, file.read_bytes()) for file in sorted(shared("data/gjg15/outputs").iterdir())]
    return read_material(files, Roles(source_takes_part=True, empty_line=EmptyLine.OUTPUT))


@cache
def multiplicities_of_sentences() -> list[list[int]]:
    """For each sentence, how many systems stand behind each distinct output."""
    columns = zip(*(lines.texts for lines in outputs().taking_part()), strict=True)
    return [[*Counter(at for at in collapse(texts)[1] if at is not None).values()] for texts in columns]


@cache
def texts_by_line() -> dict[int, dict[str, str | None]]:
    """For each line (from 0), what each system wrote there, with white space normalised as candidates have it."""
    lined_up = outputs().taking_part()
    rows: dict[int, dict[str, str | None]] = {}
    for index, place in enumerate(outputs().places):
        distinct, where = collapse(lines.texts[index] for lines in lined_up)
        rows[place.position] = {
            lines.name: distinct[at] for lines, at in zip(lined_up, where, strict=True) if at is not None
        }
    return rows


@cache
def rankings() -> list[RecordedJudgment]:
    """Every ranking of the published file."""
    return read_appraise_xml("judgments.xml", shared("data/gjg15/judgments.xml").read_bytes())
