"""The command that sets metrics against people on plain files, without a database."""

import csv

import pytest
from django.core.management import CommandError, call_command

from ranking.metrics import catalogue
from tests.ranking.metrics.toy import Toy
from tests.ranking.stats.metaevaluation.test_human_agreement import OUTPUTS, REFERENCE, SOURCE

HUMAN = "B,A,ref,C,D\n4,4,9,3,1\n4,4,9,4,1\n4,4,9,2,1\n3,4,9,3,\n"


@pytest.fixture(autouse=True)
def _toy(monkeypatch):
    monkeypatch.setitem(catalogue.METRICS, "toy", Toy)


@pytest.fixture
def folder(tmp_path):
    texts = {"source": SOURCE, "ref0": REFERENCE, **OUTPUTS, "low": ["z"] * 4}
    for name, lines in texts.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    (tmp_path / "human.csv").write_text(HUMAN)
    return tmp_path


def run(folder, *options: str, outputs=(*OUTPUTS, "source", "low"), human="human.csv") -> dict[str, list[dict]]:
    human_option = [] if human is None else ["--human", str(folder / human)]
    call_command(
        "score_files", "--source", str(folder / "source"), "--outputs", *(str(folder / name) for name in outputs),
        "--references", str(folder / "ref0"), "--out", str(folder / "out"), *human_option, *options,
    )  # fmt: skip
    return {file.stem: list(csv.DictReader(file.open())) for file in (folder / "out").iterdir()}


def test_scores_of_all_and_correlations_of_those_that_are_no_bounds(folder, capsys):
    tables = run(folder, "--metrics", "toy,chrf++", "--bounds", "low")
    assert {row["system"] for row in tables["metric_scores"]} == {*OUTPUTS, "source", "low"}
    assert {row["systems"] for row in tables["metric_correlations"]} == {"4"}
    assert {row["system"] for row in tables["metric_scatter"]} == set(OUTPUTS)
    assert {"williams", "metric_windows", "metric_leave_out"} <= tables.keys()
    assert "| Toy | system | kendall | 1.000 |" in capsys.readouterr().out


def test_mixtures_are_scored_if_chosen(folder):
    tables = run(folder, "--metrics", "toy,chrf++", "--bounds", "low", "--hybrids", "--seed", "5")
    levels = {row["level"]: row["systems"] for row in tables["metric_correlations"]}
    assert levels["system, with hybrids"] == str(4 + 6 * 45)
    assert "hybrid_differences" in tables
    assert "williams_hybrids" not in tables
    assert [row["metric"] for row in tables["signatures"]][1:] == ["chrf++", "against people"]
    assert tables["signatures"][-1]["signature"].startswith("systems:A+B+C+D|people:")
    assert tables["signatures"][-1]["signature"].endswith("|hybrids:270|seed:5|hybrid-replicates:1000")


def test_a_preset_has_its_own_metrics_unless_others_are_chosen(folder):
    tables = run(folder, "--bounds", "low", "--preset", "napoles2019", "--metrics", "toy,chrf++")
    assert {row["metric"] for row in tables["metric_correlations"]} == {"Toy", "chrF++"}
    assert "williams_hybrids" in tables


def test_without_people_there_are_scores_alone(folder):
    assert "metric_correlations" not in run(folder, "--metrics", "toy", human=None)


@pytest.mark.parametrize(
    ("options", "human", "message"),
    [
        (["--bounds", "high"], "human.csv", "There is no output 'high' to use as a bound; the outputs are A, B"),
        (["--hybrids"], None, "give the file with --human"),
        (["--preset", "napoles2019"], None, "give the file with --human"),
        ([], "human.csv", "has no column low; add it, or leave the output out of correlations by --bounds"),
        (["--bounds", "low"], "nothing.csv", "nothing.csv: No such file"),
        (["--bounds", "low", "--hybrids", "--seed", "-1"], "human.csv", "The seed must lie between 0 and"),
    ],
)
def test_impossible_options_are_refused_in_a_sentence(folder, options, human, message):
    with pytest.raises(CommandError, match=message):
        run(folder, "--metrics", "toy", *options, human=human)
