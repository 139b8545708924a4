"""Names of systems in recorded judgments: their separator, and their common prefix and suffix."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.exchange.importers.rules.naming import bare_names, inner_names, naming_of_unknown, possible_namings
from judgments.exchange.importers.rules.recorded import RecordedGroup, RecordedJudgment


def recorded(*written: str) -> list[RecordedJudgment]:
    return [RecordedJudgment(1, "ada", 0, tuple(RecordedGroup(systems, 1) for systems in written), None, "")]


@pytest.mark.parametrize(
    ("names", "bare"),
    [
        ("conll14st-test.AMU.src-trg conll14st-test.CAMB.src-trg", "AMU CAMB"),
        pytest.param("wmt.AMU.1 wmt.AMU.2 wmt.CAMB.2", "AMU.1 AMU.2 CAMB.2", id="what only some share stays"),
        ("wmt.AMU wmt.CAMB", "AMU CAMB"),
        ("AMU.txt CAMB.txt", "AMU CAMB"),
        pytest.param("wmt.wmt wmt.AMU.wmt", "wmt AMU.wmt", id="a part is lost only once"),
        ("AMU CAMB", "AMU CAMB"),
        pytest.param("wmt.AMU.2", "wmt.AMU.2", id="one name alone"),
        ("", ""),
    ],
)
def test_names_lose_what_all_of_them_share(names, bare):
    assert bare_names(names.split()) == dict(zip(names.split(), bare.split(), strict=True))


def test_names_in_one_frame_lose_the_frame_alone():
    assert inner_names(["test.A.2.src-trg", "test.B.2.src-trg"]) == {
        "test.A.2.src-trg": "A.2",
        "test.B.2.src-trg": "B.2",
    }
    assert inner_names(["test.A.src-trg"]) == {"test.A.src-trg": "A"}


@pytest.mark.parametrize("names", [["one.A.src-trg", "two.A.src-trg"], ["test.A", "test.B.src-trg"], ["A", "B"], []])
def test_names_in_no_common_frame_stay(names):
    assert inner_names(names) == {name: name for name in names}


dotted = st.lists(st.sampled_from(["a", "b", "wmt", "1"]), min_size=1, max_size=4).map(".".join)


@given(st.sets(dotted, max_size=6))
def test_different_names_stay_different_and_never_become_empty(names):
    bare = bare_names(names)
    assert bare.keys() == names
    assert len(set(bare.values())) == len(names)
    assert all(bare.values())


@pytest.mark.parametrize(
    ("written", "separator"),
    [("A", "nothing"), ("A B", "space"), ("A,B", "comma"), ("A, B", "comma")],
)
def test_unknown_names_are_separated_by_commas_or_else_by_spaces(written, separator):
    assert naming_of_unknown("a.xml", recorded(written, "C"), "").separator == separator


def test_names_as_they_are_come_first_and_collapsed_ones_in_order_of_the_alphabet():
    readings = [naming.systems() for naming in possible_namings(["wmt.A", "wmt.B wmt.A"])]
    assert readings[0] == ["wmt.A", "wmt.B wmt.A"]
    assert readings.index(["wmt.A", "wmt.B"]) < readings.index(["A", "B"])
    assert naming_of_unknown("a.xml", recorded("wmt.C wmt.A", "wmt.B"), "").read("wmt.C wmt.A") == ("A", "C")
