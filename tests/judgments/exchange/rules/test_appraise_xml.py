"""Appraise's results: rankings in their order with their lines, or problems; never more than the file itself."""

import tracemalloc
from collections import Counter
from xml.sax.saxutils import quoteattr

import pytest

from judgments.exchange.importers.rules.rankings import read_appraise_xml
from judgments.exchange.importers.rules.recorded import RecordedGroup, RecordedJudgment
from tests import published
from tests.judgments.rules.refusals import complaints

TOY = """\
<?xml version="1.0" encoding="UTF-8"?>
<appraise-results>
<error-correction-ranking-result id="x" source-language="err" target-language="cor">
  <translation rank="1" system="A"/>
  <ranking-item doc-id="10000.0.txt-0" duration="00:01:07.524000" id="0" src-id="135" user="ada">
    <source>One .</source>
    <translation rank="3" system="CAMB"/>
    <translation rank="1" system=" A,B + C "/><comment/>
  </ranking-item>
  <ranking-item doc-id="10000.0.txt-1" id="12" user="ben" skipped="true"/>
</error-correction-ranking-result>
</appraise-results>
"""
GROUP = '<translation rank="1" system="A"/>'


def read(text: str | bytes) -> list[RecordedJudgment]:
    return read_appraise_xml("judgments.xml", text.encode() if isinstance(text, str) else text)


def problems(text: str | bytes) -> list[str]:
    return complaints(read, text)


def item(groups: str = GROUP, **attributes: str) -> str:
    fields = {"user": "ada", "src-id": "1"} | {name.replace("_", "-"): value for name, value in attributes.items()}
    written = " ".join(f"{name}={quoteattr(value)}" for name, value in fields.items())
    return f"<ranking-item {written}>{groups}</ranking-item>"


def wrapped(*items: str) -> str:
    return "<r>\n" + "\n".join(items) + "\n</r>"


def test_rankings_keep_the_order_and_the_separators_of_the_file_and_pass_over_what_else_is_there():
    """Without a source number the item's number counts."""
    assert read(TOY) == [
        RecordedJudgment(
            5, "ada", 135, (RecordedGroup("CAMB", 3), RecordedGroup("A,B + C", 1)), 67.524, "10000.0.txt-0:0"
        ),
        RecordedJudgment(10, "ben", 12, (), None, "10000.0.txt-1:12"),
    ]


@pytest.mark.parametrize(
    ("skipped", "groups"), [*[(true, ()) for true in ("true", "True", "TRUE")], ("false", (RecordedGroup("A", 1),))]
)
def test_a_skipped_ranking_has_no_groups_even_if_ranks_are_given(skipped, groups):
    (ranking,) = read(wrapped(item(skipped=skipped)))
    assert (ranking.is_skipped, ranking.groups) == (not groups, groups)


@pytest.mark.parametrize(
    ("duration", "seconds"),
    [
        ("00:00:00", 0), ("00:01:07.524000", 67.524), ("12:00:01", 43201), ("", None), ("67", None), ("1:2:3", None),
        ("9" * 400 + ":00:00", None), ("1" * 5000 + ":00:00", None),
    ],
)  # fmt: skip
def test_durations_are_seconds(duration, seconds):
    assert read(wrapped(item(duration=duration)))[0].seconds == seconds


def test_what_lacks_in_items_is_reported_with_its_line_many_in_eleven_sentences():
    lacking = "a ranking-item needs a user and a whole number as src-id (or id)"
    wrong = [item(user=" "), item(src_id="x"), item(src_id="-1"), item(src_id=""), item(src_id="1" * 5000)]
    assert problems(wrapped(item(), *wrong)) == [f"judgments.xml, line {line}: {lacking}" for line in range(3, 8)]
    assert problems(wrapped(item(), item(""))) == [
        "judgments.xml, line 3: a ranking-item that is not skipped ranks nothing"
    ]
    assert problems("<r/>") == ["judgments.xml: contains no ranking (no <ranking-item> element)"]
    sentences = problems(wrapped(*[item(user="")] * 30))
    assert len(sentences) == 11
    assert sentences[-1] == "judgments.xml: and 20 more like these"


@pytest.mark.parametrize(
    ("systems", "rank"),
    [("", "1"), (" ", "1"), ("A", ""), ("A", "0"), ("A", "-1"), ("A", "1.5"), ("A", "1" * 5000)],
)
def test_a_system_without_name_or_rank_is_reported_with_its_line(systems, rank):
    groups = f'\n{GROUP}\n<translation rank="{rank}" system="{systems}"/>'
    assert problems(wrapped(item(groups))) == [
        "judgments.xml, line 4: a translation needs a system and a rank of 1 or more, not "
        f"{systems!r} and {rank[:20]!r}"
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [("", 1), ("no XML", 1), (wrapped(item(), "<b>"), 4), (wrapped(item(), item(user="R&D").replace("&amp;", "&")), 3)],
)
def test_malformed_xml_is_reported_with_its_line(text, line):
    *_, sentence = problems(text)
    assert sentence.startswith(f"judgments.xml, line {line}: is not well-formed XML: ")


@pytest.mark.parametrize(
    "declared",
    [
        "<!DOCTYPE r>",
        "<!DOCTYPE r [<!ELEMENT r ANY>]>",
        '<!DOCTYPE r [<!ENTITY a "A">]>',
        '<!DOCTYPE r SYSTEM "results.dtd">',
        '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE r [<!ENTITY % a SYSTEM "results.dtd"> %a;]>',
    ],
)
def test_document_types_and_entities_are_refused(declared):
    (sentence,) = problems(declared + wrapped(item()))
    assert sentence.startswith("judgments.xml: declares a document type or entities, which is not accepted (")


def test_an_entity_bomb_is_refused_before_it_grows():
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))
    bomb = f'<!DOCTYPE r [<!ENTITY a0 "bomb">{entities}]>' + wrapped(item('<translation rank="1" system="&a9;"/>'))
    tracemalloc.start()
    try:
        assert len(problems(bomb)) == 1
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2**22


@pytest.mark.parametrize(
    "encoding", ["nonsense", "gbk", "shift_jis", "rot13", "idna", "utf-7", "utf-8", "utf-16", "iso-8859-1"]
)
def test_the_encodings_of_xml_are_read_and_others_reported(encoding):
    text = f'<?xml version="1.0" encoding="{encoding}"?>' + wrapped(item(user="Zoë"))
    if encoding in ("utf-8", "utf-16", "iso-8859-1"):
        assert read(text.encode(encoding))[0].judge == "Zoë"
    else:
        (sentence,) = problems(text)
        assert sentence.startswith("judgments.xml")


def test_the_published_file_holds_what_the_paper_says():
    rankings = published.rankings()
    golden = published.golden()
    assert len(rankings) == golden["paper"]["table1"]["total"][0]
    assert sorted({ranking.judge for ranking in rankings}) == golden["judges"]
    assert len({ranking.about for ranking in rankings}) == 663
    assert sum(ranking.is_skipped for ranking in rankings) == 13
    assert sum(len(ranking.groups) for ranking in rankings) == 10768
    sizes = Counter(str(len(ranking.groups)) for ranking in rankings)
    assert sizes == golden["table1_extra"]["rankings_by_number_of_outputs"]
    assert all(ranking.seconds is not None and ranking.seconds >= 0 for ranking in rankings)
    assert len({ranking.line for ranking in rankings}) == len(rankings)
