"""The commands that need no installation: what they load, say while they run, and refuse."""

import io
import os
import subprocess
import sys
import unicodedata

import pytest
from django.core.management import CommandError, call_command

from ranking.management import from_files, warming
from ranking.management.metrics import Bar
from ranking.metrics import catalogue
from ranking.numbers.kernels import kernel
from tests.ranking.metrics.toy import Toy
from tests.services.house import ROOT

SOURCE, OUTPUT = ["He go .", "A caf\u00e9 ."], ["He goes .", "A caf\u00e9 ."]


class Compiling(Toy):
    """Compiles something whenever it counts."""

    def count(self, *given):
        assert kernel(cache=False)(lambda number: number + 1)(1) == 2
        return super().count(*given)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _toy(monkeypatch):
    monkeypatch.setitem(catalogue.METRICS, "toy", Toy)
    monkeypatch.setitem(catalogue.METRICS, "compiling", Compiling)


@pytest.fixture
def options(tmp_path):
    """Options that score the outputs A and B against two references."""
    for name, lines in {"source": SOURCE, "A": OUTPUT, "B": SOURCE, "ref0": OUTPUT, "ref1": SOURCE}.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    named = {name: str(tmp_path / name) for name in ("source", "A", "B", "ref0", "ref1")}
    return ["--source", named["source"], "--outputs", named["A"], named["B"],
            "--references", named["ref0"], named["ref1"]]  # fmt: skip


def without(modules: list[str], words: list[str]) -> subprocess.CompletedProcess:
    """Run the command where these modules cannot be imported and no environment configures the platform."""
    program = (
        f"import runpy, sys; sys.modules.update(dict.fromkeys({modules!r})); sys.argv = {['manage.py', *words]!r};"
        " runpy.run_path('manage.py', run_name='__main__')"
    )
    kept = {name: os.environ[name] for name in ("PATH", "NUMBA_CACHE_DIR") if name in os.environ}
    command = [sys.executable, "-c", program]
    return subprocess.run(command, cwd=ROOT, env=kept, capture_output=True, text=True, check=False)


@pytest.mark.wide
@pytest.mark.parametrize(
    ("metric", "modules"),
    [("bleu", ["django", "celery", "scipy", "numba"]), ("gleu", ["django", "celery", "scipy.linalg"])],
)
def test_scoring_loads_no_more_than_it_needs(options, metric, modules):
    done = without(modules, ["score_files", *options, "--metrics", metric])
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, f"| system | {metric.upper()} |"), done.stderr


@pytest.mark.wide
def test_without_numba_scores_are_the_same_and_what_would_be_faster_is_said_once(options):
    metrics = "m2,gleu,chargleu,green,i-measure,meteor,cleme"
    compiled, plain = (without(modules, ["score_files", *options, "--metrics", metrics]) for modules in ([], ["numba"]))
    assert plain.stdout == compiled.stdout != ""
    assert plain.stderr.count("Run: pip install numba") == 1


@pytest.mark.wide
def test_rankings_are_compared_without_django(options, tmp_path):
    (tmp_path / "C").write_text("He go .\nA cafe .\n")
    (tmp_path / "judged.csv").write_text(
        "segmentId,judgeId,system1Id,system1rank,system2Id,system2rank,system3Id,system3rank\n"
        "1,Ada,A,1,B,2,C,3\n2,Ada,A,2,B,1,C,3\n"
    )
    outputs = [*options[:5], str(tmp_path / "C"), *options[5:]]
    words = ["score_files", *outputs, "--metrics", "chrf", "--judgments", str(tmp_path / "judged.csv")]
    done = without(["django", "celery"], words)
    assert done.returncode == 0, done.stderr
    assert "| judged: TrueSkill | chrF | 3 |" in done.stdout


