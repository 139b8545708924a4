"""Changed words, counted."""

import pytest

from ranking.reports.sentences.listing import WordChanges, word_changes

SOURCE = "He go to school ."


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (SOURCE, (0, 0, 0)),
        ("He goes to the school .", (1, 0, 1)),
        ("He go school", (0, 2, 0)),
        ("school to go He .", (0, 0, 0)),
        ("", (0, 5, 0)),
    ],
)
def test_words_that_a_text_lacks_or_adds(output, expected):
    assert word_changes(SOURCE, output) == expected


def test_changes_of_two_outputs_add_up():
    assert WordChanges(1, 2, 3) + WordChanges(4, 5, 6) == (5, 7, 9)
