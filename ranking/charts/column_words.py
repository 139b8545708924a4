"""Words for the columns of a table: files keep short names, and pages show what they mean."""

WORDS = {
    "p_best": "P(best)",
    "p_beats": "P(better)",
    "p_value": "p",
    "p_value_by_other": "p by the other method",
    "p_equivalent": "p of equivalence",
    "position_p_value": "p of the place",
    "p": "Share of errors",
    "t": "t",
    "ok": "OK",
    "self_kappa": "Kappa with oneself",
    "others_kappa": "Kappa with the others",
    "pearson": "Pearson’s r",
    "spearman": "Spearman’s rho",
    "kendall": "Kendall’s tau",
    "resolved": "Separated",
    "lowest": "Share rated 0",
    "highest": "Share rated 100",
    "instance": "Usage",
    "instances": "Usages",
    "way": "Analysis",
    "wanted": "Edits in the gold standard",
    "edits_a_sentence": "Edits per sentence",
    "edits_a_hundred_words": "Edits per 100 words",
    "of_systems": "r of means",
    "unsaid": "Could not say",
    "unsaid_share": "Share who could not say",
}
ENDS = {"low": "from", "high": "to"}


def words_of(column: str) -> str:
    """`rank_low` and `rank_high`, the ends of a range, become `Rank from` and `Rank to`; names of systems are kept."""
    stem, _, end = column.rpartition("_")
    if end in ENDS:
        return f"{words_of(stem)} {ENDS[end]}" if stem else ENDS[end].capitalize()
    spaced = column if ": " in column else column.replace("_", " ")
    return WORDS.get(column, spaced[:1].upper() + spaced[1:])