def test_the_same_scores_come_with_and_without_django(options, tmp_path, capsys):
    call_command("score_files", *options, "--metrics", "toy", "--out", str(tmp_path / "out"))
    by_django = capsys.readouterr().out
    assert from_files.main([*options, "--metrics", "toy", "--out", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out.splitlines() == by_django.splitlines()


def test_a_refusal_is_a_message_once_and_an_exit_status(options, capsys, tmp_path):
    assert from_files.main([*options, "--metrics", "bleurt"]) == 1
    assert from_files.main([*options, "--metrics", "toy", "--m2", "nowhere.m2"]) == 1
    assert from_files.main([*options, "--metrics", "toy", "--hybrids"]) == 1
    assert from_files.main([*options, "--metrics", "toy", "--out", __file__]) == 1
    errors = capsys.readouterr().err
    assert "There is no metric 'bleurt'; choose from m2, gleu" in errors
    assert "nowhere.m2: No such file or directory." in errors
    assert "give the file with --human" in errors
    assert "is a file; name a folder by --out." in errors
    (tmp_path / "B").write_text("He go .\n")
    with pytest.raises(CommandError, match="B has 1 line where the source has 2"):
        call_command("score_files", *options, "--metrics", "toy,toy:weight=2")
    assert "lines where" not in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--human", "--human-systems", "--judgments", "--scores"])
def test_files_are_refused_before_anything_is_scored(option, options, capsys, tmp_path):
    for name in ("C", "D"):
        (tmp_path / name).write_text("He go .\nA cafe .\n")
    outputs = [*options[:5], str(tmp_path / "C"), str(tmp_path / "D"), *options[5:]]
    (tmp_path / "wrong.csv").write_text("A;B;C;D\n1;2;3;4\n")
    assert from_files.main([*outputs, "--metrics", "toy", option, str(tmp_path / "wrong.csv")]) == 1
    printed = capsys.readouterr()
    assert ("wrong.csv" in printed.err, "toy: " in printed.err, printed.out) == (True, False, "")


def test_progress_is_a_bar_on_a_terminal_and_elsewhere_names_the_metric(options, capsys):
    """Three texts against three subsets of the references."""
    call_command("score_files", *options, "--metrics", "toy,toy:weight=2")
    errors = capsys.readouterr().err
    assert "toy: 9 of 9\n" in errors
    assert "toy:weight=2: 9 of 9\n" in errors
    terminal = Terminal()
    bar = Bar("bleu", terminal)
    bar(500, 1000)
    bar(1000, 1000)
    half, whole = "#" * 15 + " " * 15, "#" * 30
    assert terminal.getvalue() == f"\r[{half}] bleu: 500 of 1,000\r[{whole}] bleu: 1,000 of 1,000\n"


def test_compiling_and_letters_in_different_forms_of_unicode_are_told(options, capsys, tmp_path):
    call_command("score_files", *options, "--metrics", "toy,compiling")
    errors = capsys.readouterr().err
    assert errors.count("compiling: compiling, once\n") == 1
    assert "toy: compiling" not in errors
    call_command("score_files", *options, "--metrics", "toy")
    assert "Unicode" not in capsys.readouterr().err
    (tmp_path / "B").write_text(unicodedata.normalize("NFD", "\n".join(SOURCE)) + "\n")
    (tmp_path / "ref1").write_text("He goes .\nA \u00e9 or e\u0301 .\n")
    call_command("score_files", *options, "--metrics", "toy")
    errors = capsys.readouterr().err
    assert "NFC in the source, reference 1, A; a mixture in reference 2; NFD in B. Words that look the same" in errors


@pytest.mark.wide
def test_texts_without_spaces_are_told_with_what_to_do(options, tmp_path, capsys):
    for name in ("source", "A", "B", "ref0", "ref1"):
        (tmp_path / name).write_text("今天天气很好我们去公园散步吧真的。\n" * 2)
    call_command("score_files", *options, "--metrics", "toy,chrf,toy:tokens=characters")
    errors = capsys.readouterr().err
    assert errors.startswith("toy: without spaces a sentence counts as one word. Unless the texts have")


@pytest.mark.long
def test_warming_up_uses_every_metric_and_what_reports_need(monkeypatch, capsys):
    monkeypatch.delitem(catalogue.METRICS, "toy")
    call_command("warm_up")
    ready = [line.removesuffix(": ready") for line in capsys.readouterr().out.splitlines()]
    assert ready == [warming.RANKINGS, *catalogue.METRICS, *warming.OTHERS, warming.HIERARCHICAL]


def test_what_is_to_be_done_once_is_done_again_only_if_it_was_not_finished(monkeypatch, tmp_path):
    done, fails = [], [True, False]
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(warming, "uses", lambda: [("first", lambda: done.append("first") or 1 // (not fails.pop(0)))])
    with pytest.raises(ZeroDivisionError):
        warming.main(["--once"])
    for _ in range(2):
        assert warming.main(["--once"]) == 0
    assert done == ["first", "first"]
