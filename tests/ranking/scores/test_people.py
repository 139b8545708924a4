"""People's judgments from files: which outputs are compared, what of rankings fits them, and the published ones."""

import numpy as np
import pytest

from judgments.rules.files.problems import Problems
from ranking.library import rank
from ranking.scores.files import GivenFile, is_bound, read_lines
from ranking.scores.people import JudgedFile, columns_of, read_human, read_judgments
from ranking.stats.metaevaluation.evaluation import people_of
from ranking.stats.metaevaluation.scores import times_drawn
from tests import published
from tests.shared_data import shared

NAMES = ("A", "B", "C", "source")
TABLE = b"C,A,ref,B\n1,2,9,3\n4,,9,6\n"


def read(content: bytes, outputs=NAMES, bounds=(), sentences: int = 2):
    return read_human(GivenFile("human.csv", content), outputs, sentences, bounds)


def test_columns_are_taken_by_the_names_of_outputs_that_are_no_bounds():
    names, scores = read(TABLE)
    assert names == ("A", "B", "C")
    assert np.array_equal(scores, np.array([[2, 3, 1], [np.nan, 6, 4]]), equal_nan=True)
    assert [name for name in ("Source", "INPUT", "ref", "Reference", "ref0", "sources") if is_bound(name)] == [
        "Source", "INPUT", "ref", "Reference", "ref0",
    ]  # fmt: skip
    assert read(TABLE, (*NAMES, "D"), bounds=["D", "nobody"])[0] == ("A", "B", "C")


def test_semicolons_part_columns_of_decimal_commas_as_excel_writes_them_in_much_of_europe():
    assert np.array_equal(
        read(b"C;A;ref;B\r\n1;2,5;9;3\r\n4;;9;6\r\n")[1], [[2.5, 3, 1], [np.nan, 6, 4]], equal_nan=True
    )


def test_rows_with_numbers_of_sentences_are_put_in_their_order():
    inorder = read(b"A,B,C\n1,2,3\n4,5,6\n7,,9\n", sentences=3)[1]
    for rows in (b"3,7,,9\n1,1,2,3\n2,4,5,6\n", b"1,4,5,6\n2,7,,9\n0,1,2,3\n"):
        assert np.array_equal(read(b"sentence,A,B,C\n" + rows, sentences=3)[1], inorder, equal_nan=True)
    for names in (b"c b a", b"103 101 102", b"1 2 4"):
        rows = b"".join(
            name + cells for name, cells in zip(names.split(), (b",1,2,3\n", b",4,5,6\n", b",7,,9\n"), strict=True)
        )
        assert np.array_equal(read(b"id,A,B,C\n" + rows, sentences=3)[1], inorder, equal_nan=True)
    assert columns_of(GivenFile("human.csv", b"A, Sentence ,B\n")) == ["A", "B"]


@pytest.mark.parametrize(
    ("content", "outputs", "bounds", "message"),
    [
        (b"id,A,B,C\n1,1,2,3\n1,4,5,6\n", NAMES, [], "A has a score on line 2 already"),
        (TABLE, (*NAMES, "D"), [], "human.csv, line 1: has no column D; add it, or leave the output out"),
        (TABLE, ("A", "B", "source"), [], r"the outputs to compare with people \(A, B\) are fewer than 3"),
        (TABLE, NAMES, ["C"], "fewer than 3"),
        (b"A,B,C\n1,2,3\n", NAMES, [], r"scores 1 sentences, but there are 2"),
        (b"A,B,C\n1,2,x\n1,2,3\n", NAMES, [], "line 2: .* of C: 'x' is not a finite number"),
        (b"A,B,C\n1,2,\n1,2,\n", NAMES, [], "has no score of C at all"),
        (b"A,B,C,A\n1,2,3,4\n1,2,3,4\n", NAMES, [], "A has two columns"),
        (b"", NAMES, [], "human.csv: the file is empty"),
        (b"\xff", NAMES, [], "is not UTF-8"),
        (b"A,B,C\n", NAMES, [], "human.csv"),
    ],
)
def test_scores_that_do_not_fit_are_refused_in_a_sentence(content, outputs, bounds, message):
    with pytest.raises(Problems, match=message):
        read(content, outputs, bounds)


# A and B agree on the second of three sentences; C and D never agree with anyone.
OUTPUTS = {"A": ["a", "same", "a"], "B": ["b", " same ", "b"], "C": ["c", "c", "c"], "D": ["d", "d", "d"]}


def xml(*items: str) -> GivenFile:
    return GivenFile("judged.xml", f"<results>{''.join(items)}</results>".encode())


def item(sentence: int, judge: str = "Ada", **ranks: int) -> str:
    groups = (f'<translation system="{" ".join(name)}" rank="{rank}"/>' for name, rank in ranks.items())
    return f'<ranking-item src-id="{sentence}" user="{judge}">{"".join(groups)}</ranking-item>'


