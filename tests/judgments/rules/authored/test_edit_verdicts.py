"""An organiser's verdicts on edits."""

import pytest

from judgments.rules.authored.edit_verdicts import DEFAULT, EditVerdict, read_edit_verdicts
from judgments.rules.files.problems import Problems


def faults(text: str) -> list[str]:
    with pytest.raises(Problems) as refused:
        read_edit_verdicts(text)
    return [str(problem) for problem in refused.value.problems]


def test_without_any_they_are_right_and_wrong():
    assert read_edit_verdicts("# none yet\n\n") == DEFAULT
    assert [verdict.name for verdict in DEFAULT] == ["right", "wrong"]


def test_the_sign_says_whether_a_verdict_accepts_the_edit():
    found = read_edit_verdicts("+ right\n# the others\n-wrong correction\n - changes meaning ")
    assert found == (
        EditVerdict("right", True), EditVerdict("wrong correction", False), EditVerdict("changes meaning", False),
    )  # fmt: skip


def test_all_faults_are_named_at_once():
    assert faults("right\n+\n- missed\n+ a|b\n+ yes\n- YES\n- " + "x" * 41) == [
        "verdicts on edits, line 1: begin with + (accepts the edit) or - (rejects it), as in + right",
        "verdicts on edits, line 2: has no name after +",
        "verdicts on edits, line 3: missed is for errors that a version leaves as they are; choose another name",
        "verdicts on edits, line 4: has a character that cannot be exported; remove | [ ] , : and invisible characters",
        "verdicts on edits, line 6: names 'YES' a second time",
        "verdicts on edits, line 7: has a name of 41 characters; at most 40 are allowed",
    ]


@pytest.mark.parametrize("text", ["+ right\n+ fine", "- wrong"])
def test_edits_must_be_able_to_be_right_and_wrong(text):
    assert "one verdict must begin with + and one with -" in faults(text)[0]


def test_every_verdict_has_a_key():
    assert "there are 10 verdicts; at most 9 have keys" in faults("+ a\n" + "".join(f"- {n}\n" for n in range(9)))[0]
