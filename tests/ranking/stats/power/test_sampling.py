"""Ways of choosing sentences side by side, where the truth about all sentences is known."""

from itertools import islice, repeat

import numpy as np
import pytest

from ranking.stats.comparisons.study import PRESETS
from ranking.stats.power.curves import Collection, compare, table_of
from ranking.stats.power.worlds import Assumptions, assumed_worlds, texts_of
from ranking.stats.resampling import Unit
from tests.ranking.stats.power.screens import blank_screens

CHOSEN = PRESETS["recommended"].with_changes(replicates=200, unit=Unit.SENTENCE.value)
FAR = Assumptions(spread=0.15, ties=0.2, agreement=0.85, tastes=0.01)


@pytest.mark.wide
def test_what_is_alike_only_in_part_of_the_collection_shifts_scores():
    """The last tenth of the sentences is the most diverse; weights undo that these come five times as often."""
    blank = blank_screens(5, 1000, shared=0.0)
    at = np.arange(1000)
    facts = np.column_stack([np.full(1000, 5), np.zeros(1000), at >= 900, np.full(1000, 9)])
    collection = Collection(texts_of(blank), at.astype(float), facts)
    favoured = np.concatenate([np.arange(0, 900, 2), np.repeat(np.arange(900, 1000), 5)])
    weights = np.where(favoured >= 900, 1 / 5, 2.0)
    plans = {
        "chance": repeat((blank, np.ones(1000))),
        "distinct": repeat((blank.choose(favoured), weights)),
        "diverse": repeat((blank.choose(at >= 900), np.empty(0))),
    }
    lines = table_of(
        list(islice(compare(assumed_worlds(FAR, 5, 0), plans, collection, CHOSEN, 0), 8)), collection
    ).dicts()
    found = {(line["sampling"], line["weighted"]): line for line in lines}
    shifts = [found[way]["shift"] for way in (("chance", False), ("distinct", True), ("distinct", False))]
    assert shifts[0] < shifts[2] < found["diverse", False]["shift"]
    assert shifts[1] < shifts[2]
    assert found["diverse", False]["tau"] < found["chance", False]["tau"]
    assert [found[way]["edits"] for way in (("collection", False), ("distinct", True), ("diverse", False))] == [
        0.1, 0.1, 1.0
    ]  # fmt: skip
