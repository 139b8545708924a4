"""The command that sets metrics against people on plain files, without a database."""

import csv
import sys

import pytest
from django.core.management import CommandError, call_command

from ranking.metrics import catalogue
from tests import published
from tests.ranking.metrics.toy import Toy
from tests.ranking.stats.metaevaluation.scores import published_human
from tests.ranking.stats.metaevaluation.test_human_agreement import OUTPUTS, REFERENCE, SOURCE
from tests.shared_data import shared

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
    return {file.stem: list(csv.DictReader(file.open())) for file in (folder / "out").glob("*.csv")}


@pytest.mark.wide
def test_scores_of_all_and_correlations_of_those_that_are_no_bounds(folder, capsys):
    tables = run(folder, "--metrics", "toy,chrf++", "--bounds", "low")
    assert {row["system"] for row in tables["metric_scores"]} == {*OUTPUTS, "source", "low"}
    assert {row["systems"] for row in tables["metric_correlations"]} == {"4"}
    assert {row["system"] for row in tables["metric_scatter"]} == set(OUTPUTS)
    assert {"williams", "metric_windows", "metric_leave_out"} <= tables.keys()
    printed = capsys.readouterr().out
    assert "| Toy | system | kendall | 1.000 |" in printed
    assert "\n\nYou may say:\n- Of two metrics, Toy correlates most with people over 4 systems: Pearson's" in printed
    assert "You may not say:\n- “Toy agrees with people.” 4 systems are too few to show it." in printed


@pytest.mark.wide
def test_mixtures_are_scored_if_chosen(folder):
    tables = run(folder, "--metrics", "toy,chrf++", "--bounds", "low", "--hybrids", "--seed", "5")
    levels = {row["level"]: row["systems"] for row in tables["metric_correlations"]}
    assert levels["system, with hybrids"] == str(4 + 6 * 45)
    assert "hybrid_differences" in tables
    assert "williams_hybrids" not in tables
    assert [row["metric"] for row in tables["signatures"]][1:] == ["chrF++", "against people"]
    assert tables["signatures"][-1]["signature"].startswith("systems:A+B+C+D|people:")
    assert tables["signatures"][-1]["signature"].endswith("|hybrids:270|seed:5|hybrid-replicates:1000")


@pytest.mark.wide
def test_a_preset_has_its_own_metrics_unless_others_are_chosen(folder):
    tables = run(folder, "--bounds", "low", "--preset", "napoles2019", "--metrics", "toy,chrf++")
    assert {row["metric"] for row in tables["metric_correlations"]} == {"Toy", "chrF++"}
    assert "williams_hybrids" in tables


def test_without_people_there_are_scores_alone(folder):
    assert "metric_correlations" not in run(folder, "--metrics", "toy", human=None)


@pytest.mark.parametrize(
    ("options", "human", "message"),
    [
        (["--bounds", "high"], "human.csv", "There is no output 'high'; the outputs are A, B"),
        (["--systems", "A", "high"], "human.csv", "There is no output 'high'; the outputs are A, B"),
        (["--systems", "A", "B"], "human.csv", "are fewer than 3, so there is no correlation"),
        (["--window", "2", "--bounds", "low"], "human.csv", "A window holds 3 to 4 of these systems, not 2"),
        (["--window", "5", "--bounds", "low"], "human.csv", "A window holds 3 to 4 of these systems, not 5"),
        (["--window", "3"], None, "give --human, --human-systems or --judgments"),
        (["--sentences", "judged"], None, "known from the files of --human and --judgments; give one"),
        (["--program", "mine"], None, "'mine' is not like NAME=COMMAND"),
        (["--program", "mine=/nowhere/mine"], None, "mine cannot be run: .*No such file"),
        (["--hybrids"], None, "give the file with --human"),
        (["--bounds", "low"], None, "give --human, --human-systems or --judgments"),
        (["--preset", "napoles2019"], None, "give the file with --human"),
        ([], "human.csv", "has no column low; add it, or leave the output out of correlations by --bounds"),
        (["--bounds", "low"], "nothing.csv", "nothing.csv: No such file"),
        (["--bounds", "low", "--hybrids", "--seed", "-1"], "human.csv", "The seed must lie between 0 and"),
    ],
)
def test_impossible_options_are_refused_in_a_sentence(folder, options, human, message):
    with pytest.raises(CommandError, match=message):
        run(folder, "--metrics", "toy", *options, human=human)


