"""Tables that are sorted by their heads: by mouse and keyboard, numbers as numbers, what is blank last."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page, expect

from judgments.models import Membership, System
from tests import factory

NAMES = {f"System-{number}": factory.SYSTEMS["Heron"] for number in (10, 2, 1)}
MANY = 1000


@pytest.fixture
def signed_in(page, sign_in, transactional_db) -> Page:
    sign_in(User.objects.create_superuser("operator"))
    return page


@pytest.fixture
def judges(signed_in, campaign) -> Page:
    """The board, on which Ada has judged more than Ben and Cleo nothing."""
    ada, ben, _ = (factory.judge(campaign, name) for name in ("ada", "ben", "Cleo"))
    assert len(factory.judge_batch(ben)) < len(factory.answer_all(ada))
    signed_in.goto(reverse("board", args=[campaign.slug]))
    return signed_in


def column(page: Page, number: int) -> list[str]:
    return page.locator(f"table.sortable tbody tr > :nth-child({number})").all_inner_texts()


def head(page: Page, name: str):
    return page.get_by_role("columnheader", name=name)


def test_names_with_numbers_stand_as_people_count(signed_in):
    campaign = factory.make_campaign({"source": factory.SOURCE, **NAMES})
    signed_in.goto(reverse("material", args=[campaign.slug]))
    button = signed_in.get_by_role("button", name="Name", exact=True)
    button.click()
    assert column(signed_in, 1) == ["source", "System-1", "System-2", "System-10"]
    expect(head(signed_in, "Name")).to_have_attribute("aria-sort", "ascending")
    button.click()
    assert column(signed_in, 1) == ["System-10", "System-2", "System-1", "source"]
    expect(head(signed_in, "Name")).to_have_attribute("aria-sort", "descending")


@pytest.mark.walk
def test_the_keyboard_sorts_and_stays_where_it_was(judges):
    button = judges.get_by_role("button", name="Screens", exact=True)
    button.focus()
    for key, order in (("Enter", "ascending"), (" ", "descending")):
        judges.keyboard.press(key)
        numbers = [int(text) for text in column(judges, 2)]
        assert numbers == sorted(numbers, reverse=order == "descending")
        expect(head(judges, "Screens")).to_have_attribute("aria-sort", order)
        expect(button).to_be_focused()
    judges.get_by_role("button", name="Judge", exact=True).click()
    assert judges.locator("[aria-sort]").count() == 1
    assert [name.lower() for name in column(judges, 1)] == ["ada", "ben", "cleo"]


def test_rows_that_are_alike_keep_their_order_blanks_are_last_and_a_reload_forgets_it(judges):
    before = column(judges, 1)
    judges.get_by_role("button", name="Judge", exact=True).click()
    judges.get_by_role("button", name="Judge", exact=True).click()
    assert column(judges, 1) != before
    judges.reload()
    assert column(judges, 1) == before
    judges.get_by_role("button", name="Judge", exact=True).click()
    judges.get_by_role("button", name="Judge", exact=True).click()
    judges.get_by_role("button", name="Batches", exact=True).click()
    names = dict.fromkeys(column(judges, 3))
    for number in names:
        alike = [who for who, batches in zip(column(judges, 1), column(judges, 3), strict=True) if batches == number]
        assert alike == sorted(alike, key=str.lower, reverse=True)
    button = judges.get_by_role("button", name="Last judgment")
    stamps = "[...document.querySelectorAll('.when')].map((cell) => cell.dataset.value)"
    for direction in (1, -1):
        button.click()
        *known, last = judges.evaluate(stamps)
        assert last == ""
        assert [int(stamp) for stamp in known] == sorted(map(int, known), reverse=direction < 0)
        assert column(judges, 1)[-1] == "Cleo"


def test_single_rows_have_nothing_to_sort_and_a_thousand_are_sorted(signed_in, campaign):
    factory.judge(campaign, "judge 0")
    signed_in.goto(reverse("board", args=[campaign.slug]))
    expect(head(signed_in, "Screens")).to_be_visible()
    assert signed_in.locator("thead button").count() == 0
    Membership.objects.bulk_create(
        Membership(campaign=campaign, role=Membership.Role.JUDGE, pseudonym=f"judge {number * 7919 % MANY}")
        for number in range(1, MANY)
    )
    signed_in.goto(reverse("board", args=[campaign.slug]))
    signed_in.get_by_role("button", name="Judge", exact=True).click()
    assert column(signed_in, 1) == [f"judge {number}" for number in range(MANY)]


def test_the_first_column_stays_in_view_on_a_phone(signed_in):
    names = {f"A-system-with-a-long-name-of-many-syllables-{number}": factory.SYSTEMS["Heron"] for number in range(3)}
    campaign = factory.make_campaign({"source": factory.SOURCE, **names})
    System.objects.filter(campaign=campaign, kind="system").update(takes_part=False)
    signed_in.set_viewport_size({"width": 360, "height": 700})
    signed_in.goto(reverse("material", args=[campaign.slug]))
    table = signed_in.get_by_role("group", name="Systems")
    table.evaluate("(box) => { box.scrollLeft = 1000; }")
    assert table.evaluate("(box) => box.scrollLeft") > 0
    names = table.locator("tbody th").first
    assert names.bounding_box()["x"] == table.bounding_box()["x"]
