"""The diff that judges see: minimal in words, readable, and true to both texts."""

from collections import Counter
from collections.abc import Iterable
from itertools import accumulate, pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judgments.rules.files.text_files import read_text
from judgments.rules.texts import diff
from judgments.rules.texts.diff import Change, Piece, compare, compare_once, compare_words, effort, is_rewritten
from judgments.rules.texts.edits import derive_edits
from judgments.rules.texts.m2 import correct_sentence, read_m2
from judgments.rules.texts.token_edits import by_tokens
from judgments.rules.texts.words import clusters, tokens_of
from tests.shared_data import shared


def marked(source: str, candidate: str) -> str:
    """The pieces in one line: [-deleted], [+inserted], [old>new]."""
    signs = {
        Change.SAME: "{0.new}",
        Change.INSERTED: "[+{0.new}]",
        Change.DELETED: "[-{0.old}]",
        Change.SUBSTITUTED: "[{0.old}>{0.new}]",
    }
    return "".join(signs[piece.change].format(piece) for piece in compare(source, candidate))


@pytest.mark.parametrize(
    ("source", "candidate", "expected"),
    [
        # Words are aligned minimally.
        ("He go home .", "He goes home .", "He [go>goes] home ."),
        ("He go school .", "He goes to school .", "He [go>goes to] school ."),
        ("I like the tea .", "I like tea .", "I like[- the] tea ."),
        ("It was was good .", "It was good .", "It was[- was] good ."),
        ("same", "same", "same"),
        ("", "all new", "[+all new]"),
        ("all gone", "", "[-all gone]"),
        # A word stays whole, whatever of it is mended.
        ("the goverment", "the government", "the [goverment>government]"),
        ("he walk", "he walks", "he [walk>walks]"),
        ("one man", "one men", "one [man>men]"),
        ("definite", "indefinite", "[definite>indefinite]"),
        # A change of case is a substitution.
        ("the End", "The end", "[the>The] [End>end]"),
        ("english is", "English is", "[english>English] is"),
        # Punctuation and contractions stay readable, and a word never takes the place of a mark.
        ("I dont know", "I don't know", "I [dont>don't] know"),
        ("I do n't know", "I did n't know", "I [do>did] n't know"),
        ("the cats tail", "the cat's tail", "the [cats>cat's] tail"),
        ("Well I go", "Well, I go", "Well[+,] I go"),
        ("Go home , now", "Go home; now", "Go home[ ,>;] now"),
        ("It costs 3,5 euros", "It costs 3.5 euros", "It costs [3,5>3.5] euros"),
        ("a well known man", "a well-known man", "a [well known>well-known] man"),
        ("yes.", "yes!", "yes[.>!]"),
        ("no end", "no end.", "no end[+.]"),
        ("one , two", "one and two", "one[- ,][+ and] two"),
        # The most similar words replace each other.
        ("a goes b", "a went going b", "a [goes>went going] b"),
        # Neighbours are one phrase if they change the number of words, but not if one only mends a word.
        ("his or her dog", "their dog", "[his or her>their] dog"),
        ("they have wrote it", "they sat it", "they [have wrote>sat] it"),
        ("an importent thing", "the important things", "[an>the] [importent>important] [thing>things]"),
        ("a goverment acts", "goverments act", "[-a ][goverment>goverments] [acts>act]"),
        ("we recieve of it", "we receive it", "we [recieve>receive][- of] it"),
        # They are one if each is quite another word, if one becomes the first of a sentence, or if a word moves.
        ("it costs much now", "it makes sense now", "it [costs much>makes sense] now"),
        ("The parents give", "Parents give", "[The parents>Parents] give"),
        ("I go , and he stays", "I go . And he stays", "I go [, and>. And] he stays"),
        ("he always is here", "he is always here", "he [always is>is always] here"),
        ("he drives always fast", "he always drives fast", "he [drives always>always drives] fast"),
        ("buy and choose it", "choose and buy it", "[buy and choose>choose and buy] it"),
        ("the risk,the end", "the risk , the end", "the risk[+ ],[+ ]the end"),
        ("to his/her dog", "to their dog", "to [his/her>their] dog"),
        # They are one if they only write words together or apart.
        ("it is a lot", "it is alot", "it is [a lot>alot]"),
        ("an auto correction", "an autocorrection", "an [auto correction>autocorrection]"),
        ("我去学校，没有看见了他", "我去了学校，没有看见他", "我去[+了]学校，没有看见[-了]他"),
        # Otherwise a word between parts them, and so does a line.
        ("he go to scool", "he goes to school", "he [go>goes] to [scool>school]"),
        ("one\nsix", "red\nten", "[one>red]\n[six>ten]"),
        # Scripts without spaces are compared by characters, those written from right to left by words.
        ("我去学校", "我去了学校", "我去[+了]学校"),
        ("私わ学生です", "私は学生です", "私[わ>は]学生です"),
        ("ฉันไปโรงเรียน", "ฉันไปที่โรงเรียน", "ฉันไป[+ที่]โรงเรียน"),
        ("هذا بيت كبير", "هذه بيت كبير", "[هذا>هذه] بيت كبير"),
    ],
)
def test_changes_are_marked_as_readers_see_them(source, candidate, expected):
    assert marked(source, candidate) == expected


