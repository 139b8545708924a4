"""The package as people install it: a wheel with the whole platform, and a source distribution for scoring alone."""

import os
import re
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

SCORING = ("numpy", "rapidfuzz", "scipy", "trueskill")
WITHOUT_NUMBA = "Run: pip install numba"
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
    assert "numba" not in run(programs / "pip", "list", *QUIET)
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


def use_kernels(
    sentences: int, folder: Path, *words: str, path: tuple[Path, ...] = (ROOT,)
) -> tuple[dict[str, str], str]:
    """What comes out of all kernels, by the name of the file, and what was said."""
    command = (sys.executable, "-P", "-m", "tests.kernels_in_use", str(sentences), folder, *words)
    variables = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, path))}
    done = subprocess.run(command, env=variables, cwd=folder.parent, capture_output=True, text=True, check=True)
    return {str(file.relative_to(folder)): file.read_text() for file in folder.rglob("*.*")}, done.stderr


def test_the_wheel_has_all_kernels_for_all_that_they_are_called_with_and_they_give_the_same_bits(built, tmp_path):
    with ZipFile(built[".whl"]) as wheel:
        wheel.extractall(tmp_path / "wheel")
    ahead, said = use_kernels(100, tmp_path / "ahead", "without-numba", path=(tmp_path / "wheel", ROOT))
    assert WITHOUT_NUMBA not in said
    assert ahead == use_kernels(100, tmp_path / "numba")[0]


def test_plain_python_gives_the_same_numbers_and_once_warmed_up_nothing_is_compiled(tmp_path):
    subprocess.run([sys.executable, "manage.py", "warm_up"], cwd=ROOT, capture_output=True, check=True)
    compiled, said = use_kernels(4, tmp_path / "numba")
    assert "compiling" not in said
    plain, said = use_kernels(4, tmp_path / "plain", "without-numba")
    assert said.count(WITHOUT_NUMBA) == 1
    assert plain.keys() == compiled.keys()
    for name in plain:
        for ours, theirs in zip(*(re.split("[,\n]", files[name]) for files in (plain, compiled)), strict=True):
            assert ours == theirs or float(ours) == pytest.approx(float(theirs), abs=1e-9), name


def test_the_source_distribution_scores_without_the_platform(built, texts, tmp_path):
    """In plain Python, because its wheel is made without Numba, and so requires it."""
    programs = environment(tmp_path / "scoring", SCORING, ["--no-deps", built[".gz"]])
    assert "Django" not in run(programs / "pip", "list", *QUIET)
    asked = "from importlib.metadata import requires; print(requires('appraise-gec'))"
    assert "'numba<1,>=0.61'" in run(programs / "python", "-c", asked)
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
