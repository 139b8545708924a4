"""Edits typed in brackets: clean ones, slips that can be understood, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.authored.edit_verdicts import DEFAULT, EditVerdict
from judgments.rules.texts.bracketed import Notation, judged_edits, source_of, version_of
from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.edits import JudgedEdit, apply_edits, derive_edits, edits_made, fault_of_judged

SOURCE, VERSION = "He go to school every days .", "He goes to school , every day ."
EDITS = [(3, 5, "goes", "right"), (15, 15, " ,", "wrong"), (22, 26, "day", "right")]
NOTATION = Notation(DEFAULT)


def read(text: str, notation: Notation = NOTATION) -> tuple[list[tuple], tuple[str, ...]] | None:
    """The edits in a text and its slips, if it has a reading that gives the source and the version."""
    for reading in notation.readings(text):
        if source_of(reading.pieces) == SOURCE.replace(" ", "") and version_of(reading.pieces) == VERSION.replace(
            " ", ""
        ):
            found = judged_edits(SOURCE, VERSION, reading.pieces, derive_edits(SOURCE, VERSION))
            return [tuple(edit) for edit in found], reading.slips
    return None


@pytest.mark.parametrize(
    ("text", "slip"),
    [
        ("He [go→goes|True] to school [→,|False] every [days→day|True] .", ""),
        ("He[go→goes|True]to school[→,|False]every [days→day|true].", ""),
        ("He [go→goes] |True to school [→,|False] every [days→day|True] .", "the verdict is behind the bracket"),
        ("He [go→goes] |True, to school [→,|False] every [days→day|True] .", "the verdict is behind the bracket"),
        ("He [go→goes|True] to school [→|False,] every [days→day|True] .", "a sign stands after the verdict"),
        ("He [go→goes|True, ] to school [→,|False] every [days→day|True] .", "a sign stands after the verdict"),
        ("He [go→goes|True to school [→,|False] every [days→day|True] .", "the second bracket is missing"),
        ("He go→goes|True] to school [→,|False] every [days→day|True] .", "the first bracket is missing"),
        ("He [go→goes | True] to school [→,|False] every [days→day|True] .", "spaces around the bar"),
        ("He [go->goes|True] to school [→,|False] every [days→day|True] .", "-> for the arrow"),
    ],
)
def test_what_people_type_is_understood(text, slip):
    edits, slips = read(text)
    assert edits == EDITS
    assert slip in "".join(slips) if slip else slips == ()


@pytest.mark.parametrize(
    "text",
    [
        "He [go→goes|Ture] to school [→,|False] every [days→day|True] .",
        "He [go→goes] to school [→,|False] every [days→day|True] .",
        "He [goes→go|True] to school [→,|False] every [days→day|True] .",
        "He [go→goes|True] to school [→,|False] every days .",
        "",
    ],
)
def test_other_texts_are_not(text):
    assert read(text) is None


def test_verdicts_of_an_organiser_stand_by_name():
    notation = Notation(
        (EditVerdict("fine", True), EditVerdict("changes meaning", False), EditVerdict("too much", False))
    )
    text = "He [go→goes|fine] to school [→,|too much] every [days→day|Changes meaning] ."
    edits, _ = read(text, notation)
    assert [verdict for *_, verdict in edits] == ["fine", "too much", "changes meaning"]
    again = notation.write(SOURCE, [JudgedEdit(*edit) for edit in edits])
    assert again == "He [go→goes|True] to school [→,|too much] every [days→day|False] ."


words = st.lists(st.sampled_from(["He", "go", "goes", "to", "the", "school", ",", "."]), min_size=1, max_size=8)


@pytest.mark.wide
@given(words.map(" ".join), words.map(" ".join), st.data())
def test_what_is_written_is_read_back_the_same(source, version, data):
    proposed = derive_edits(source, version)
    verdicts = [data.draw(st.sampled_from(["right", "wrong"])) for _ in proposed]
    judged = [JudgedEdit(*edit[:3], verdict) for edit, verdict in zip(proposed, verdicts, strict=True)]
    text = NOTATION.write(source, judged)
    reading = next(
        one for one in NOTATION.readings(text)
        if source_of(one.pieces) == source.replace(" ", "") and version_of(one.pieces) == version.replace(" ", "")
    )  # fmt: skip
    found = judged_edits(source, version, reading.pieces, proposed)
    assert (found, reading.slips) == (judged, ())
    assert apply_edits(source, edits_made(found)) == version
    plain = judged_edits(source, version, reading.pieces, ())
    assert normalise(apply_edits(source, edits_made(plain))) == version
    assert fault_of_judged([edit._asdict() for edit in plain]) is None
