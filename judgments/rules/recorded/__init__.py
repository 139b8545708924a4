"""Judgments that others recorded: one module a file format, each giving the same plain rows."""

from collections.abc import Callable

from judgments.rules.recorded.appraise_xml import read_appraise_xml
from judgments.rules.recorded.corrections import Reader
from judgments.rules.recorded.corrections_jsonl import read_corrections_jsonl
from judgments.rules.recorded.corrections_m2 import read_corrections_m2
from judgments.rules.recorded.pairs_csv import read_pairs_csv
from judgments.rules.recorded.parallel import read_parallel
from judgments.rules.recorded.rows import Recorded
from judgments.rules.recorded.wmt_csv import read_wmt_csv

CORRECTIONS: dict[str, Reader] = {
    "corrections-m2": read_corrections_m2,
    "corrections-text": read_parallel,
    "corrections-jsonl": read_corrections_jsonl,
}
FORMATS: dict[str, Callable[[str, bytes], list[Recorded]]] = {
    "appraise-xml": read_appraise_xml,
    "pairs-csv": read_pairs_csv,
    "wmt-csv": read_wmt_csv,
}