SIGNS = ["👩‍👩‍👧", "👩‍👩‍👦", "👍🏽", "👍🏿", "❤️", "❤️‍🔥", "1️⃣", "🇩🇪", "🇩🇰", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿",
         "e\u0301", "e\u0302\u0301", "e\u0302\u0323", "नि", "ना", "क्ष", "क्षि",
         "ที่", "ทำ", "น้ำ", "န္ဒြေ", "ខ្មែ", "مَّ", "مُ", "ی\u200c", "\u1112\u1161\u11ab", "\u1112\u1161", "ｶﾞ"]  # fmt: skip


@pytest.mark.parametrize("sign", SIGNS)
def test_grapheme_clusters_are_never_split(sign):
    pieces = compare(f"a {sign} b", "a x b")
    assert any(sign in piece.old for piece in pieces)


def test_indic_vowel_signs_belong_to_their_words():
    assert [token.text for token in tokens_of("मैं स्कूल जाता हूँ")] == ["मैं", "स्कूल", "जाता", "हूँ"]


words = st.sampled_from(
    ["a", "the", "The", "go", "goes", "goverment", "government", ",", ".", "n't", "我", "去", "👍🏽"]
)
spaces = st.sampled_from([" ", "", "  "])
written = st.lists(st.sampled_from([*SIGNS, " ", "t", "z"]), max_size=10).map("".join)
sentences = st.lists(st.tuples(spaces, words), max_size=14).map(lambda pairs: "".join(a + b for a, b in pairs))
texts = sentences | written | st.text(max_size=40)


@given(texts, texts)
@example("\u200d", "\u0301a")
def test_the_pieces_make_both_texts(source, candidate):
    pieces = compare(source, candidate)
    assert "".join(piece.old for piece in pieces) == source
    assert "".join(piece.new for piece in pieces) == candidate
    without_deleted = [piece for piece in pieces if piece.change is not Change.DELETED]
    assert "".join(piece.new for piece in without_deleted) == candidate
    without_inserted = [piece for piece in pieces if piece.change is not Change.INSERTED]
    assert "".join(piece.old for piece in without_inserted) == source


@pytest.mark.wide
@given(texts, texts)
def test_what_stays_the_same_is_one_piece_and_none_is_empty(source, candidate):
    pieces = compare(source, candidate)
    assert Piece("", "") not in pieces
    assert not any(one.change is other.change is Change.SAME for one, other in pairwise(pieces))


@pytest.mark.wide
@pytest.mark.parametrize(("file", "ours", "theirs"), [("gjg15/references", 0.79, 0.80), ("gmeg-fce/test", 0.87, 0.86)])
def test_most_edits_are_those_that_annotators_drew(file, ours, theirs):
    """The edits between the first 600 corrected sentences of two people and their sources."""
    gold = shared(f"data/{file}/gold.m2")
    drawn, derived = Counter(), Counter()
    corrected = [
        (number, sentence, annotator)
        for number, sentence in enumerate(read_m2(read_text(gold.name, gold.read_bytes()), may_overlap=True))
        for annotator in sentence.edits
        if correct_sentence(sentence, annotator) not in (None, sentence.text)
    ]
    for number, sentence, annotator in corrected[:600]:
        edits = derive_edits(sentence.text, correct_sentence(sentence, annotator))
        derived.update((number, annotator, *edit[:3]) for edit in by_tokens(sentence.text, edits))
        drawn.update((number, annotator, one.start, one.end, one.corrections[0])
                     for one in sentence.edits[annotator] if one.is_made)  # fmt: skip
    both = (drawn & derived).total()
    assert both / derived.total() == pytest.approx(ours, abs=0.02)
    assert both / drawn.total() == pytest.approx(theirs, abs=0.02)


