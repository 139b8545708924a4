"""The guides of docs/ as pages."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from judgments.web.views.help import NAMES


def article(name: str) -> str:
    page = Client().get(reverse("guide", args=[name])).content.decode()
    return page[page.index("<article") : page.index("</article>")]


@pytest.mark.parametrize("name", NAMES)
def test_links_within_the_guides_lead_somewhere(name, db):
    text = article(name)
    assert ".md" not in "".join(re.findall(r'href="([^"]*)"', text))
    for page, anchor in re.findall(r'href="(?:/help/([a-z]+)/)?#([^"]*)"', text):
        assert f'id="{anchor}"' in article(page or name), (page, anchor)


def test_pictures_are_shown(db):
    assert '<img src="/static/images/new-campaign' in article("organisers")


def test_there_is_no_other_guide(db):
    assert Client().get(reverse("guide", args=["settings"])).status_code == 404
