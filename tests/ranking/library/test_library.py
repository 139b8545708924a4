"""What programs get: the numbers of commands and reports, clear errors, from several threads, and no output."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judgments.exchange.exporters import EXPORTS, ExportOptions
from ranking.library import rank, score
from ranking.metrics.material import MetricError
from ranking.numbers.tables import StatisticsError
from ranking.reports import downloads
from ranking.stats.comparisons.study import PRESETS
from tests import factory
from tests.ranking.reports.kinds.conftest import made
from tests.test_settings import ROOT

SOURCE = ["He go home .", "I likes tea ."]
OUTPUTS = {"Heron": ["He goes home .", "I like tea ."], "Wren": ["He go home .", "I liked tea ."]}
REFERENCES = [["He goes home .", "I like tea ."]]


def rows(scores) -> list[dict]:
    return [
        {"judge": "ada", "sentence": number, "system": system, "score": value}
        for number, values in enumerate(scores)
        for system, value in values.items()
    ]


@pytest.mark.wide
def test_a_perfect_output_has_the_best_scores_the_same_in_threads_and_nothing_is_printed(capfd):
    found = score(SOURCE, OUTPUTS, REFERENCES, metrics=["gleu", "m2"])
    assert found.systems["GLEU"]["Heron"] == found.systems["M2 F0.5"]["Heron"] == 1
    assert found.systems["M2 F0.5"]["Wren"] < 1
    assert found.sentences["GLEU"]["Wren"].shape == (2,)
    assert len(found.counts["m2"]["Wren"]) == 2
    assert found.intervals["GLEU"]["Heron"] == (1, 1)
    assert found.signatures["gleu"].startswith("gleu|n:4|")
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: score(SOURCE, OUTPUTS, REFERENCES, metrics=["gleu", "m2"]), range(8)))
    assert all(one.systems == found[0].systems for one in found)
    assert capfd.readouterr() == ("", "")


@pytest.mark.wide
def test_scores_are_those_of_the_command(tmp_path):
    for name, lines in {"source": SOURCE, "reference": REFERENCES[0], **OUTPUTS}.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    outputs = [tmp_path / "Heron", tmp_path / "Wren"]
    found = score(tmp_path / "source", outputs, [tmp_path / "reference"], metrics=["gleu", "m2"])
    found.write(tmp_path / "ours")
    texts = ["--source", "source", "--outputs", "Heron", "Wren", "--references", "reference"]
    command = [sys.executable, str(ROOT / "manage.py"), "score", *texts, "--out", "theirs", "--metrics", "gleu,m2"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    written = {file.name: file.read_text() for file in (tmp_path / "theirs").iterdir()}
    assert {file.name: file.read_text() for file in (tmp_path / "ours").iterdir()} == written


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"references": []}, "There are no references"),
        ({"outputs": {"Heron": ["One line ."]}}, "Heron has 1 line where the source has 2"),
        ({"outputs": {"Heron": ["He goes home .", None]}}, "Heron: None is not a sentence"),
        ({"metrics": ["blue"]}, "blue"),
        ({"source": None}, "There is no source"),
        ({"metrics": "gleu"}, r"Give metrics as a list, such as \['gleu'\]"),
        ({"references": "reference.txt"}, "Give references as a list"),
    ],
)
def test_what_cannot_be_scored_is_said(given, why):
    with pytest.raises(MetricError, match=why):
        score(**{"source": SOURCE, "outputs": OUTPUTS, "references": REFERENCES, "metrics": ["gleu"]} | given)


def test_outputs_from_files_have_the_names_that_the_command_gives_them(tmp_path):
    for name, lines in {"gpt-3.5": OUTPUTS["Heron"], "gpt-3.1.txt": OUTPUTS["Wren"]}.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    outputs = [tmp_path / "gpt-3.5", tmp_path / "gpt-3.1.txt"]
    assert [*score(SOURCE, outputs, REFERENCES, metrics=["bleu"]).systems["BLEU"]] == ["gpt-3.5", "gpt-3.1"]
    (tmp_path / "gpt-3.5.txt").write_text("\n".join(SOURCE) + "\n")
    with pytest.raises(MetricError, match=r"gpt-3.5: is the name of 2 outputs"):
        score(SOURCE, [*outputs, tmp_path / "gpt-3.5.txt"], REFERENCES, metrics=["bleu"])


@pytest.mark.wide
@pytest.mark.postgresql
def test_a_ranking_is_that_of_a_report(db, tmp_path):
    campaign = factory.open_campaign(redundancy=2, seed=5)
    for name in ("ada", "ben"):
        factory.answer_all(factory.judge(campaign, name))
    table = tmp_path / "judgments.csv"
    table.write_text("".join(map(str, EXPORTS["judgments.csv"].parts(campaign, ExportOptions()))), encoding="utf-8")
    report = made(campaign, PRESETS["recommended"].with_changes(methods=("expected-wins",), replicates=200))
    theirs = scores_in(downloads.tables_of(report)["standings"].dicts())
    assert scores_in(rank(table, systems=theirs, replicates=200).rows("standings")) == pytest.approx(theirs)


def scores_in(standings) -> dict[str, float]:
    return {row["system"]: row["score"] for row in standings}


@pytest.mark.wide
@settings(max_examples=15, deadline=None)
@given(st.lists(st.fixed_dictionaries(dict.fromkeys("ABC", st.integers(1, 5))), min_size=8, max_size=20), st.randoms())
def test_the_order_of_rows_changes_nothing(scores, rng):
    table = rows(scores)
    shuffled = rng.sample(table, len(table))
    try:
        found = rank(table, replicates=200)
    except StatisticsError:
        return
    assert rank(shuffled, replicates=200).tables == found.tables


def test_scores_and_ranks_say_the_same():
    scores = [{"A": 90, "B": 50, "C": 20 + number} for number in range(12)]
    places = [sorted(values.values(), reverse=True) for values in scores]
    ranks = [row | {"rank": places[row["sentence"]].index(row["score"]) + 1, "score": None} for row in rows(scores)]
    assert rank(ranks, replicates=200).rows("standings") == rank(rows(scores), replicates=200).rows("standings")
    frame = SimpleNamespace(to_dict=lambda kind: ranks)
    assert rank(frame, replicates=200).order == ("A", "B", "C")


@pytest.mark.parametrize("mark", ["excluded", "program", "adjudicator", "after_feedback"])
def test_judgments_that_reports_leave_out_do_not_count(mark):
    table = rows([{"A": 2, "B": 1}] * 10)
    others = [row | {mark: "yes", "score": -row["score"]} for row in table]
    assert rank(table + others, replicates=200).tables == rank(table, replicates=200).tables


def test_a_version_with_a_row_for_each_of_its_edits_counts_once():
    table = rows([{"A": 2, "B": 1}] * 10)
    edits = [row | {"original": word} for row in table for word in ("go", "a")]
    assert rank(edits, replicates=200).tables == rank(table, replicates=200).tables


def test_a_second_answer_to_a_screen_is_a_ballot_of_its_own():
    first, second = rows([{"A": 2, "B": 1}] * 10), rows([{"A": 1, "B": 1}] * 4)
    again = [row | {"screen": row["sentence"]} for row in [*first, *second]]
    apart = [*first, *(row | {"screen": "later"} for row in second)]
    assert rank(again, replicates=200).rows("standings") == rank(apart, replicates=200).rows("standings")


def test_a_system_is_one_name_and_systems_are_several():
    table = rows([{"GPT 4": 2, "GPT 3": 1}] * 10)
    assert rank(table, replicates=200).order == ("GPT 4", "GPT 3")
    several = [{**row, "system": None, "systems": row["system"]} for row in rows([{"A C": 2, "B": 1}] * 10)]
    assert sorted(rank(several, replicates=200).order) == ["A", "B", "C"]


def test_scores_are_ratings_also_if_none_is_above_0():
    below, above = ([{"A": shift - 1, "B": shift - 2 - number % 2} for number in range(12)] for shift in (0, 10))
    scores = [scores_in(rank(rows(one), "mean-score", replicates=200).rows("standings")) for one in (below, above)]
    assert scores[0] == {name: score - 10 for name, score in scores[1].items()}


@pytest.mark.parametrize(
    ("table", "options", "why"),
    [
        ([], {}, "no judgments"),
        ([{"annotator": "ada", "item": 1, "model": "A", "value": 1}], {}, "no row that counts has a `rank` or a"),
        (rows([{"A": "nan", "B": 1}]), {}, "Row 1: a rank or a score must be a number, not 'nan'"),
        (rows([{"A": 2, "B": 1}]) + rows([{"A": 1}]), {}, "Row 3: ada judged A on sentence 0 before"),
        ([*rows([{"A": 2}]), {"judge": "ada", "sentence": 0, "system": "B", "rank": 1}], {}, "Row 2 has a rank where"),
        (rows([{"A": 1}]), {}, "only one system"),
        ([{"judge": "ada", "system": "A", "rank": 1}], {}, "Row 1 lacks a judge, a sentence or a system"),
        (rows([{"A": "good", "B": 1}]), {}, "Row 1: a rank or a score must be a number"),
        (rows([{"A": 2, "B": 1}]), {"systems": ["A", "Z"]}, "Nobody judged Z"),
        (rows([{"A": 2, "B": 1}]), {"method": "guess"}, "guess"),
    ],
)
def test_what_cannot_be_ranked_is_said(table, options, why):
    with pytest.raises(ValueError, match=why):
        rank(table, **options)


def test_pandas_gets_a_table_if_it_is_there(monkeypatch):
    ranking = rank(rows([{"A": 2, "B": 1}] * 10), replicates=200)
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=lambda rows, columns: (rows, columns)))
    values, columns = ranking.pandas("standings")
    assert (len(values), columns[4]) == (2, "system")
    with pytest.raises(KeyError, match="There is no table 'rankings'; there are counts, standings"):
        ranking.pandas("rankings")
    assert np.isfinite(values[0][5])
