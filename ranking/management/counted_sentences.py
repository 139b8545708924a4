"""The sentences that count, as an option names them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from judgments.rules.errors import Refused
from ranking.management.metrics import given
from ranking.scores.people import columns_of, is_bound, scores_of
from ranking.scores.sentences import read_sentences

JUDGED = "judged"


def counted_sentences(options: Mapping[str, Any], in_files: int) -> list[int]:
    """The places of sentences, from 0: those in a file, or those that people scored."""
    if options["sentences"] != JUDGED:
        return read_sentences(given(Path(options["sentences"])), in_files)
    if options["human"] is None:
        raise Refused("Which sentences people scored is known from the file of --human; give it, or a file of numbers.")
    file = given(options["human"])
    names = [name for name in columns_of(file) if not is_bound(name)]
    scored = np.isfinite(scores_of(file, names, in_files)).any(axis=1)
    return np.flatnonzero(scored).tolist()
