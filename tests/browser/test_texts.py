"""Sentences of many scripts and lengths: marks that are true to both texts, and that fit."""

from itertools import accumulate

import pytest

from judgments.rules.texts.words import clusters
from tests import factory
from tests.browser.entrance import join

LONG = "The fox which live behind the house can speak with peoples and know the name of every tree ; " * 11
WITH_EDITS = LONG.replace("peoples", "people", 3).replace("live", "lives", 2).replace("name of", "very long name of", 1)

TEXTS = {
    "Japanese": ("ja", "私わ映画を見に行きましたが、面白いでした。", "私は、映画を見に行きましたが、面白かったです。"),
    "Chinese": ("zh", "我昨天去学校，可是没有看见了老师。", "我昨天去了学校，可是没有看见老师。"),
    "emoji": ("en", "I loves 👩‍👩‍👧 and 🇩🇪 flag 👍🏽 ❤️‍🔥 !", "I love 👩‍👩‍👦 and the 🇩🇰 flag 👍🏿 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️ !"),
    "Hindi": ("hi", "मैं कल स्कूल गया क्योंकी मुझे अध्यापक से मिलना था ।", "मैं कल स्कूल गई क्योंकि मुझे अध्यापिका से मिलना था ।"),
    "decomposed Vietnamese": ("vi", "đi ho\u0323c o\u031b\u0309 trươ\u0300ng", "đi ho\u0323c ơ\u0309 trươ\u0301ng"),
    "Thai": ("th", "ฉันไปโรงเรียนและทำงาน", "ฉันไปที่โรงเรียนและทํางาน"),
    "decomposed Korean": ("ko", "\u1112\u1161\u11ab\u1100\u1173\u11af", "\u1112\u1161\u1102\u1100\u1173\u11af"),
    "Arabic": ("ar", "ذَهَبْتُ الى المدرسه مع Peter و iPhone 12 .", "ذَهَبَتْ إلى المدرسة مع Peter Smith و iPhone 13 ."),
    "Persian": ("fa", "من می\u200cخواهم کتاب ها بخوانم .", "من می\u200cخواهم کتاب\u200cها را بخوانم ."),
    "200 words": ("en", LONG.strip(), WITH_EDITS.strip()),
    "one long word": ("de", "Donaudampfschifffahrtsgesellschaft" * 6, "Donaudampfschiffahrtsgesellschaft" * 6),
}  # fmt: skip

# The texts of a sentence's pieces, without the elements of one kind.
PIECES = """(sentence, without) => {
    const copy = sentence.cloneNode(true);
    copy.querySelectorAll(without).forEach((element) => element.remove());
    const walker = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode.data);
    return texts;
}"""

STICKING_OUT = """edit => {
    const old = edit.querySelector("del").getBoundingClientRect();
    const card = edit.closest(".candidate").getBoundingClientRect();
    return Math.max(card.left - old.left, old.right - card.right);
}"""

NEXT_FRAME = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def ends(parts: list[str]) -> set[int]:
    return set(accumulate(map(len, parts)))


SHORT = {"Japanese", "emoji", "Arabic", "200 words"}


@pytest.fixture(params=[name if name in SHORT else pytest.param(name, marks=pytest.mark.long) for name in TEXTS])
def texts(request) -> tuple[str, str, str]:
    return TEXTS[request.param]


@pytest.fixture
def sentence(page, transactional_db, texts):
    language, source, candidate = texts
    join(page, factory.open_campaign({"source": [source], "Heron": [candidate]}, language=language))
    return page.locator(".candidate .sentence", has=page.locator("ins, del"))


def test_marks_are_true_to_both_texts_can_be_seen_and_fit(page, sentence, texts):
    language, source, candidate = texts
    assert sentence.get_attribute("lang") == language
    for without, expected in (("del", candidate), ("ins", source)):
        pieces = sentence.locator("[aria-hidden]").evaluate(PIECES, without)
        text = "".join(pieces)
        assert " ".join(text.split()) == " ".join(expected.split())
        assert ends(pieces) <= ends(list(clusters(text))), "a mark goes through a character"
    lines = sentence.locator("ins").evaluate_all("marks => marks.map((m) => getComputedStyle(m).textDecorationLine)")
    assert set(lines) <= {"underline"}
    lines = sentence.locator("del").evaluate_all("marks => marks.map((m) => getComputedStyle(m).textDecorationLine)")
    # A stroke through a character makes another one, so Chinese and Japanese have brackets.
    assert set(lines) <= {"none" if language in ("zh", "ja") else "line-through"}
    edits = sentence.locator(".edit:has(del)")
    for width in (360, 768, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        for place in range(min(edits.count(), 8)):
            assert edits.nth(place).evaluate(STICKING_OUT) < 1, f"an old word leaves its card at {width}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_sentence_from_right_to_left_begins_at_the_right_edge(page, transactional_db):
    campaign = factory.open_campaign({"source": ["هذا بيت كبير ."], "Heron": ["هذا بيتٌ كبير ."]}, language="ar")
    join(page, campaign)
    page.set_viewport_size({"width": 360, "height": 800})
    for selector in (".near", ".candidate"):
        edge, right = page.locator(selector).first.evaluate(
            "box => [box, box.querySelector('.sentence')].map((element) => element.getBoundingClientRect().right)"
        )
        assert edge - right == pytest.approx(8, abs=1)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.evaluate(NEXT_FRAME)  # the script that aligns the source is told of the new size after the layout
    control, right = page.locator(".candidate").first.evaluate(
        "row => [row.querySelector('fieldset').getBoundingClientRect().left,"
        " row.querySelector('.sentence').getBoundingClientRect().right]"
    )
    assert control - right == pytest.approx(12, abs=1)
    source = page.locator(".near .source").evaluate("source => source.getBoundingClientRect().right")
    assert source == pytest.approx(right, abs=1)
