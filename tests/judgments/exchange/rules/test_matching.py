"""Recorded rankings against outputs: base and separator are detected, never assumed, and disagreement is reported."""

from collections import Counter
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.exchange.importers.rules.matching import (
    MatchedFile,
    MatchedJudgment,
    Outputs,
    match_with_texts,
    match_without_texts,
    matched_keys,
)
from judgments.exchange.importers.rules.recorded import RecordedGroup, RecordedJudgment
from judgments.rules.files.problems import Problems
from tests import published
from tests.judgments.rules.refusals import complaints

FILE = "judgments.xml"
NAMESPACE = UUID(int=7)
# A and B agree on line 0, B and C on line 1, all on line 2.
OUTPUTS = {0: {"A": "x", "B": "x", "C": "y"}, 1: {"A": "x", "B": "y", "C": "y"}, 2: {"A": "z", "B": "z", "C": "z"}}


def row(line: int, segment: int, *groups: tuple[str, int], judge: str = "ada") -> RecordedJudgment:
    return RecordedJudgment(line, judge, segment, tuple(RecordedGroup(*g) for g in groups), None, "")


def understood(*rows: RecordedJudgment, outputs: Outputs = OUTPUTS, known: str = "A B C", fewest: int = 0):
    return match_with_texts(FILE, list(rows), outputs, known.split(), fewest=fewest)


def problems(*rows: RecordedJudgment, outputs: Outputs = OUTPUTS, known: str = "A B C") -> list[str]:
    return complaints(understood, *rows, outputs=outputs, known=known)


def systems_of(taken: MatchedFile) -> list[str]:
    return sorted({system for one in taken.judgments for systems, _ in one.groups for system in systems})


def groups(*rankings: MatchedJudgment):
    return [(ranking.position, *ranking.groups) for ranking in rankings]


# The base of the sentence numbers


@pytest.mark.parametrize("base", [0, 1])
def test_the_base_of_sentence_numbers_is_found(base):
    taken = understood(row(1, base, ("A B", 1), ("C", 2)), row(2, 1 + base, ("B C", 1), ("A", 2)))
    assert groups(*taken.judgments) == [(0, (("A", "B"), 1), (("C",), 2)), (1, (("B", "C"), 1), (("A",), 2))]
    assert taken.notes == [f"judgments.xml: sentences are numbered from {base}"]
    assert systems_of(taken) == ["A", "B", "C"]


ALIKE = {0: {"A": "x", "B": "y"}, 1: {"A": "x", "B": "y"}}


def test_the_base_is_found_by_a_sentence_beyond_an_end_or_else_chosen_by_the_organiser():
    assert understood(row(1, 0, ("A", 1), ("B", 2)), outputs=ALIKE).notes == [f"{FILE}: sentences are numbered from 0"]
    assert understood(row(1, 2, ("A", 1), ("B", 2)), outputs=ALIKE).notes == [f"{FILE}: sentences are numbered from 1"]
    assert problems(row(1, 1, ("A", 1), ("B", 2)), outputs=ALIKE) == [
        "judgments.xml: sentences could be numbered from 0 or from 1, because the outputs agree with both; choose one"
    ]


@pytest.mark.parametrize(("times", "is_found"), [(2, False), (3, False), (4, True)])
def test_the_other_base_must_disagree_twice_as_often(times, is_found):
    """A and B are equal in even lines, so different ranks disagree with one base or with the other."""
    outputs = {line: {"A": "x", "B": "xy"[line % 2]} for line in range(4)}
    against_zero, against_one = row(1, 2, ("A", 1), ("B", 2)), row(2, 1, ("A", 1), ("B", 2))
    rows = [*[against_zero] * 2, *[against_one] * times]
    if is_found:
        assert understood(*rows, outputs=outputs, known="A B").notes[0].endswith("from 0")
    else:
        (sentence,) = problems(*rows, outputs=outputs, known="A B")
        assert sentence.startswith("judgments.xml: sentences could be numbered from 0 or from 1")


