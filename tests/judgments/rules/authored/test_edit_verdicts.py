"""An organiser's verdicts on edits."""

import pytest

from judgments.rules.authored.edit_verdicts import DEFAULT, EditVerdict, read_edit_verdicts
from tests.judgments.rules.refusals import complaints


def faults(text: str) -> list[str]:
    return complaints(read_edit_verdicts, text)


def test_the_sign_says_whether_a_verdict_accepts_the_edit_and_without_any_they_are_right_and_wrong():
    found = read_edit_verdicts("+ right\n# the others\n-wrong correction\n - changes meaning ")
    assert found == (
        EditVerdict("right", True), EditVerdict("wrong correction", False), EditVerdict("changes meaning", False),
    )  # fmt: skip
    assert read_edit_verdicts("# none yet\n\n") == DEFAULT
    assert [verdict.name for verdict in DEFAULT] == ["right", "wrong"]


def test_all_faults_are_named_at_once():
    assert faults("right\n+\n- missed\n+ a|b\n+ yes\n- YES\n- " + "x" * 41) == [
        "verdicts on edits, line 1: begin with + (accepts the edit) or - (rejects it), as in + right",
        "verdicts on edits, line 2: has no name after +",
        "verdicts on edits, line 3: missed is for errors that a version leaves as they are; choose another name",
        "verdicts on edits, line 4: has a character that cannot be exported; remove | [ ] , : and invisible characters",
        "verdicts on edits, line 6: names 'YES' a second time",
        "verdicts on edits, line 7: has a name of 41 characters; at most 40 are allowed",
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("+ right\n+ fine", "one verdict must begin with + and one with -"),
        ("- wrong", "one verdict must begin with + and one with -"),
        ("+ a\n" + "".join(f"- {number}\n" for number in range(9)), "there are 10 verdicts; at most 9 have keys"),
    ],
)
def test_edits_can_be_right_or_wrong_and_every_verdict_has_a_key(text, fault):
    assert fault in faults(text)[0]
