"""The sentences that count, as an option names them."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from judgments.rules.errors import Refused
from ranking.management.metrics import given_file
from ranking.scores.files import is_bound, read_sentences
from ranking.scores.people import JudgedFile, columns_of, scores_of

JUDGED = "judged"


def counted_sentences(options: Mapping[str, Any], in_files: int, judged: Iterable[JudgedFile]) -> list[int]:
    """The places of sentences, from 0: those in a file, or those that people scored or ranked."""
    if options["sentences"] != JUDGED:
        return read_sentences(given_file(Path(options["sentences"])), in_files)
    if options["human"] is None and not options["judgments"]:
        what = "is known from the files of --human and --judgments; give one of these, or a file of numbers"
        raise Refused(f"Which sentences people judged {what}.")
    places = {place for one in judged for place in one.sentences}
    if options["human"]:
        file = given_file(options["human"])
        names = [name for name in columns_of(file) if not is_bound(name)]
        places.update(np.flatnonzero(np.isfinite(scores_of(file, names, in_files)).any(axis=1)).tolist())
    return sorted(places)