def test_a_mended_word_has_heavier_letters_and_a_changed_one_has_not():
    for old, new, letters in (
        ("goverment", "government", [("gover", False), ("n", True), ("ment", False)]),
        ("recieve", "receive", [("rec", False), ("ei", True), ("ve", False)]),
        ("allways", "always", [("al", False), ("ways", False)]),
        ("walk", "walks", [("walks", False)]),
        (" of", "", []),
    ):
        assert Piece(old, new).letters == letters, new
    assert [Piece(" of", "").gone, Piece(" ", " of").gone, Piece(" ", "").gone] == ["of", "", " "]
    assert [Piece(",", " ").tail, Piece("a", "b ").tail, Piece("", " ").tail] == [" ", " ", ""]
    assert [Piece(",", "").is_slight, Piece(", and", ". And").is_slight, Piece(" ", "").is_space] == [True, False, True]


@pytest.mark.parametrize(
    ("source", "written", "expected"),
    [
        ("one two six ten red sea .", "a b c d e f .", True),
        ("one two six ten red sea .", "a b c ten red sea .", False),
        ("one two", "a b", False),
        ("", "one two six ten red sea", True),
    ],
)
def test_where_most_is_another_a_sentence_is_rewritten(source, written, expected):
    assert is_rewritten(compare(source, written)) is expected


@given(texts)
def test_a_text_is_the_same_as_itself(text):
    assert compare(text, text) == ((Piece(text, text),) if text else ())


@given(texts, texts)
def test_the_other_way_round_as_many_words_change(source, candidate):
    def edits(one: str, other: str) -> int:
        return sum(len(tokens_of((p.old + p.new).strip())) for p in compare(one, other) if p.change is not Change.SAME)

    assert (edits(source, candidate) == 0) == (edits(candidate, source) == 0)


def ends(parts: Iterable[str]) -> set[int]:
    """Where each part of a text ends."""
    return set(accumulate(map(len, parts)))


@given(texts, texts)
def test_a_mark_never_goes_through_what_readers_see_as_one_character(source, candidate):
    pieces = compare(source, candidate)
    assert ends(piece.old for piece in pieces) <= {0} | ends(clusters(source))
    assert ends(piece.new for piece in pieces) <= {0} | ends(clusters(candidate))


def levenshtein(old: list[str], new: list[str]) -> int:
    """The fewest insertions, deletions and replacements, the plain way."""
    row = list(range(len(new) + 1))
    for number, word in enumerate(old, 1):
        left = [number]
        for place, other in enumerate(new, 1):
            left.append(min(left[-1] + 1, row[place] + 1, row[place - 1] + (word != other)))
        row = left
    return row[-1]


plain = st.lists(st.sampled_from(["one", "two", "six", "ten", "red", "sea"]), max_size=9)


@given(plain, plain)
def test_no_alignment_changes_fewer_words(old, new):
    changed = 0
    for piece in compare_words(" ".join(old), " ".join(new)):
        if piece.change is not Change.SAME:
            changed += max(len(piece.old.split()), len(piece.new.split()))
    assert changed == levenshtein(old, new)


@pytest.mark.wide
def test_long_texts_are_compared_at_words_that_stand_once():
    """The plain way would look at a hundred million pairs."""
    old = [f"word{number}" for number in range(10_000)]
    new = ["a", *old[:5000], "new", *old[5001:], "z"]
    pieces = compare(" ".join(old), " ".join(new))
    assert [(piece.old.strip(), piece.new.strip()) for piece in pieces if piece.change is not Change.SAME] == [
        ("", "a"), ("word5000", "new"), ("", "z"),
    ]  # fmt: skip


def makes(old: str, new: str) -> bool:
    pieces = compare(old, new)
    return ("".join(piece.old for piece in pieces), "".join(piece.new for piece in pieces)) == (old, new)


def test_long_texts_without_words_that_stand_once_are_replaced_whole_with_the_effort_that_is_counted():
    assert makes("one two " * 1000, "two one " * 1000)
    assert effort("a cat sat", "a dog sits") == 32 * (19 + 2 * 2) + 2 * 6 + 2 * 7
    assert effort("a cat", "a cat") == 32 * 10


@given(st.lists(st.sampled_from("abcdefghij")), st.lists(st.sampled_from("abcdefghij")))
def test_parts_of_long_texts_make_both(old, new):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(diff, "MOST_CELLS", 2)
        assert makes(" ".join(old), " ".join(new))


def test_comparisons_made_once_are_not_cached():
    """What judges write comes in endless variety; only texts that come again are worth the room."""
    source, written = "He go school .", "He goes to school ."
    pieces = compare(source, written)
    before = compare.cache_info().currsize, tokens_of.cache_info().currsize
    for number in range(5):
        compare_once(source, f"{written} {number}")
    assert (compare.cache_info().currsize, tokens_of.cache_info().currsize) == before
    assert compare_once(source, written) == pieces
