"""Readers of recorded judgments, one module per file format; all return the same plain rows."""

from collections.abc import Callable

from judgments.exchange.importers.rules.appraise_xml import read_appraise_xml
from judgments.exchange.importers.rules.corrections import Reader
from judgments.exchange.importers.rules.corrections_jsonl import read_corrections_jsonl
from judgments.exchange.importers.rules.corrections_m2 import read_corrections_m2
from judgments.exchange.importers.rules.gmeg_csv import read_gmeg_csv
from judgments.exchange.importers.rules.pairs_csv import read_pairs_csv
from judgments.exchange.importers.rules.parallel import read_parallel
from judgments.exchange.importers.rules.pearmut import read_pearmut
from judgments.exchange.importers.rules.ratings import RatingsReader
from judgments.exchange.importers.rules.ratings_csv import read_ratings_csv
from judgments.exchange.importers.rules.recorded import RecordedJudgment
from judgments.exchange.importers.rules.wmt_csv import read_wmt_csv
from judgments.exchange.importers.rules.wmt_scores_csv import read_wmt_da_csv, read_wmt_esa_csv

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
