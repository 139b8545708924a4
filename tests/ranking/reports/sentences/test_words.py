"""Changed words, counted."""

import pytest

from ranking.reports.sentences.pairs import word_changes

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
    assert tuple(word_changes(SOURCE, output).values()) == expected
