"""Readers of recorded judgments, one module per file format; all return the same plain rows."""

from collections.abc import Callable

from judgments.exchange.importers.rules.corrections import (
    Reader,
    read_corrections_jsonl,
    read_corrections_m2,
    read_parallel,
)
from judgments.exchange.importers.rules.pearmut import read_pearmut
from judgments.exchange.importers.rules.rankings import read_appraise_xml, read_pairs_csv, read_wmt_csv
from judgments.exchange.importers.rules.ratings import (
    RatingsReader,
    read_gmeg_csv,
    read_ratings_csv,
    read_wmt_da_csv,
    read_wmt_esa_csv,
)
from judgments.exchange.importers.rules.recorded import RecordedJudgment

RANKINGS: dict[str, Callable[[str, bytes], list[RecordedJudgment]]] = {
    "appraise-xml": read_appraise_xml,
    "pairs-csv": read_pairs_csv,
    "wmt-csv": read_wmt_csv,
}
RATINGS: dict[str, RatingsReader] = {
    "ratings-csv": read_ratings_csv,
    "gmeg-csv": read_gmeg_csv,
    "wmt-da-csv": read_wmt_da_csv,
    "wmt-esa-csv": read_wmt_esa_csv,
    "pearmut": read_pearmut,
}
CORRECTIONS: dict[str, Reader] = {
    "corrections-m2": read_corrections_m2,
    "corrections-text": read_parallel,
    "corrections-jsonl": read_corrections_jsonl,
}
