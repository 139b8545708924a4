"""M2: sentences and edits as annotators wrote them, or every problem with its line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.files.text_files import read_text
from judgments.rules.texts.m2 import AnnotatedEdit, annotators, correct_sentence, read_m2
from tests.judgments.rules.refusals import complaints
from tests.shared_data import shared

TOY = """\
S This are gramamtical sentence .
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
A 2 2|||M:DET|||a||the|||REQUIRED|||-NONE-|||0
A 2 3|||R:SPELL|||grammatical|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

S Fine .
A 0 1|||R:OTHER|||Good|||REQUIRED|||-NONE-|||1
"""


def read(text: str):
    return read_m2(read_text("gold.m2", text.encode()))


def problems(text: str) -> list[str]:
    return complaints(read, text)


def edit(span: str, correction: str, kind: str = "R:OTHER", annotator: int | str = 0) -> str:
    return f"A {span}|||{kind}|||{correction}|||REQUIRED|||-NONE-|||{annotator}\n"


def mended(sentence: str, *edits: str) -> str | None:
    return correct_sentence(read(f"S {sentence}\n" + "".join(edits))[0], 0)


def test_the_toy_and_its_corrections():
    first, second = sentences = read(TOY)
    assert (first.line, first.text) == (1, "This are gramamtical sentence .")
    assert (second.line, second.text) == (7, "Fine .")
    assert second.edits == {1: [AnnotatedEdit(8, 0, 1, ("Good",), "R:OTHER")]}
    assert correct_sentence(first, 0) == "This is a grammatical sentence ."
    assert correct_sentence(first, 1) == "This are gramamtical sentence .", "noop leaves it as it is"
    assert correct_sentence(second, 0) is None, "there is no line of this annotator"
    assert correct_sentence(second, 1) == "Good ."
    assert annotators(sentences) == [0, 1]
    assert annotators(read("S Nobody annotated this .\n")) == []


@pytest.mark.parametrize(
    ("sentence", "edits", "expected"),
    [
        pytest.param("I saw cat", [edit("2 2", "the||a||")], "I saw the cat", id="the first of several alternatives"),
        pytest.param(
            "I cat", [edit("1 1", "saw"), edit("1 1", "the"), edit("1 1", "black")], "I saw the black cat",
            id="insertions at one place keep the order of the file",
        ),
        pytest.param(
            "I cats .", [edit("1 2", "cat"), edit("1 1", "saw the")], "I saw the cat .",
            id="an insertion before a replacement at the same place",
        ),
        pytest.param("cats ran", [edit("0 0", "Black"), edit("2 2", ".")], "Black cats ran .", id="at both ends"),
        pytest.param("the the cat", [edit("0 1", "")], "the cat", id="a deletion"),
        pytest.param("the the cat", [edit("0 1", "-NONE-")], "the cat", id="a deletion by its sign"),
        pytest.param("the the", [edit("0 2", "")], "", id="everything deleted"),
        pytest.param("a b c", [edit("1 2", "y"), edit("0 1", "x"), edit("2 3", "z")], "x y z", id="neighbours"),
        pytest.param("a b", [edit("0 1", "x", "noop")], "a b", id="noop corrects nothing"),
        pytest.param("a b", [edit("0 1", "x", "UNK")], "a b", id="UNK corrects nothing"),
        pytest.param("a b", [edit("0 1", "x", "Um")], "a b", id="Um corrects nothing"),
        pytest.param("a b", [edit("-1 -1", "x")], "a b", id="no place"),
        pytest.param("a b", ["A -1 -1|||noop|||-NONE-|||-NONE-|||-NONE-|||0\n"], "a b", id="the scorer's own noop"),
        pytest.param("", [edit("0 0", "Hello .")], "Hello .", id="an empty sentence"),
    ],
)  # fmt: skip
def test_edits_make_the_corrected_sentence(sentence, edits, expected):
    assert mended(sentence, *edits) == expected


def test_sentences_need_no_blank_line_between_them_and_edits_of_different_annotators_may_overlap():
    assert [sentence.text for sentence in read("S a\nS\n\n\n\nS c")] == ["a", "", "c"]
    (sentence,) = read("S a b\n" + edit("0 2", "x") + edit("0 1", "y", annotator=1))
    assert (correct_sentence(sentence, 0), correct_sentence(sentence, 1)) == ("x", "y b")


def test_problems_are_reported_by_line():
    no_numbers = "the span must be two whole numbers and the last field the annotator's number"
    wrong = [
        (edit("0 1", "x"), "an annotation comes before the first sentence (S line)"),
        ("S a b\n", None),
        ("A 0 1|||R|||x\n", "an annotation has 6 fields separated by |||, this one has 3"),
        (edit("0", "x"), no_numbers),
        (edit("0 one", "x"), no_numbers),
        (edit("0 1", "x", annotator="Ada"), no_numbers),
        (edit("0 1", "x", annotator=-3), no_numbers),
        (edit("1 3", "x"), "the span 1 3 does not lie within the sentence of 2 tokens"),
        (edit("2 1", "x"), "the span 2 1 does not lie within the sentence of 2 tokens"),
        ("B 0 1\n", "expected a line that begins with S or A, or a blank line"),
        ("Sentence\n", "expected a line that begins with S or A, or a blank line"),
    ]
    assert problems("".join(line for line, _ in wrong)) == [
        f"gold.m2, line {number}: {what}" for number, (_, what) in enumerate(wrong, 1) if what
    ]


@pytest.mark.parametrize(
    ("one", "other"), [("0 2", "1 3"), ("0 1", "0 1"), ("0 2", "1 1"), ("0 3", "1 2"), ("1 2", "0 3")]
)
def test_edits_that_overlap_are_reported_by_both_lines(one, other):
    later, earlier = (3, 2) if one < other or one == other else (2, 3)
    assert problems("S a b c\n" + edit(one, "x") + edit(other, "y")) == [
        f"gold.m2, line {later}: annotator 0's edit overlaps the one on line {earlier}"
    ]


def test_a_file_that_is_empty_unreadable_or_wrong_on_every_line_is_reported():
    assert problems("\n\n") == ["gold.m2: contains no sentence (no line begins with S)"]
    assert problems("") == ["gold.m2: the file is empty"]
    assert complaints(read_m2, read_text("gold.m2", b"S \xff\n"))[0].startswith("gold.m2, line 1: byte 3")
    sentences = problems("wrong\n" * 30)
    assert len(sentences) == 11
    assert sentences[-1] == "gold.m2: and 20 more like these"


token = st.sampled_from(["a", "cat", "sat", ",", "."])
words = st.lists(token, max_size=3)
# A sentence in pieces: the words that were there, and what becomes of them (None: they stay).
pieces = st.lists(st.tuples(words, st.none() | words), min_size=1, max_size=6)


@pytest.mark.wide
@given(pieces, st.randoms(use_true_random=False))
def test_a_sentence_is_mended_with_its_edits_in_any_order(parts, rng):
    edits, before, after = [], [], []
    touched = False
    for old, new in parts:
        if touched and not old:
            continue  # a second insertion at one place would depend on the order
        start, end = len(before), len(before) + len(old)
        before += old
        after += old if new is None else new
        touched = new is not None
        if new is not None:
            edits.append(edit(f"{start} {end}", " ".join(new)))
    edits.append(edit("-1 -1", "-NONE-", "noop"))
    rng.shuffle(edits)
    assert mended(" ".join(before), *edits) == " ".join(after)


@pytest.mark.wide
@pytest.mark.parametrize("folder", ["data/gjg15/references", "data/gmeg-fce/dev"])
def test_published_edits_give_the_published_references_line_for_line(folder):
    file = shared(f"{folder}/gold.m2")
    sentences = read_m2(read_text(file.name, file.read_bytes()))
    there = sorted(reference.name for reference in file.parent.glob("ref?"))
    assert there == [f"ref{annotator}" for annotator in annotators(sentences)]
    for annotator, name in enumerate(there):
        reference = (file.parent / name).read_text(encoding="utf-8").splitlines()
        mends = [correct_sentence(sentence, annotator) for sentence in sentences]
        pairs = zip(mends, reference, strict=True)
        assert [(mend, line) for mend, line in pairs if mend is not None and mend != " ".join(line.split())] == []
        assert sum(mend is not None for mend in mends) > len(mends) / 2