class TestOtherMetrics:
    """Scores from files and from programs stand beside ours in every table."""

    @pytest.mark.wide
    def test_scores_of_sentences_are_correlated_as_ours_are(self, folder):
        (folder / "toy.csv").write_text("A,B,C,D\n4,1,3,1\n4,4,4,1\n2,4,2,1\n4,3,3,3\n")
        tables = run(folder, "--metrics", "toy", "--bounds", "low", "--scores", str(folder / "toy.csv"))
        rows = {(row["metric"], row["coefficient"]): row for row in tables["metric_correlations"]}
        assert rows["toy", "pearson"]["level"] == "system"
        assert float(rows["toy", "pearson"]["low"]) < 1
        assert rows["toy", "acc-eq"]["level"].startswith("sentence")
        assert {row["metric"] for row in tables["williams"]} == {"Toy", "toy"}
        means = {row["system"]: float(row["value"]) for row in tables["metric_scores"] if
                 (row["metric"], row["level"], row["value"] != "") == ("toy", "system", True)}  # fmt: skip
        assert means == {"A": 3.5, "B": 3, "C": 3, "D": 1.5}
        assert any(row["signature"].startswith("toy|file:toy.csv|data:") for row in tables["signatures"])

    @pytest.mark.wide
    def test_scores_of_systems_have_no_rows_by_sentence_and_only_the_systems_named_are_correlated(self, folder):
        (folder / "neural.txt").write_text("A .9\nB .8\nC .3\nD .1\n")
        tables = run(folder, "--metrics", "toy", "--bounds", "low", "--scores", str(folder / "neural.txt"))
        neural = [row for row in tables["metric_correlations"] if row["metric"] == "neural"]
        assert {row["level"] for row in neural} == {"system"}
        assert {row["coefficient"] for row in neural} == {"pearson", "spearman", "kendall", "pairwise accuracy"}
        (folder / "Toy.txt").write_text("A .9\nB .8\nC .3\nD .1\n")
        with pytest.raises(CommandError, match="Two metrics are called Toy; rename the file"):
            run(folder, "--metrics", "toy", "--bounds", "low", "--scores", str(folder / "Toy.txt"))
        tables = run(folder, "--metrics", "toy,chrf++", "--systems", "A", "C", "D")
        assert {row["system"] for row in tables["metric_scatter"]} == {"A", "C", "D"}
        assert {row["system"] for row in tables["metric_scores"]} > {"B", "low"}


@pytest.mark.wide
def test_several_scores_of_systems_by_people_make_one_table(folder):
    (folder / "people.txt").write_text("system EW TS\nA .9 2\nB .8 3\nC .3 1\nD .1 0\nElsewhere .5 .5\n")
    options = ("--bounds", "low", "--human-systems", str(folder / "people.txt"))
    tables = run(folder, "--metrics", "toy,chrf++", *options, human=None)
    assert {(row["people"], row["metric"]) for row in tables["meta_evaluation"]} == {
        (people, metric) for people in ("EW", "TS") for metric in ("Toy", "chrF++")
    }
    assert "metric_correlations" not in tables
    with_both = run(folder, "--metrics", "toy,chrf++", *options)
    assert {row["people"] for row in with_both["meta_evaluation"]} >= {"mean score", "EW", "TS"}
    assert "\\begin{tabular}" in (folder / "out" / "meta_evaluation.tex").read_text()
    assert (folder / "out" / "meta_evaluation_3.svg").read_text().startswith("<?xml")


PAIRS = "segmentId,judgeId,rankingID,system1Id,system1rank,system2Id,system2rank\n"