def table(header: str, *rows: str) -> GivenFile:
    return GivenFile("judged.csv", "\n".join([header, *rows]).encode())


def said(judged: JudgedFile) -> list[tuple]:
    return [(one.recorded.judge, one.position, dict(one.groups)) for one in judged.rankings]


def test_rankings_are_read_in_every_layout_that_campaigns_import():
    """Ada ranks A, C and D on the first sentence."""
    pairs = "segmentId,judgeId,rankingID,system1Id,system1rank,system2Id,system2rank"
    wmt = "segmentId,judgeId,system1Id,system1rank,system2Id,system2rank,system3Id,system3rank"
    files = (
        xml(item(0, A=1, C=2, D=3)),
        table(wmt, "0,Ada,A,1,C,2,D,3"),
        table(pairs, "0,Ada,7,A,1,C,2", "0,Ada,7,C,2,D,3"),
    )
    for file in files:
        assert said(read_judgments(file, OUTPUTS)) == [("Ada", 0, {("A",): 1, ("C",): 2, ("D",): 3})]


def test_what_the_outputs_lack_is_left_out_and_counted():
    """Others share an output with A; a sentence is judged of which there is no output; two rankings are of others."""
    file = xml(item(1, ABX=1, C=2), item(0, AX=2, Y=1), item(0, X=1, Y=2), item(9, A=1, C=2), item(2, A=1, B=2))
    judged = read_judgments(file, OUTPUTS)
    assert said(judged) == [("Ada", 1, {("A", "B"): 1, ("C",): 2}), ("Ada", 0, {("A",): 2}),
                            ("Ada", 2, {("A",): 1, ("B",): 2})]  # fmt: skip
    assert judged.notes[-2:] == [
        "judged.xml: systems without an output are left out: X, Y",
        "judged.xml: 2 of 5 rankings are about no output or sentence that you gave, and are left out",
    ]
    assert judged.sentences == {0, 1, 2}


@pytest.mark.parametrize("further", [[], [8]])
def test_texts_decide_how_sentences_are_numbered(further):
    """A and B wrote the same on the sentence that the file calls 2, and the last one has the number 3."""
    file = xml(item(2, AB=1, C=2), item(3, A=1, B=2), *(item(number, A=1, C=2) for number in further))
    assert [one.position for one in read_judgments(file, OUTPUTS).rankings] == [1, 2]


def test_files_about_others_or_with_numbers_that_fit_both_ways_are_refused():
    with pytest.raises(Problems, match="judges no output that you gave; it names X, Y"):
        read_judgments(xml(item(0, X=1, Y=2)), OUTPUTS)
    with pytest.raises(Problems, match="judges none of the 3 sentences of the outputs"):
        read_judgments(xml(item(8, A=1, C=2)), OUTPUTS)
    with pytest.raises(Problems, match="judges none of the sentences that count"):
        read_judgments(xml(item(0, A=1, C=2)), OUTPUTS).ballots([1, 2])
    file = xml(item(1, C=1, D=2))
    with pytest.raises(Problems, match="numbered from 0 or from 1"):
        read_judgments(file, OUTPUTS)
    assert [one.position for one in read_judgments(file, OUTPUTS, 1).rankings] == [0]


@pytest.mark.wide
def test_published_rankings_give_what_a_ranking_of_them_gives():
    """All systems are scored, whichever are compared; a system that nobody judged has no score."""
    data, few = shared("data/gjg15"), 200
    outputs = {path.name: read_lines(GivenFile(path.name, path.read_bytes())) for path in (data / "outputs").iterdir()}
    items = (data / "judgments.xml").read_text().split("</ranking-item>")[:few]
    closed = "</ranking-item>".join([*items, "</error-correction-ranking-result></appraise-results>"])
    judged = read_judgments(GivenFile("few.xml", closed.encode()), outputs)
    sentences = range(len(outputs["AMU"]))
    ballots, systems, _ = judged.ballots(sentences)
    compared, methods = ("RAC", "nobody", "AMU", "IPN"), ("expected-wins", "trueskill")
    found = list(people_of("GJG", ballots, systems, compared, times_drawn(len(sentences)), methods))
    rows = [
        {"judge": row.judge, "sentence": row.about, "screen": number, "systems": group.systems, "rank": group.value}
        for number, row in enumerate(published.rankings()[:few])
        for group in row.groups
    ]
    standings = rank(rows, methods, replicates=200).tables["standings"].dicts()
    for method, people in zip(methods, found, strict=True):
        scores = {row["system"]: row["score"] for row in standings if row["method"] == method}
        expected = [scores.get(name, np.nan) for name in compared]
        assert people.scores == pytest.approx(expected, rel=1e-9, nan_ok=True)
        low, high = np.quantile(people.replicates[:, 2], [0.05, 0.95])
        assert low < scores["AMU"] < high
    assert [people.name for people in found] == ["GJG: Expected Wins", "GJG: TrueSkill"]