@pytest.mark.parametrize("base", [0, 1])
def test_the_base_chosen_by_the_organiser_is_used_if_it_fits(base):
    rows = [row(1, 1, ("A", 1), ("B", 2))]
    assert match_with_texts(FILE, rows, ALIKE, ["A", "B"], base).judgments[0].position == 1 - base
    with pytest.raises(Problems, match="sentence 2 does not exist"):
        match_with_texts(FILE, [row(1, 2, ("A", 1))], ALIKE, ["A", "B"], 0)


# The separator of the systems


def test_names_one_by_one_with_signs_or_of_a_few_systems_are_understood():
    taken = understood(row(1, 0, ("C", 2), ("B", 1), ("A", 1)))
    assert groups(*taken.judgments) == [(0, (("C",), 2), (("A", "B"), 1))]
    assert groups(*understood(row(1, 0, ("A", 1), ("C", 2))).judgments) == [(0, (("A",), 1), (("C",), 2))]
    outputs = {0: {"A": "x", "B": "x", "C": "y", "D": "x"}}
    assert systems_of(understood(row(1, 0, ("A B", 1), ("C", 2)), outputs=outputs, known="A B C D")) == ["A", "B", "C"]
    outputs = {0: {"source": "x", "source+error": "y", "A": "x"}}
    taken = understood(row(1, 0, ("source+error", 2), ("source A", 1)), outputs=outputs, known="source source+error A")
    assert groups(*taken.judgments) == [(0, (("source+error",), 2), (("A", "source"), 1))]


def test_unknown_systems_are_reported_by_the_reading_that_leaves_fewest_ten_of_many():
    assert problems(row(1, 0, ("A B", 1), ("X", 2), ("Y", 3))) == [
        "judgments.xml, line 1: names systems that the campaign does not have: X, Y (it has A, B, C); upload their "
        "outputs first, or choose to import what fits"
    ]
    (sentence,) = problems(row(1, 0, *((f"X{number:02}", 1) for number in range(30))))
    assert sentence.count("X") == 10


# Disagreement


OTHERWISE = "groups systems otherwise than the outputs in"


def test_a_few_judgments_that_group_systems_otherwise_are_kept_as_they_are_and_counted():
    rows = [row(1, 0, ("A B", 1), ("C", 2)), row(2, 0, ("A C", 1), ("B", 2)), row(3, 2, ("A B C", 1))]
    taken = understood(*rows)
    assert groups(*taken.judgments)[1] == (0, (("A", "C"), 1), (("B",), 2))
    assert [sorted(one.mismatch) for one in taken.judgments] == [[], [("A", "C"), ("B",)], []]
    head, _, pairs = taken.notes[1].partition(" are: ")
    assert head == "judgments.xml: 1 of 3 judgments group systems otherwise than their outputs, and are kept as they"
    assert sorted(pairs.split(", ")) == ["A and B apart (1)", "A and C together (1)"]
    rows = [row(4, 0, ("A", 1), ("B", 3), ("C", 2)), row(5, 2, ("A", 1), ("B", 1)), row(6, 0, ("A", 1), ("B", 1))]
    taken = understood(*rows)
    assert groups(*taken.judgments)[0] == (0, (("A",), 1), (("B",), 3), (("C",), 2))
    assert [sorted(one.mismatch) for one in taken.judgments] == [[("A",), ("B",)], [], []]
    assert "A and B apart (1)" in taken.notes[1]
    together, apart = (("A B", 1), ("C", 2)), (("A", 1), ("B", 2), ("C", 3))
    for texts in ({"A": "x", "B": "x", "C": "y"}, {"A": "x", "B": "z", "C": "y"}):
        taken = understood(row(1, 0, *together), row(2, 0, *apart), row(3, 0, *apart), outputs={0: texts})
        assert [len(one.groups) for one in taken.judgments] == [2, 3, 3]


