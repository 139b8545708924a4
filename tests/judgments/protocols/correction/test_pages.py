"""Pages of a correction campaign say nothing of what only campaigns with candidates have."""

import pytest
from django.urls import reverse

from tests import factory
from tests.judgments.exchange.corrections import bring, correction_campaign

OUTPUTS = ["He goes to school .", "She has  a cat", "I like tea .", "Fine ."]


@pytest.fixture
def page(db, browser_of):
    campaign = correction_campaign(Heron=OUTPUTS)
    bring(campaign)
    client = browser_of(factory.organiser(campaign, "olga"))
    return lambda name: client.get(reverse(name, args=[campaign.slug])).content.decode()


def test_the_material_is_not_compared(page):
    content = page("material")
    assert "Heron" in content
    for words in ("Judges compare the unchanged source", "How often outputs differ", "nothing to judge", "Judged</th>"):
        assert words not in content


def test_no_column_of_judges_waits_for_what_never_comes(page):
    content = page("judges")
    assert "ben" in content
    assert "κ" not in content


def test_formats_of_other_campaigns_stand_in_one_line(page):
    content = page("exports")
    assert 'corrections.m2">corrections.m2</a>' in content
    assert "Not for correction campaigns: pairs-expanded.csv, pairs-unexpanded.csv, appraise.xml" in content
    assert content.count("gmeg-corpus.csv") == 1
