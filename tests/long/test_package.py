"""The package as people install it: a wheel with the whole platform, and a source distribution for scoring alone."""

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.metadata import Metadata
from packaging.requirements import Requirement

from ranking.numbers.version import VERSION
from tests.services.house import ROOT
from tests.services.visitor import Visitor
from tests.services.waiting import free_port, wait_until

SCORING = ("numba", "numpy", "rapidfuzz", "scipy", "trueskill")
QUIET = ("--quiet", "--disable-pip-version-check")


def run(*words: object, **variables: str) -> str:
    inherited = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "TMPDIR")}
    # pip of the machine may be told where packages are.
    inherited |= {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    command = [str(word) for word in words]
    done = subprocess.run(command, env=inherited | variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def environment(folder: Path, *packages: object) -> Path:
    run(sys.executable, "-m", "venv", folder)
    for words in packages:
        run(folder / "bin" / "pip", "install", *QUIET, *words)
    return folder / "bin"


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--sdist", "--wheel", "--outdir", folder, ROOT)
    return {file.suffix: file for file in folder.iterdir()}


@pytest.fixture
def texts(tmp_path) -> list[str]:
    for name, text in {"source": "A cats sat .\n", "Heron": "A cat sat .\n", "reference": "A cat sat .\n"}.items():
        (tmp_path / name).write_text(text)
    return ["--source", f"{tmp_path}/source", "--outputs", f"{tmp_path}/Heron", "--references", f"{tmp_path}/reference"]


def test_the_wheel_runs_the_platform(built, texts, tmp_path):
    programs = environment(tmp_path / "platform", [built[".whl"]])
    program = programs / "appraise-gec"
    assert run(program, "--version").strip() == VERSION
    assert "| Heron | 1.0000 |" in run(program, "score", *texts, "--metrics", "gleu")
    about = run(program, "import-outputs", "--help", HOME=str(tmp_path))
    assert "appraise-gec import-outputs mytask outputs/" in about
    assert "manage.py" not in about
    port, printed = free_port(), tmp_path / "printed"
    with printed.open("w") as written:
        variables = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data")}
        server = subprocess.Popen([program, "serve", f"--port={port}"], env=variables, cwd=tmp_path, stdout=written)
    try:
        wait_until(lambda: "The platform is at" in printed.read_text(), "the platform", seconds=120)
        visitor = Visitor(f"http://127.0.0.1:{port}")
        assert "Running a campaign" in visitor.open("/help/organisers/")
        assert f"Data are kept in {tmp_path}/data/appraise-gec" in printed.read_text()
    finally:
        server.terminate()
        server.wait(60)


KERNELS_USED = """
import json, sys
from ranking.library import rank, score

folder, to = sys.argv[1:]
names = ["source", "Curlew", "Heron", "Lapwing", "Magpie", "Plover", "Wren", "reference-a", "reference-b"]
texts = {name: open(f"{folder}/{name}.txt", encoding="utf-8").read().split("\\n")[:-1] for name in names}
outputs = {name: texts[name] for name in names[1:7]}
metrics = "m2 gleu chargleu green i-measure bleu chrf++ meteor:synonyms=no gotoscorer cleme".split()
found = score(texts["source"], outputs, [texts["reference-a"], texts["reference-b"]], metrics=metrics)
judgments = [
    {"judge": judge, "sentence": sentence, "system": system, "rank": 1 + (place * 7 + sentence * 3 + len(judge)) % 5}
    for judge in ("ada", "benno", "cleo") for sentence in range(20) for place, system in enumerate("ABCDE")
]
ranking = rank(judgments, ["expected-wins", "trueskill", "bradley-terry", "hierarchical"])
print(json.dumps([found.systems, ranking.rows("standings")], default=str), file=open(to, "w"))
print("numba" in sys.modules)
"""


def test_the_kernels_of_the_wheel_need_no_numba_and_give_the_same_bits(built, tmp_path):
    with ZipFile(built[".whl"]) as wheel:
        wheel.extractall(tmp_path / "wheel")
    assert (tmp_path / "wheel" / "ranking" / "numbers" / "compiled.json").exists()
    said = {}
    for place in (tmp_path / "wheel", ROOT):
        to = tmp_path / f"{place.name}.json"
        words = ("-P", "-c", KERNELS_USED, ROOT / "judgments" / "management" / "demo" / "texts", to)
        loaded = run(sys.executable, *words, PYTHONPATH=str(place))
        said[place] = to.read_text(), loaded.strip()
    (ahead, needs_numba), (by_numba, has_numba) = said.values()
    assert (needs_numba, has_numba) == ("False", "True")
    assert ahead == by_numba


def test_the_source_distribution_scores_without_the_platform(built, texts, tmp_path):
    programs = environment(tmp_path / "scoring", SCORING, ["--no-deps", built[".gz"]])
    assert "Django" not in run(programs / "pip", "list", *QUIET)
    assert "| Heron | 1.0000 |" in run(programs / "appraise-gec", "score", *texts, "--metrics", "gleu")
    run(programs / "python", "-c", "from ranking.library import rank")
    refused = subprocess.run([programs / "appraise-gec", "demo"], capture_output=True, text=True, check=False)
    assert "Django is not installed, and the platform needs it" in refused.stderr


def test_the_metadata_are_complete(built, tmp_path):
    run(sys.executable, "-m", "zipfile", "-e", built[".whl"], tmp_path)
    (found,) = tmp_path.glob("*.dist-info/METADATA")
    described = Metadata.from_email(found.read_bytes(), validate=True)
    assert (described.name, str(described.version)) == ("appraise-gec", VERSION)
    assert described.license_expression == "MIT"
    assert {Requirement(str(one)).name for one in described.requires_dist or []} > {"celery", "errant"}
    assert (tmp_path / "appraise_gec" / "assets" / "templates" / "judgments").is_dir()
