"""ERRANT outside English: with the language's own parser if one is installed, and kinds by parts of speech."""

import pytest

from ranking.metrics import errant_parser
from ranking.metrics.errant import Errant
from ranking.metrics.errant_edits import extractor
from ranking.metrics.material import Candidates, Material, MetricError

# Word, part of speech and lemma, as a parser would find them.
WORDS = """das/DET/der der/DET/der die/DET/der Haus/NOUN/Haus haus/NOUN/Haus Häuser/NOUN/Haus Hund/NOUN/Hund
ist/AUX/sein sind/AUX/sein bellt/VERB/bellen groß/ADJ/groß in/ADP/in auf/ADP/auf sehr/ADV/sehr ./PUNCT/."""


@pytest.fixture
def german(tmp_path, monkeypatch):
    """A parser that looks words up."""
    spacy = pytest.importorskip("spacy")
    model = spacy.blank("de")
    rules = model.add_pipe("attribute_ruler")
    for word, part, lemma in (entry.split("/") for entry in WORDS.split()):
        rules.add([[{"ORTH": word}]], {"POS": part, "LEMMA": lemma})
    model.to_disk(tmp_path / "de_toy")
    monkeypatch.setattr(
        errant_parser, "models_of", lambda language: [str(tmp_path / "de_toy")] if language == "de" else []
    )
    extractor.cache_clear()
    yield
    extractor.cache_clear()


@pytest.mark.long  # to load the parser takes seconds
@pytest.mark.parametrize(
    ("source", "text", "kinds"),
    [
        ("das Haus sind groß", "das Haus ist groß", ["R:MORPH"]),
        ("Hund bellt .", "der Hund bellt", ["M:DET", "U:PUNCT"]),
        ("das haus ist in .", "das Haus ist auf .", ["R:ORTH", "R:PREP"]),
        ("das Haus groß ist", "das Haus ist groß", ["R:WO"]),
        ("der Hund bellt", "der Hund ist sehr bellt", ["M:OTHER"]),
        ("die Haus", "das Hund", ["R:MORPH", "R:NOUN"]),
    ],
)
def test_kinds_by_parts_of_speech(german, source, text, kinds):
    assert [edit.kind for edit in extractor("de").edits([(source, text)])[source, text]] == kinds


@pytest.mark.long
def test_scores_and_signature_name_the_language(german):
    material = Material.of_texts(["das Haus sind groß ."], [["das Haus ist groß ."]])
    candidates = Candidates.of([["das Haus ist groß ."], ["der Haus sind groß ."]])
    metric = Errant(language="de")
    counts = metric.count(material, candidates)
    assert metric.of_systems(counts, candidates.chosen)["ERRANT F0.5"].tolist() == [1, 0]
    assert "|errant:" in metric.signature(material), "its rules join steps to edits in every language"
    assert "|spacy:" in metric.signature(material)


def test_a_language_without_a_parser_is_refused_and_the_smallest_model_comes_first(monkeypatch):
    material = Material.of_texts(["A ."], [["A ."]])
    with pytest.raises(
        MetricError, match=r"no parser of the language 'xx' here for ERRANT\. Install the packages errant"
    ):
        Errant(language="xx").signature(material)
    with pytest.raises(MetricError, match="a code of two or three letters, such as de, not 'german'"):
        Errant(language="german")
    installed = [type("Model", (), {"name": name}) for name in ("de_core_lg", "de_core_sm", "fr_core_sm", "de_own")]
    monkeypatch.setattr(errant_parser, "entry_points", lambda group: installed)
    assert errant_parser.models_of("de") == ["de_core_sm", "de_core_lg", "de_own"]
