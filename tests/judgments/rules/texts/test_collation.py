"""What versions share, and how they read where they differ."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgments.rules.texts.collation import Stretch, collate
from judgments.rules.texts.diff import compare


def read(stretch: Stretch, place: int) -> str:
    """The text of one version in a stretch."""
    reading = stretch.readings[place] if stretch.readings else ()
    return "".join(piece.new for piece in reading) if reading else stretch.old


def shown(source: str, *versions: str) -> str:
    """Stretches in one line: shared words as they are, others as [old: reading | reading]."""
    parts = []
    for stretch in collate(source, [compare(source, version) for version in versions]):
        readings = [read(stretch, place) for place in range(len(stretch.readings))]
        parts.append(f"[{stretch.old}:{'|'.join(readings)}]" if readings else stretch.old)
    return "".join(parts)


@pytest.mark.parametrize(
    ("source", "versions", "expected"),
    [
        ("He go home .", ["He goes home .", "He went home ."], "He [go:goes|went] home ."),
        ("He go home .", ["He go home ."], "He go home ."),
        ("I like tea .", ["I like the tea .", "I like tea ."], "I [like tea:like the tea|like tea] ."),
        (
            "They use it and go .",
            ["They use it , and go on .", "They went ."],
            "They [use it and go:use it , and go on|went] .",
        ),
        ("It was a big the dog", ["It was a dog", "It was the dog"], "It was[ a big the: a| the] dog"),
        ("I have went", ["I had went", "I have gone"], "I [have went:had went|have gone]"),
        ("I recieve it", ["I receive it", "I get it"], "I [recieve:receive|get] it"),
        ("I recieve it", ["I receive it"], "I [recieve:receive] it"),
        ("", ["new", ""], "[:new|]"),
    ],
)
def test_versions_stand_under_each_other_where_they_differ(source, versions, expected):
    assert shown(source, *versions) == expected


TEXTS = st.lists(st.sampled_from(["the", "fox", "ran", "runs", ",", "recieve", "receive", "犬", "🦊", "."])).map(
    " ".join
)


@pytest.mark.wide
@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=5))
def test_stretches_make_up_the_source_and_every_version(source, versions):
    stretches = collate(source, [compare(source, version) for version in versions])
    assert "".join(stretch.old for stretch in stretches) == source
    for place, version in enumerate(versions):
        assert "".join(read(stretch, place) for stretch in stretches) == version
    for stretch in stretches:
        assert not stretch.readings or any(stretch.readings)
