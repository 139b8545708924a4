"""After warming up nothing is compiled, whatever is scored."""

import os
import subprocess
import sys

from ranking.management.warming import OTHERS
from ranking.metrics.catalogue import METRICS
from tests.services.house import ROOT
from tests.services.texts import made_texts


def test_all_kernels_are_compiled_ahead(tmp_path):
    source, references, outputs = made_texts(40, 2, 3).written(tmp_path)

    def run(*words: str) -> str:
        variables = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
        command = [sys.executable, "manage.py", *words]
        done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True)
        return done.stderr

    words = "--source", *source, "--references", *references, "--outputs", *outputs
    assert "m2: compiling, once" in run("warm_up")
    assert "compiling" not in run("score_files", *words, "--metrics", ",".join((*METRICS, *OTHERS)))
