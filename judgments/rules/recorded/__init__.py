"""Judgments that others recorded: one module a file format, each giving the same plain rows."""

from collections.abc import Callable

from judgments.rules.recorded.appraise_xml import read_appraise_xml
from judgments.rules.recorded.pairs_csv import read_pairs_csv
from judgments.rules.recorded.rows import Recorded
from judgments.rules.recorded.wmt_csv import read_wmt_csv

FORMATS: dict[str, Callable[[str, bytes], list[Recorded]]] = {
    "appraise-xml": read_appraise_xml,
    "pairs-csv": read_pairs_csv,
    "wmt-csv": read_wmt_csv,
}
