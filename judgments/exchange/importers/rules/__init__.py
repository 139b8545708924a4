"""Readers of recorded judgments by file format; all return the same plain rows."""

from judgments.exchange.importers.rules import corrections, pearmut, rankings, ratings

RANKINGS = {
    "appraise-xml": rankings.read_appraise_xml,
    "pairs-csv": rankings.read_pairs_csv,
    "wmt-csv": rankings.read_wmt_csv,
}
RATINGS: dict[str, ratings.RatingsReader] = {
    "ratings-csv": ratings.read_ratings_csv,
    "gmeg-csv": ratings.read_gmeg_csv,
    "wmt-da-csv": ratings.read_wmt_da_csv,
    "wmt-esa-csv": ratings.read_wmt_esa_csv,
    "pearmut": pearmut.read_pearmut,
}
CORRECTIONS: dict[str, corrections.Reader] = {
    "corrections-m2": corrections.read_corrections_m2,
    "corrections-text": corrections.read_parallel,
    "corrections-jsonl": corrections.read_corrections_jsonl,
}