def test_nearly_all_judgments_that_disagree_make_a_file_another_one_unless_the_organiser_says_how_it_is_numbered():
    agreeing, otherwise = row(1, 0, ("A B", 1), ("C", 2)), row(2, 0, ("A C", 1), ("B", 2))
    assert len(understood(agreeing, *[otherwise] * 3).judgments) == 4
    assert OTHERWISE in problems(agreeing, *[otherwise] * 4)[-1]
    assert problems(otherwise) == [
        "judgments.xml, line 2: sentence 0: recorded as one output: A C; equal in the outputs: A B",
        "judgments.xml, line 2: sentence 0: recorded as one output: B; equal in the outputs: A B",
        f"judgments.xml: {OTHERWISE} 1 of 1 judgments, so these may be other outputs or other sentences; if they are "
        "the right ones, choose whether sentences are numbered from 0 or from 1, and the file is stored as it is",
    ]
    taken = match_with_texts(FILE, [row(4, 0, ("A", 1), ("C", 2))], OUTPUTS, ["A", "B", "C"], 0)
    assert taken.judgments[0].mismatch == set(), "names one by one need not be all"
    rows = [row(4, 0, ("A", 1), ("C", 2)), row(5, 1, ("B C", 1))]
    taken = match_with_texts(FILE, rows, OUTPUTS, ["A", "B", "C"], 0)
    assert taken.judgments[0].mismatch == {("A",)}
    assert taken.notes[1].endswith(
        "1 of 2 judgments group systems otherwise than their outputs, and are kept as they are: A and B apart (1)"
    )


def test_a_system_without_an_output_is_reported_and_a_skip_needs_only_its_sentence():
    outputs = {0: {"A": "x"}, 1: {"A": "x", "B": "y"}}
    assert problems(row(1, 0, ("A", 1), ("B", 2)), row(2, 1, ("A", 1)), outputs=outputs, known="A B") == [
        "judgments.xml, line 1: sentence 0: judged without an output: B",
        "judgments.xml: the campaign lacks outputs of B (in 1 judgment); upload these outputs first, or choose to "
        "import what fits",
    ]
    taken = understood(row(1, 2))
    assert groups(*taken.judgments) == [(2,)]
    assert problems(row(1, 9)) == ["judgments.xml, line 1: sentence 9 does not exist in the campaign"]


@pytest.mark.parametrize(
    "groups_of_a_row",
    [[("A B", 1), ("A B", 1)], [("A A B", 1)], [("A B", 1), ("C", 2), ("C", 2)], [("A", 1), ("A", 1), ("B", 1)]],
)
def test_a_system_is_ranked_only_once(groups_of_a_row):
    sentences = problems(row(1, 0, *groups_of_a_row), row(2, 0, ("A B", 1), ("C", 2)))
    assert all(sentence.startswith("judgments.xml, line 1: sentence 0: ") for sentence in sentences)


def test_disagreement_is_reported_for_ten_places_or_pairs_and_the_rest_is_counted():
    sentences = problems(*(row(line, 0, ("A C", 1)) for line in range(1, 31)))
    assert [sentence.split(":")[0] for sentence in sentences[:10]] == [f"{FILE}, line {n}" for n in range(1, 11)]
    assert sentences[10] == "judgments.xml: and 20 more like these"
    assert sentences[11].startswith(f"judgments.xml: {OTHERWISE} 30 of 30 judgments")
    names = [f"S{number}" for number in range(9)]
    rows = [row(1, 5, (" ".join(names), 1)), row(2, 5, *((name, 1) for name in names))]
    assert match_without_texts(FILE, rows, {}).notes[1].endswith(" and 26 more")


# Without texts


def test_without_texts_what_stands_together_in_a_sentence_is_one_output():
    taken = match_without_texts(FILE, [row(1, 5, ("A B", 1), ("C", 2)), row(2, 5, ("C", 1), ("A B", 2))], {})
    assert groups(*taken.judgments) == [(5, (("A", "B"), 1), (("C",), 2)), (5, (("C",), 1), (("A", "B"), 2))]
    assert taken.notes == ["judgments.xml: read without texts; sentence numbers are kept as they are"]
    assert systems_of(taken) == ["A", "B", "C"]
    rows = [row(1, 5, ("A B", 1), ("C", 2)), row(2, 6, ("A", 1), ("B", 2))]
    assert len(match_without_texts(FILE, rows, {}).judgments) == 2
    rows = [row(1, 5, ("gpt.v1", 1), ("gpt.v2", 2))]
    known = {5: {"gpt.v1": 1, "gpt.v2": 2, "lstm": 3}}
    assert systems_of(match_without_texts(FILE, rows, known)) == ["gpt.v1", "gpt.v2"]
    known = {5: {"A": 1, "B": 1, "C": 2}}
    together, apart = [row(1, 5, ("A B", 1), ("C", 2))], [row(1, 5, ("A", 1), ("B", 2))]
    assert len(match_without_texts(FILE, together, known).notes) == 1
    assert match_without_texts(FILE, apart, known).judgments[0].mismatch == {("A",), ("B",)}


