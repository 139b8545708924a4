"""Which edits of several versions are decided together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.texts.edits import Edit, apply_edits, decisions, derive_edits

SOURCE = "He go school yesterday ."
GOES, TO, TODAY = Edit(3, 5, "goes"), Edit(6, 6, "to "), Edit(13, 22, "today")
WORDS = st.lists(st.sampled_from(["a", "b", "c", "d", "."]), min_size=1, max_size=8).map(" ".join)


def places(*versions: list[Edit]) -> list[tuple[Edit, tuple[tuple[int, int], ...]]]:
    return [(one.edit, one.places) for one in decisions(SOURCE, versions)]


def test_the_same_edits_of_two_versions_are_one_decision():
    assert places([GOES], [GOES, TODAY]) == [(GOES, ((0, 0), (1, 0))), (TODAY, ((1, 1),))]
    assert places([GOES, TO], [GOES]) == [(GOES, ((0, 0),)), (TO, ((0, 1),)), (GOES, ((1, 0),))]
    assert places([GOES, TO, TODAY], [GOES, TO]) == [
        (GOES, ((0, 0), (1, 0))), (TO, ((0, 1), (1, 1))), (TODAY, ((0, 2),)),
    ]  # fmt: skip
    went, went_to = Edit(3, 5, "went"), Edit(3, 12, "went to school")
    assert [edit for edit, _ in places([GOES], [went], [went_to])] == [GOES, went, went_to]
    assert places([GOES._replace(category="SVA")], [GOES]) == [(GOES, ((0, 0), (1, 0)))]


@pytest.mark.wide
@given(WORDS, st.lists(WORDS, max_size=4))
def test_every_edit_has_one_decision_and_equal_versions_share_all(source, texts):
    versions = [derive_edits(source, text) for text in [*texts, *texts]]
    found = decisions(source, versions)
    met = [place for one in found for place in one.places]
    assert sorted(met) == [(version, edit) for version, edits in enumerate(versions) for edit in range(len(edits))]
    for one in found:
        assert all(versions[version][edit][:3] == one.edit[:3] for version, edit in one.places)
        assert {(version + len(texts)) % len(versions) for version, _ in one.places} == {v for v, _ in one.places}
    assert [apply_edits(source, edits) for edits in versions] == [*texts, *texts]
