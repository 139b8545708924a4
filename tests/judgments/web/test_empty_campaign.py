"""A campaign in which nothing is yet: every page says what goes there, and leads to the first step."""

import pytest
from django.urls import reverse

from judgments.campaigns import settings
from judgments.models import Campaign
from tests import factory


@pytest.fixture
def empty(db) -> Campaign:
    return settings.configure(Campaign(slug="empty", name="Empty"))


@pytest.fixture
def client(empty, browser_of):
    return browser_of(factory.organiser(empty, "olga"))


@pytest.mark.parametrize(
    ("name", "says", "leads_to"),
    [
        ("organise", "Upload texts", "material"),
        ("material", "There are no texts yet", "new_upload"),
        ("screens", "upload material first", "material"),
        ("judges", "No judges have been invited yet", "invite"),
        ("board", "so there is no progress to show", "screens"),
        ("metrics", "There are no scores yet", "metrics"),
        ("report_list", "There is no report yet", "organise"),
        ("exports", "There are no judgments yet", "organise"),
    ],
)
def test_a_page_without_anything_leads_on(empty, client, name, says, leads_to):
    page = " ".join(client.get(reverse(name, args=[empty.slug])).content.decode().split())
    main = page.split("Pages of this campaign")[1].split("</nav>")[1]
    assert says in main
    assert name == leads_to or f'"{reverse(leads_to, args=[empty.slug])}"' in main
    assert "<svg" not in main