@pytest.mark.wide
def test_rankings_by_edits_and_by_sentences_make_one_table(folder, capsys):
    """Ada ranks A above C, which she ranks above D, on three of four sentences, in one file; Ben turns it around."""
    for name, (a, d) in {"edit": (1, 3), "sentence": (3, 1)}.items():
        lines = [f"{n},Ada,{n},A,{a},C,2\n{n},Ada,{n},A,{a},D,{d}\n{n},Ada,{n},A,{a},Elsewhere,2\n" for n in (0, 1, 3)]
        (folder / f"{name}.csv").write_text(PAIRS + "".join(lines) + f"4,Ada,4,A,{a},D,{d}\n")
    files = ("--judgments", str(folder / "edit.csv"), str(folder / "sentence.csv"))
    tables = run(folder, "--metrics", "toy", "--bounds", "low", "--preset", "kobayashi2024", *files, human=None)
    found = {row["people"]: row for row in tables["meta_evaluation"]}
    ways = [f"{name}: {way} (as published)" for name in ("edit", "sentence") for way in ("Expected Wins", "TrueSkill")]
    assert list(found) == ways
    assert {(row["systems"], row["sentence_pairs"]) for row in found.values()} == {("3", "9")}
    edit, sentence = (float(found[ways[place]]["sentence_accuracy"]) for place in (0, 2))
    assert (edit, sentence) == pytest.approx((8 / 9, 0))
    recipes = {row["metric"]: row["signature"] for row in tables["signatures"]}
    assert recipes["against people: edit"].startswith("rankings:3|data:")
    assert recipes["against people: edit"].endswith("|unit:sentence|replicates:200")
    assert "Sentence accuracy" in (folder / "out" / "meta_evaluation_1.svg").read_text()
    errors = capsys.readouterr().err
    assert "edit.csv: systems without an output are left out: Elsewhere" in errors
    assert "edit.csv: 1 of 4 rankings are about no output or sentence that you gave, and are left out" in errors
    judged = run(folder, "--metrics", "toy", "--bounds", "low", "--sentences", "judged", *files, human=None)
    assert {row["sentence"] for row in judged["metric_scores"]} == {"", "1", "2", "3"}
    (folder / "again").mkdir()
    (folder / "again" / "edit.csv").write_text(PAIRS + "0,Ada,0,A,1,C,2\n")
    with pytest.raises(CommandError, match="Two files of judgments have the same name"):
        run(folder, "--metrics", "toy", *files, str(folder / "again" / "edit.csv"), human=None)


def test_overviews_of_several_campaigns_are_averaged(tmp_path, capsys):
    for name, lines in {
        "one": "mean,chrF,.9,.5\nmean,GLEU,.6,\n",
        "two": "mean,chrF,.5,.1\nEW,BLEU,1,1\nmean,GLEU,.9,.2\n",
    }.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "meta_evaluation.csv").write_text("people,metric,system_pearson,sentence_tau\n" + lines)
    folders = [str(tmp_path / name) for name in ("one", "two")]
    call_command("score_files", "--average", *folders, "--out", str(tmp_path / "out"))
    with (tmp_path / "out" / "meta_evaluation_averages.csv").open() as file:
        gleu, chrf = csv.DictReader(file)
    assert (gleu["metric"], gleu["campaigns"], float(gleu["system_pearson"]), gleu["sentence_tau"]) == (
        "GLEU",
        "2",
        0.75,
        "",
    )
    assert [float(chrf[f"system_pearson{end}"]) for end in ("", "_min", "_max")] == [0.7, 0.5, 0.9]
    assert float(chrf["sentence_tau"]) == pytest.approx(0.3)
    said = capsys.readouterr()
    assert "| mean | GLEU | 2 | 0.750 |" in said.out
    assert said.err == "Left out, because not all of these tables have it: BLEU by EW.\n"
    (tmp_path / "one" / "meta_evaluation.csv").write_text("people,metric\nTS,chrF\n")
    with pytest.raises(CommandError, match="nothing to average"):
        call_command("score_files", "--average", *folders)
    with pytest.raises(CommandError, match="nothing to score; give the outputs with --outputs"):
        call_command("score_files")


@pytest.mark.wide
def test_only_the_sentences_that_count_or_were_judged_are_scored(folder):
    (folder / "numbers").write_text("3\n1\n")
    (folder / "toy.csv").write_text("A,B,C,D\n4,1,3,1\n9,9,9,9\n2,4,2,1\n9,9,9,9\n")
    options = ("--bounds", "low", "--scores", str(folder / "toy.csv"), "--sentences", str(folder / "numbers"))
    tables = run(folder, "--metrics", "toy", *options)
    scores = {(row["metric"], row["system"], row["sentence"]): row["value"] for row in tables["metric_scores"]}
    assert float(scores["toy", "A", ""]) == 3
    assert float(scores["toy", "B", "2"]) == 4
    people = {row["system"]: float(row["people"]) for row in tables["metric_scatter"]}
    assert people == {"A": 4, "B": 4, "C": 2.5, "D": 1}
    (folder / "numbers").write_text("3\n3\n5\n")
    with pytest.raises(CommandError, match="sentence 3 stands on line 1 already") as refused:
        run(folder, "--metrics", "toy", *options)
    assert "line 3: '5' is not the number of a sentence; give whole numbers from 1 to 4" in str(refused.value)
    (folder / "human.csv").write_text("B,A,C,D\n4,4,3,1\n,,,\n4,4,2,1\n3,4,3,\n")
    tables = run(folder, "--metrics", "toy", "--bounds", "low", "--sentences", "judged")
    assert {row["sentence"] for row in tables["metric_scores"]} == {"", "1", "2", "3"}


