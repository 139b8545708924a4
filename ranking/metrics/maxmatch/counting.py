"""Correct, proposed and gold edits of outputs."""

import numpy as np

from ranking.metrics.base import ABSENT
from ranking.metrics.maxmatch.arcs import arcs_of, cheapest_path
from ranking.metrics.maxmatch.gold import Spelling, agrees
from ranking.metrics.maxmatch.lattice import lattice_of
from ranking.metrics.maxmatch.long_lines import best_path
from ranking.numbers.kernels import kernel

CORRECT, PROPOSED, GOLD = range(3)
COLUMNS = 3
# With more nodes the arcs are not listed: there can be half as many as the square of this.
MOST_NODES = 1000


@kernel
def count_edits(
    first, last, sentence, sources, source_starts, outputs, output_starts, spelled, symbols, gold, unchanged, most_nodes
):
    """Correct, proposed and gold edits of the candidates first to last against every reference of their sentence."""
    references = len(gold.absent) // max(len(source_starts) - 1, 1)
    counts = np.full((last - first, references, COLUMNS), ABSENT, np.int32)
    for candidate in range(first, last):
        here = sentence[candidate]
        low, high = output_starts[candidate], output_starts[candidate + 1]
        source = sources[source_starts[here] : source_starts[here + 1]]
        lattice = lattice_of(source, outputs[low:high])
        spelling = Spelling(spelled[low : high + 1], symbols)
        is_long = len(lattice.rows) > most_nodes
        if not is_long:
            arcs = arcs_of(lattice, unchanged)
        for reference in range(references):
            cell = here * references + reference
            if gold.absent[cell]:
                continue
            if is_long:
                path = best_path(lattice, spelling, gold, cell, unchanged)
            else:
                path = cheapest_path(arcs, lattice, spelling, gold, cell)
            row = counts[candidate - first, reference]
            row[CORRECT] = _agreeing(path, lattice, spelling, gold, cell)
            row[PROPOSED] = len(path)
            row[GOLD] = gold.firsts[cell + 1] - gold.firsts[cell]
    return counts


@kernel
def _agreeing(path, lattice, spelling, gold, cell):
    """Count the edits of the path that match one of the reference after all those already matched."""
    met, last = gold.firsts[cell], gold.firsts[cell + 1]
    agreeing = 0
    for place in range(len(path) - 1, -1, -1):
        begin, end = path[place]
        for edit in range(met, last):
            if gold.starts[edit] > lattice.rows[end]:
                break
            if agrees(lattice, begin, end, spelling, gold, edit):
                agreeing += 1
                met = edit + 1
    return agreeing