@pytest.mark.parametrize(
    ("written", "systems"),
    [("A B", "A B C"), ("A,B", "A B C"), ("A, B", "A B C"), ("A+B, D", "A+B C D")],
)
def test_without_texts_spaces_and_commas_part_names(written, systems):
    taken = match_without_texts(FILE, [row(1, 5, (written, 1), ("C", 2))], {})
    assert systems_of(taken) == systems.split()


UNCERTAIN = "judgments.xml: 'A+B' could be one system or several with one output; choose how names are joined"


@pytest.mark.parametrize(("joined_by", "systems"), [("nothing", "A+B C"), ("plus", "A B C")])
def test_without_texts_the_organiser_says_whether_a_plus_sign_joins_names(joined_by, systems):
    rows = [row(1, 5, ("A+B", 1), ("C", 2))]
    assert complaints(match_without_texts, FILE, rows, {}) == [UNCERTAIN]
    taken = match_without_texts(FILE, rows, {}, joined_by=joined_by)
    assert systems_of(taken) == systems.split()
    known = {5: dict.fromkeys(systems.split(), 1)}
    assert systems_of(match_without_texts(FILE, rows, known)) == systems.split()


@pytest.mark.parametrize(("joined_by", "systems"), [("nothing", "A+B C"), ("plus", "A B C")])
def test_names_that_can_be_read_with_two_separators_are_asked_about(joined_by, systems):
    outputs, rows = {0: {"A": "x", "B": "x", "A+B": "y", "C": "z"}}, [row(1, 0, ("A+B", 1), ("C", 2))]
    assert complaints(match_with_texts, FILE, rows, outputs, outputs[0]) == [UNCERTAIN]
    taken = match_with_texts(FILE, rows, outputs, outputs[0], joined_by=joined_by)
    assert systems_of(taken) == systems.split()


@pytest.mark.parametrize("written", ["A,,B", "<A>", "A" * 81, "a..b"])
def test_without_texts_names_must_be_able_to_name_systems(written):
    (sentence, *_) = complaints(match_without_texts, FILE, [row(1, 5, (written, 1), ("a.x.b", 2))], {})
    assert sentence.startswith("judgments.xml")


@pytest.mark.parametrize(
    ("first", "second", "pairs"),
    [
        ([("A", 1), ("B", 2)], [("A B", 1)], "A and B together (1)"),
        ([("A B", 1)], [("A", 1), ("B", 2)], "A and B apart (1)"),
        ([("A B", 1)], [("A", 1), ("C", 2)], "A and B apart (1)"),
        ([("A B", 1)], [("B C", 1)], "B and C together (1), A and B apart (1)"),
        ([("A B", 1), ("C", 2)], [("A B C", 1)], "A and C together (1), B and C together (1)"),
    ],
)
def test_without_texts_systems_together_here_and_apart_there_are_kept_as_they_are(first, second, pairs):
    rows = [row(1, 5, *first), row(2, 5, *second)]
    taken = match_without_texts(FILE, rows, {})
    assert [len(one.groups) for one in taken.judgments] == [len(first), len(second)]
    assert [bool(one.mismatch) for one in taken.judgments] == [False, True]
    what = "group systems otherwise than the first judgment of the sentence, and are kept as they are"
    head, _, listed = taken.notes[1].partition(": ")[2].partition(": ")
    assert head == f"1 of 2 judgments {what}"
    assert sorted(listed.split(", ")) == sorted(pairs.split(", "))


@pytest.mark.parametrize("groups_of_a_row", [[("A B", 1), ("A B", 1)], [("A A B", 1)], [("A", 1), ("C", 2), ("C", 2)]])
def test_without_texts_a_system_is_ranked_only_once(groups_of_a_row):
    sentences = complaints(match_without_texts, FILE, [row(1, 5, *groups_of_a_row)], {})
    assert all(sentence.startswith("judgments.xml, line 1: ") for sentence in sentences)


