"""Names and mail addresses as they are pasted."""

import pytest

from judgments.judges.rules.guests import Guest, free_name, guest_of, pasted_words, with_free_names


def test_words_are_parted_by_lines_commas_and_semicolons():
    pasted = "ada, ben;\r\n  carl  the  great \n\nada\nx@example.org"
    assert pasted_words(pasted) == ["ada", "ben", "carl the great", "x@example.org"]


@pytest.mark.parametrize(
    ("word", "guest"),
    [
        ("ada", Guest("ada")),
        ("Ada@Example.org", Guest("ada", "ada@example.org")),
        ("Ada Lovelace <ada.l@example.org>", Guest("ada.l", "ada.l@example.org")),
        ("ada@home", Guest("ada@home")),
        (" a  b ", Guest("a b")),
    ],
)
def test_an_address_is_known_by_its_look(word, guest):
    assert guest_of(word) == guest


def test_the_toy_of_free_names():
    assert free_name("ada", {"ada", "ada-2"}) == "ada-3"
    assert free_name("x" * 90, {"x" * 80}) == "x" * 78 + "-2"
    # Names written out stay, and those of addresses give way.
    guests = [guest_of(word) for word in ("ada@a.org", "ada@b.org", "ada", "ben@a.org")]
    assert [guest.name for guest in with_free_names(guests, ["ben"])] == ["ada-2", "ada-3", "ada", "ben-2"]
