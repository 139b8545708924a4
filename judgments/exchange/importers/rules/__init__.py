"""Formats of recorded judgments: each with its reader, which returns plain rows, and its description for organisers."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from judgments.exchange.importers.rules import corrections, pearmut, rankings, ratings


class FileFormat(NamedTuple):
    read: Callable[..., Any]
    about: str


RANKINGS = {
    "appraise-xml": FileFormat(rankings.read_appraise_xml, "Appraise's ranking results (<ranking-item>)"),
    "pairs-csv": FileFormat(
        rankings.read_pairs_csv,
        "two systems and their ranks per row; rows with the same rankingID are one ranking",
    ),
    "wmt-csv": FileFormat(rankings.read_wmt_csv, "WMT's tables with system1Id ... and system1rank ... columns"),
}
RATINGS = {
    "ratings-csv": FileFormat(
        ratings.read_ratings_csv,
        "columns judge, segment, system, score; or the judgments.csv of a rating campaign",
    ),
    "gmeg-csv": FileFormat(
        ratings.read_gmeg_csv, "mean scores, with a column per system and a row per line, as in the GMEG corpus"
    ),
    "wmt-da-csv": FileFormat(
        ratings.read_wmt_da_csv,
        "WMT's direct assessments: user, system, item, type, two languages, score; no header",
    ),
    "wmt-esa-csv": FileFormat(
        ratings.read_wmt_esa_csv,
        "WMT's error span annotation: the same, then document, spans and times; scores are stored",
    ),
    "pearmut": FileFormat(
        pearmut.read_pearmut, "answers of Pearmut as JSON lines; scores are stored, error spans and texts are not"
    ),
}
CORRECTIONS = {
    "corrections-m2": FileFormat(
        corrections.read_corrections_m2,
        "M2; each annotator becomes a judge, named judge-0 and so on unless names are given",
    ),
    "corrections-text": FileFormat(
        corrections.read_parallel,
        "corrected sentences of one judge, one per line; or a ZIP of them, like corrections.zip",
    ),
    "corrections-jsonl": FileFormat(
        corrections.read_corrections_jsonl, "one object per judgment, like corrections.jsonl"
    ),
}


def descriptions_of(formats: Mapping[str, FileFormat]) -> dict[str, str]:
    return {name: one.about for name, one in formats.items()}