def test_without_texts_a_file_numbered_from_1_has_no_sentence_0():
    taken = match_without_texts(FILE, [row(1, 1, ("A", 1))], {}, 1)
    assert groups(*taken.judgments) == [(0, (("A",), 1))]
    found = complaints(match_without_texts, FILE, [row(1, 1, ("A", 1)), row(2, 0, ("A", 1))], {}, 1)
    assert found == ["judgments.xml, line 2: sentence 0 does not exist in the campaign"]


# What fits


def test_skip_unmatched_of_a_larger_file_is_taken_and_the_rest_is_named():
    five = row(1, 0, ("X", 1), ("A B", 2), ("Y Z", 3), ("C", 4))
    rows = [five, row(2, 1, ("B C X", 1), ("A", 2)), row(3, 1, ("A", 1), ("X", 2)), row(4, 7, ("A B", 1), ("C", 2))]
    taken = understood(*rows, row(5, 2), fewest=2)
    assert groups(*taken.judgments) == [
        (0, (("A", "B"), 2), (("C",), 4)), (1, (("B", "C"), 1), (("A",), 2)), (2,)
    ]  # fmt: skip
    assert taken.notes == [
        "judgments.xml: sentences are numbered from 0",
        "judgments.xml: 3 of 5 judgments fit; left out: outputs of X, Y, Z (in 3 judgments) and sentence 7 "
        "(in 1 judgment)",
    ]
    assert [group.systems for group in taken.judgments[0].recorded.groups] == ["A B", "C"]
    one_left = understood(*rows[:3], fewest=1).judgments[2]
    assert groups(one_left) == [(1, (("A",), 1))], "a rating of one output says something"


def test_a_file_of_which_nothing_fits_or_with_other_faults_is_refused():
    nothing = complaints(understood, row(1, 0, ("A B", 1), ("X", 2)), fewest=2)
    assert nothing == ["judgments.xml: has no judgment that fits; upload the outputs that it is about first"]
    assert complaints(understood, row(1, 0, ("X", 1), ("Y", 2)), fewest=2) == [
        "judgments.xml, line 1: names systems that the campaign does not have: X, Y (it has A, B, C); upload their "
        "outputs first"
    ]
    twice = complaints(understood, row(1, 0, ("A B", 1), ("B", 2)), row(2, 0, ("A B", 1), ("X", 2)), fewest=2)
    assert twice == ["judgments.xml, line 1: sentence 0: B judged more than once"]


def test_a_judgment_has_the_same_key_however_much_of_it_is_taken():
    rows, wide = [row(1, 0, ("A B", 1), ("C", 2)), row(2, 1, ("B C", 1), ("A", 2))], "A B C"
    keys = matched_keys(NAMESPACE, rankings(*rows), "gjg15")
    narrow = {line: {name: text for name, text in texts.items() if name != "C"} for line, texts in OUTPUTS.items()}
    taken = match_with_texts(FILE, rows, narrow, wide.replace(" C", "").split(), 0, 1).judgments
    assert matched_keys(NAMESPACE, taken, "gjg15") == keys


# Keys


def rankings(*rows: RecordedJudgment) -> list[MatchedJudgment]:
    return understood(*rows).judgments


ROWS = [row(1, 0, ("A B", 1), ("C", 2)), row(2, 0, ("A B", 2), ("C", 1)), row(3, 0, ("A B", 1), ("C", 2), judge="ben")]


def test_keys_depend_on_what_is_said_and_neither_on_lines_nor_on_the_order_of_groups():
    moved = row(99, 0, ("C", 2), ("B A", 1))
    keys = matched_keys(NAMESPACE, rankings(ROWS[0], ROWS[0], ROWS[0]), "gjg15")
    assert len(set(keys)) == 3
    assert keys[:2] == matched_keys(NAMESPACE, rankings(moved, ROWS[0]), "gjg15")
    others = [
        *ROWS,
        row(1, 2, ("A B C", 1)),
        row(1, 0),
        ROWS[0]._replace(seconds=3.5),
        ROWS[0]._replace(label="essay"),
    ]
    keys = [key for campaign in ("gjg15", "other") for key in matched_keys(NAMESPACE, rankings(*others), campaign)]
    assert len(set(keys)) == 2 * len(others)


# What always holds


