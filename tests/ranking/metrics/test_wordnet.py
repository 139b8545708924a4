"""Synonyms from database files."""

from pathlib import Path

import pytest

from ranking.metrics.material import MetricError
from ranking.metrics.wordnet import DEBIAN, FILES, WordNet, installed_wordnet

LICENCE = "  1 This software and database is being provided to you under a licence. WordNet 3.0 Copyright 2006\n"
NOUNS = [("big_cat", "cat", "Felis"), ("wolf",), ("man", "adult_male", "bloke")]
VERBS = [("go", "travel", "move"), ("go", "leave"), ("make",)]
ADJECTIVES = [("large(a)", "big"), ("nice",)]


def write_part(folder: Path, part: str, synsets: list[tuple[str, ...]], forms: str = "") -> None:
    data, offsets = LICENCE, {}
    for words in synsets:
        for word in words:
            offsets.setdefault(word.partition("(")[0].lower(), []).append(f"{len(data):08}")
        listed = " ".join(f"{word} 0" for word in words)
        data += f"{len(data):08} 03 n {len(words):02x} {listed} 000 | what it means  \n"
    (folder / f"data.{part}").write_text(data)
    index = "".join(f"{word} n {len(at)} 1 @ {len(at)} 0 {' '.join(at)}  \n" for word, at in sorted(offsets.items()))
    (folder / f"index.{part}").write_text(LICENCE + index)
    (folder / f"{part}.exc").write_text(forms)


def write_wordnet(folder: Path) -> Path:
    write_part(folder, "noun", NOUNS, "men man\n")
    write_part(folder, "verb", VERBS, "went go\n")
    write_part(folder, "adj", ADJECTIVES)
    write_part(folder, "adv", [])
    return folder


@pytest.mark.parametrize(
    ("word", "wanted"),
    [("cat", {"cat", "Felis"}), ("cats", {"cat", "Felis"}), ("wolves", {"wolf"}), ("men", {"man", "bloke"}),
     ("went", {"go", "travel", "move", "leave"}), ("going", {"go", "travel", "move", "leave"}),
     ("making", {"make"}), ("large", {"large", "big"}), ("nicest", {"nice"}), ("unknown", set()), ("", set())],
)  # fmt: skip
def test_synonyms_of_all_senses_and_of_base_forms(tmp_path, word, wanted):
    assert WordNet(write_wordnet(tmp_path)).synonyms(word) == wanted


def test_its_version_is_known_and_a_missing_file_named(tmp_path):
    assert WordNet(write_wordnet(tmp_path)).version == "3.0"
    (tmp_path / "verb.exc").unlink()
    with pytest.raises(MetricError, match=r"verb\.exc is not in .*; give the folder"):
        WordNet(tmp_path)


def test_it_is_taken_from_debian_where_that_has_it(tmp_path, monkeypatch):
    monkeypatch.setattr("ranking.metrics.wordnet.DEBIAN", tmp_path)
    assert installed_wordnet() is None
    write_wordnet(tmp_path)
    assert installed_wordnet() == tmp_path


@pytest.mark.skipif(not all((DEBIAN / name).exists() for name in FILES), reason="wordnet-base is not installed")
def test_the_real_one_has_synonyms():
    assert {"buy", "purchase"} <= WordNet(DEBIAN).synonyms("bought")
