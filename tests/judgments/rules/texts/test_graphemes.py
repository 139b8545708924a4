"""What readers see as one character stays one, in every script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.texts.words import clusters


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("abc", "a b c"),
        ("e\u0301a\u0304\u0323", "e\u0301 a\u0304\u0323"),
        ("👩‍👩‍👧👍🏽❤️‍🔥1️⃣", "👩‍👩‍👧 👍🏽 ❤️‍🔥 1️⃣"),
        ("🇩🇪🇩🇰🇫", "🇩🇪 🇩🇰 🇫"),
        ("🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿"),
        ("नमस्तेक्षत्रिय", "न म स्ते क्ष त्रि य"),
        ("তক্ষ", "ত ক্ষ"),
        ("தமிழ்நாடு", "த மி ழ் நா டு"),
        ("น้ำทำที่", "น้ำ ทำ ที่"),
        ("မြန်မာန္ဒြေ", "မြ န် မာ န္ဒြေ"),
        ("ខ្មែរ", "ខ្មែ រ"),
        ("مُحَمَّد", "مُ حَ مَّ د"),
        ("می\u200cخواهم", "م ی\u200c خ و ا ه م"),
        ("\u1112\u1161\u11ab\u1100\u116e\u11a8", "\u1112\u1161\u11ab \u1100\u116e\u11a8"),
        ("가\u11a8각\u11a8나", "가\u11a8 각\u11a8 나"),
        ("ｶﾞｷﾞ", "ｶﾞ ｷﾞ"),
    ],
)
def test_marks_stay_with_their_letters(text, expected):
    assert list(clusters(text)) == expected.split(" ")


def test_white_space_takes_no_marks():
    assert list(clusters(" \u0301a")) == [" ", "\u0301", "a"]


@given(st.text(max_size=40))
def test_they_make_the_text(text):
    assert "".join(clusters(text)) == text
