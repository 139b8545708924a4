"""After warming up nothing is compiled, whatever is scored."""

import os
import subprocess
import sys

from ranking.management.warming import OTHERS
from ranking.metrics.catalogue import METRICS
from tests.services.house import ROOT
from tests.services.texts import made_texts


def test_all_kernels_are_compiled_ahead(tmp_path):
    texts = made_texts(40, 2, 3)
    named = {"source": texts.source, **{f"ref{number}": each for number, each in enumerate(texts.references)},
             **{f"out{number}": each for number, each in enumerate(texts.outputs)}}  # fmt: skip
    for name, lines in named.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n")

    def run(*words: str) -> str:
        variables = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
        command = [sys.executable, "manage.py", *words]
        done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True)
        return done.stderr

    files = ["--source", "source", "--references", "ref0", "ref1", "ref2", "--outputs", "out0", "out1"]
    words = [word if word.startswith("--") else str(tmp_path / word) for word in files]
    assert "m2: compiling, once" in run("warm_up")
    assert "compiling" not in run("score_files", *words, "--metrics", ",".join((*METRICS, *OTHERS)))
