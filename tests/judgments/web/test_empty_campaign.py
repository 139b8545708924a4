"""Pages that lead on: those of a campaign in which nothing is yet, and the guides of docs/."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from judgments.campaigns import settings
from judgments.models import Campaign
from judgments.web.views.help import titles
from tests import factory


@pytest.mark.parametrize(
    ("name", "says", "leads_to"),
    [
        ("organise", "Upload texts", "material"),
        ("material", "There are no texts yet", "new_upload"),
        ("screens", "There is nothing to judge yet: upload texts first.", "material"),
        ("preview", "There is nothing to judge yet.", "material"),
        ("judges", "No judges have been invited yet", "invite_judges"),
        ("board", "so there is no progress to show", "screens"),
        ("metrics", "There are no scores yet", "metrics"),
        ("report_list", "There is no report yet", "organise"),
        ("exports", "There are no judgments yet", "organise"),
    ],
)
def test_a_page_without_anything_leads_on(db, browser_of, name, says, leads_to):
    empty = settings.configure(Campaign(slug="empty", name="Empty"))
    client = browser_of(factory.organiser(empty, "olga"))
    page = " ".join(client.get(reverse(name, args=[empty.slug])).content.decode().split())
    main = page.split("Pages of this campaign")[1].split("</nav>")[1]
    assert says in main
    assert name == leads_to or f'"{reverse(leads_to, args=[empty.slug])}"' in main
    assert "<svg" not in main


def article(name: str) -> str:
    page = Client().get(reverse("guide", args=[name])).content.decode()
    return page[page.index("<article") : page.index("</article>")]


@pytest.mark.parametrize("name", titles())
def test_links_within_the_guides_lead_somewhere(name, db):
    text = article(name)
    assert ".md" not in "".join(re.findall(r'href="([^"]*)"', text))
    for page, anchor in re.findall(r'href="(?:/help/([a-z-]+)/)?#([^"]*)"', text):
        assert f'id="{anchor}"' in article(page or name), (page, anchor)


def test_pictures_are_shown_and_there_is_no_other_guide(db):
    assert '<img src="/static/images/new-campaign' in article("organisers")
    assert Client().get(reverse("guide", args=["settings"])).status_code == 404