@pytest.mark.wide
def test_the_published_correlations_of_table_5_come_from_files(tmp_path):
    """On sentences gec-metrics 0.1.1 (MetaEvalGJG, systems in alphabetical order) has the same for Toy's scores."""
    golden, data = published.golden(), shared("data/gjg15")
    names = golden["systems"]
    lines = [f"{name} {score}\n" for name, score in zip(names, published_human().tolist(), strict=True)]
    (tmp_path / "people.txt").write_text("".join(lines))
    call_command(
        "score_files", "--outputs", *(str(data / "outputs" / name) for name in names), "--systems", *names,
        "--m2", str(data / "references" / "gold.m2"), "--metrics", "toy", "--preset", "grundkiewicz2015",
        "--scores", *(str(data / "metrics" / f"scores.{name}") for name in ("iwacc", "bleu", "meteor")),
        "--human-systems", str(tmp_path / "people.txt"), "--judgments", str(data / "judgments.xml"),
        "--out", str(tmp_path / "out"),
    )  # fmt: skip
    with (tmp_path / "out" / "meta_evaluation.csv").open() as file:
        rows = {(row["people"], row["metric"]): row for row in csv.DictReader(file)}
    for name in ("iwacc", "bleu", "meteor"):
        for people in ("people", "judgments: Expected Wins (as published)"):
            row = rows[people, f"scores.{name}"]
            found = float(row["system_spearman"]), float(row["system_pearson"])
            assert found == pytest.approx(golden["table5_from_3_decimal_scores"][name], abs=1e-12)
    toy = rows["judgments: TrueSkill (as published)", "Toy"]
    of_program = 0.600368139893159
    assert float(toy["sentence_tau_ties_second_wins"]) == pytest.approx(2 * of_program - 1, abs=1e-9)


LETTERS = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    alike = [one == other for one, other in zip(asked["output"], asked["references"][0])]
    print(json.dumps({"score": sum(alike) / len(alike)}))
"""
FAULTY = {
    "crashes": ("sys.exit('no model')", "failed .status 1.: no model"),
    "hangs": ("import subprocess; subprocess.run(['sleep', '600'])", "was stopped after 1 seconds; --time-limit"),
    "stops early": ("print(json.dumps({'score': 1}))", "gave 1 lines for 15 outputs"),
    "talks": ("[print('Here is your score: 1') for _ in sys.stdin]", "line 1 of its output is not like"),
    "knows no number": ("[print(json.dumps({'score': float('nan')})) for _ in sys.stdin]", "no finite score"),
}


class TestPrograms:
    @pytest.mark.wide
    def test_a_program_is_a_metric(self, folder):
        (folder / "letters.py").write_text(LETTERS)
        command = f"letters={sys.executable} {folder / 'letters.py'}"
        tables = run(folder, "--metrics", "toy", "--bounds", "low", "--program", command)
        assert "letters" in {row["metric"] for row in tables["metric_correlations"]}
        scores = {row["system"]: row["value"] for row in tables["metric_scores"] if
                  (row["metric"], row["sentence"]) == ("letters", "1")}  # fmt: skip
        assert {name: float(score) for name, score in scores.items()} == pytest.approx(
            {"A": 1, "B": 1, "C": 2 / 3, "D": 1 / 3, "source": 2 / 3, "low": 0}
        )
        assert {row["metric"] for row in tables["score_intervals"]} == {"Toy", "Toy words", "letters"}

    @pytest.mark.parametrize("fault", FAULTY)
    def test_what_a_program_does_wrong_is_said(self, folder, fault):
        written, message = FAULTY[fault]
        (folder / "faulty.py").write_text(f"import json, sys\n{written}\n")
        command = f"faulty={sys.executable} {folder / 'faulty.py'}"
        with pytest.raises(CommandError, match=message):
            run(folder, "--metrics", "toy", "--program", command, "--time-limit", "1", human=None)
        assert not (folder / "out").exists()
