"""After warming up nothing is compiled, whatever is scored or ranked."""

import subprocess
import sys

import pytest

from ranking.management.warming import OTHERS
from ranking.metrics.catalogue import METRICS
from tests.services.house import ROOT
from tests.services.texts import made_texts

# Kernels with the types of what they were called with. What one was called with while warming up is compiled by then,
# with all that it calls itself.
SCRIPT = """
import gc, sys
from itertools import product
from numba.core.dispatcher import Dispatcher
from ranking.library import rank
from ranking.management import from_files, warming
from ranking.stats.rankings.methods import METHODS

def called():
    kernels = [one for one in gc.get_objects() if isinstance(one, Dispatcher)]
    return {(one.__module__, one.__name__, str(types)) for one in kernels for types in one.signatures}

rows = [
    {"judge": judge, "sentence": sentence, "system": system, "rank": 1 + (sentence * ord(judge) + ord(system)) % 3}
    for judge, sentence, system in product("xy", range(9), "ABC")
]
warming.main([])
before = called()
from_files.main(sys.argv[1:])
rank(rows, tuple(METHODS), replicates=200)
print("new:", called() - before)
print("known:", len(before))
"""


@pytest.mark.wide
def test_all_kernels_are_compiled_ahead_and_kept_for_the_next_process(tmp_path):
    source, references, outputs = made_texts(40, 2, 3).written(tmp_path)
    words = "--source", *source, "--references", *references, "--outputs", *outputs
    command = [sys.executable, "-c", SCRIPT, *words, "--metrics", ",".join((*METRICS, *OTHERS))]
    for _ in range(2):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        *_, new, known = done.stdout.splitlines()
        assert new == "new: set()"
        assert int(known.removeprefix("known: ")) > 20
    assert "compiling" not in done.stderr