@st.composite
def campaigns(draw):
    """Outputs, and rankings of them as a file would record them: every system behind a text is named with it."""
    systems = draw(st.lists(st.sampled_from("ABCDEF"), min_size=2, max_size=6, unique=True))
    lines = draw(st.integers(1, 6))
    outputs = {line: {system: draw(st.integers(0, 3)) for system in systems} for line in range(lines)}
    judged = draw(st.lists(st.tuples(st.integers(0, lines - 1), st.integers(0, 9)), min_size=1, max_size=8))
    return outputs, [(line, _behind(outputs[line]), seed) for line, seed in judged]


def _behind(texts: dict[str, int]) -> list[list[str]]:
    behind: dict[int, list[str]] = {}
    for system in sorted(texts):
        behind.setdefault(texts[system], []).append(system)
    return list(behind.values())


def _rows_of(judged: list[tuple], separator: str = " ", base: int = 0) -> list[RecordedJudgment]:
    return [
        row(
            number,
            line + base,
            *((separator.join(group), 1 + (seed + place) % 5) for place, group in enumerate(behind)),
        )
        for number, (line, behind, seed) in enumerate(judged)
    ]


@pytest.mark.wide
@given(campaigns(), st.sampled_from([" ", ",", ", ", "+"]), st.sampled_from([0, 1]))
def test_a_file_written_from_the_outputs_is_understood_with_any_base_and_separator(campaign, separator, base):
    outputs, judged = campaign
    rows = _rows_of(judged, separator, base)
    try:
        taken = match_with_texts(FILE, rows, outputs, outputs[0])
    except Problems:  # both ways fit by chance
        taken = match_with_texts(FILE, rows, outputs, outputs[0], base)
    assert {ranking.recorded.about - ranking.position for ranking in taken.judgments} == {base}
    collapsed = any(len(group) > 1 for _, behind, _ in judged for group in behind)
    for ranking in taken.judgments:
        behind = _behind(outputs[ranking.position])
        assert not collapsed or sorted(map(list, (systems for systems, _ in ranking.groups))) == sorted(behind)
        assert [rank for _, rank in ranking.groups] == [group.value for group in ranking.recorded.groups]


@pytest.mark.wide
@given(campaigns(), st.randoms(use_true_random=False))
def test_keys_are_distinct_and_the_same_in_any_order(campaign, rng):
    outputs, judged = campaign
    taken = match_without_texts(FILE, _rows_of(judged), outputs).judgments
    keys = matched_keys(NAMESPACE, taken, "gjg15")
    assert len(set(keys)) == len(taken)
    assert set(matched_keys(NAMESPACE, rng.sample(taken, len(taken)), "gjg15")) == set(keys)


# As published


@pytest.mark.wide
def test_the_published_rankings_agree_with_the_published_outputs_and_are_numbered_from_zero():
    taken = match_with_texts(FILE, published.rankings(), published.texts_by_line(), published.golden()["systems"])
    assert taken.notes == ["judgments.xml: sentences are numbered from 0"]
    assert systems_of(taken) == published.golden()["systems"]
    assert len(taken.judgments) == len(published.rankings())
    assert sum(len(ranking.groups) for ranking in taken.judgments) == 10768
    covered = Counter(str(sum(len(systems) for systems, _ in ranking.groups)) for ranking in taken.judgments)
    assert covered == published.golden()["table1_extra"]["rankings_by_number_of_systems"]


def test_the_published_file_can_be_read_without_texts_and_its_nineteen_duplicates_have_keys_of_their_own():
    taken = match_without_texts(FILE, published.rankings(), {})
    assert systems_of(taken) == published.golden()["systems"]
    assert [ranking.position for ranking in taken.judgments] == [row.about for row in published.rankings()]
    alike = Counter((r.recorded.judge, r.position, tuple(sorted(r.groups))) for r in taken.judgments)
    assert sum(count - 1 for count in alike.values()) == 19
    keys = matched_keys(NAMESPACE, taken.judgments, "gjg15")
    assert len(set(keys)) == len(keys)
    unlabelled = [r._replace(recorded=r.recorded._replace(seconds=None, label="")) for r in taken.judgments]
    assert len(set(matched_keys(NAMESPACE, unlabelled, "gjg15"))) == len(keys)
