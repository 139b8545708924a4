"""The recipes of docs/library.md run as they stand."""

import random
import re
import shutil

import pytest

from ranking.metrics.material import difference
from tests.test_settings import ROOT

GUIDE = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
RECIPES = dict(re.findall(r"\*\*(\d+)\. .*?```python\n(.*?)```", GUIDE, re.DOTALL))
TEXTS = ROOT / "judgments" / "management" / "demo" / "texts"
MERITS = {"Heron": 6, "Curlew": 5, "Plover": 4, "Lapwing": 3, "Wren": 2, "Magpie": 1, "source": 0}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Texts of the demo, the edits of a reference, and rankings of five versions by two judges."""
    folder = tmp_path_factory.mktemp("recipes")
    for file in TEXTS.glob("*.txt"):
        shutil.copy(file, folder)
    shutil.copy(TEXTS / "reference-a.txt", folder / "reference.txt")
    source = (TEXTS / "source.txt").read_text(encoding="utf-8").splitlines()
    corrected = (TEXTS / "reference-a.txt").read_text(encoding="utf-8").splitlines()
    with (folder / "gold.m2").open("w", encoding="utf-8") as file:
        for line, other in zip(source, corrected, strict=True):
            file.write(f"S {line}\n")
            for start, end, corrections, *_ in difference(line.split(), other.split()):
                file.write(f"A {start} {end}|||U|||{corrections[0]}|||REQUIRED|||-NONE-|||0\n")
            file.write("\n")
    rng = random.Random(3)
    rows = ["judge,segment,document,screen,systems,rank,excluded"]
    for judge in ("ada", "ben"):
        for sentence in range(60):
            shown = rng.sample([*MERITS], 5)
            liked = sorted(shown, key=lambda name: rng.gauss(-MERITS[name], 2))
            rows += [f"{judge},{sentence},{sentence // 4},,{name},{liked.index(name) + 1},no" for name in shown]
    (folder / "judgments.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder


def test_there_are_ten():
    assert list(RECIPES) == [str(number) for number in range(1, 11)]


@pytest.mark.wide
@pytest.mark.parametrize("number", RECIPES)
def test_it_runs_and_prints_what_it_found(number, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    exec(compile(RECIPES[number], f"recipe {number}", "exec"), {})  # noqa: S102 (our own text)
    assert capsys.readouterr().out.strip()
