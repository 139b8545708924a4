"""Judging is fast on any machine: constant numbers of queries, a claim that reads little, a light page."""

import gzip
import re
from os.path import normpath
from pathlib import Path
from uuid import uuid4

import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse

from judgments.assignment import claiming
from judgments.models import Assignment
from tests import factory

LIGHT = 60_000
PARTS = re.compile(r'(?:href|src)="/static/([^"]+)"')
MODULES = re.compile(r'from "(\.\.?/[^"]+)"')
HOST = re.compile(r"(?:https?:)?//[\w-]+\.[\w.-]+")


def larger(size: int) -> dict[str, list[str]]:
    """The texts of the tests, several times over."""
    return {name: lines * size for name, lines in {"source": factory.SOURCE, **factory.SYSTEMS}.items()}


@pytest.fixture(scope="module", params=[1, 3], ids=["small", "larger"])
def begun(request, lasting) -> int:
    """An assignment in the middle of a batch, in campaigns of two sizes, one of them much judged already."""
    with lasting():
        campaign = factory.open_campaign(larger(request.param), redundancy=request.param + 1)
        for number in range(1, request.param):
            factory.judge_all(factory.judge(campaign, f"earlier {number}"))
        judge = factory.judge(campaign, "ada")
        factory.answer(claiming.claim_next(judge))
        return claiming.claim_next(judge).pk


@pytest.fixture
def assignment(begun, db) -> Assignment:
    return Assignment.objects.get(pk=begun)


@pytest.fixture
def client(assignment, browser_of):
    return browser_of(assignment.judge.user)


def filled(assignment: Assignment) -> dict[str, str]:
    """What the form of an assignment sends."""
    places = range(1, len(assignment.order) + 1)
    return {"key": str(uuid4()), "active": "8.0"} | {f"rank_{place}": str(place) for place in places}


def test_a_screen_asks_a_fixed_number_of_questions(assignment, client, django_assert_num_queries):
    screen, ahead, draft = (reverse(name, args=[assignment.pk]) for name in ("assignment", "next_assignment", "draft"))
    for queries in (12, 9):  # what is left is counted once a minute
        with django_assert_num_queries(queries):
            assert client.get(screen).status_code == 200
    for _ in ("first", "again"):
        with django_assert_num_queries(8):
            assert client.post(draft, filled(assignment)).status_code == 200
    with django_assert_num_queries(9):
        assert client.post(ahead).status_code == 302


@pytest.mark.parametrize(("accepted", "queries", "status"), [("application/json", 11, 200), ("*/*", 14, 302)])
def test_an_answer_asks_a_fixed_number_too(assignment, client, django_assert_num_queries, accepted, queries, status):
    address, fields = reverse("assignment", args=[assignment.pk]), filled(assignment)
    with django_assert_num_queries(queries):
        answer = client.post(address, fields, headers={"accept": accepted})
    assert (answer.status_code, answer.get("Location") != address) == (status, True)


def modules(name: str) -> set[str]:
    """A module and all that it imports."""
    text = Path(finders.find(f"js/{name}")).read_text(encoding="utf-8")
    return {name}.union(*(modules(normpath(Path(name).parent / other)) for other in MODULES.findall(text)))


def test_the_page_of_a_screen_is_light_and_needs_no_other_host(db, browser_of):
    words = " ".join(["However , I think that informations about genetic risks should be told the family ."] * 4)
    lines = {name: [f"{words} {line}" for line in texts] for name, texts in larger(4).items()}
    judge = factory.judge(factory.open_campaign(lines), "ada")
    page = browser_of(judge.user).get(reverse("assignment", args=[claiming.claim_next(judge).pk])).content.decode()
    parts = set(PARTS.findall(page))
    parts |= {f"js/{module}" for part in parts if part.startswith("js/") for module in modules(part[3:])}
    assert {
        "css/house.css",
        "css/assignment.css",
        "js/judging.js",
        "protocols/ranking/screen.js",
        "js/draft.js",
    } <= parts
    texts = [page, *(Path(finders.find(part)).read_text(encoding="utf-8") for part in parts)]
    assert sum(len(gzip.compress(text.encode())) for text in texts) < LIGHT
    assert not [found for text in texts for found in HOST.findall(text)]
