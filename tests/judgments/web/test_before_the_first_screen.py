"""From the invitation to the first screen: at most five pages and 400 words, and who leaves goes on where they were."""

import re
from html.parser import HTMLParser

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from judgments.assignment import assigning
from judgments.campaigns import settings, states
from judgments.judges import invitations
from judgments.material import storing, storing_usages
from judgments.material.rules.essays import read_essays
from judgments.material.rules.reading import Roles, read_material
from judgments.material.rules.usages import read_usage_files
from judgments.models import Campaign, Judgment
from judgments.protocols import PROTOCOLS, protocol_of
from judgments.protocols.base import ESSAYS, USAGES
from judgments.protocols.guidance import LANGUAGES
from judgments.protocols.registry import examples_of
from tests import factory
from tests.judgments.protocols.test_guidance import answers_to

MOST_PAGES, MOST_WORDS = 5, 400
VOID = {"input", "br", "link", "meta"}
# What only screen readers have; the words of a scale stand once where versions stand side by side.
UNSEEN = {"unseen", "words"}


class Words(HTMLParser):
    """The words, not numbers, that a reader sees in the part of a page with this tag or class, but what is folded."""

    def __init__(self, page: str, part: str = "main"):
        super().__init__()
        self.part, self.words = part, []
        self.inside: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        names, around = {tag, *(given.get("class") or "").split()}, self.inside[-1:]
        is_folded = (around == ["folded"] and tag != "summary") or (around == ["scale"] and tag == "legend")
        kind = "scale" if "scale" in names else "part" if self.part in names else tag
        if tag == "details" and "open" not in given:
            kind = "folded"
        if {"hidden", "popover"} & given.keys() or tag == "template" or names & UNSEEN or is_folded:
            kind = "hidden"
        if tag not in VOID:
            self.inside.append(kind)

    def handle_endtag(self, tag):
        if tag not in VOID:
            self.inside.pop()

    def handle_data(self, data):
        if "part" in self.inside and "hidden" not in self.inside:
            self.words += [word for word in data.split() if any(map(str.isalpha, word))]


def ready(name: str, language: str) -> Campaign:
    """A campaign as its organiser makes it with what is recommended, open for judging."""
    User.objects.create_user("olga", is_staff=True)
    campaign = settings.create("olga", "recommended", slug=name, name="A study", protocol=name, language=language)
    material = protocol_of(campaign).material
    if material == USAGES:
        storing_usages.store_usages(campaign, read_usage_files(factory.usage_files(), {}))
    elif material == ESSAYS:
        storing.store_material(campaign, read_essays(factory.essay_files(), Roles()).whole())
    else:
        files = factory.upload({"source": factory.SOURCE, **factory.SYSTEMS})
        storing.store_material(campaign, read_material(files, Roles(source_takes_part=True)))
    assigning.assign(campaign, None)
    states.open_campaign(campaign)
    return Campaign.objects.get(pk=campaign.pk)


@pytest.mark.wide
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_judge_reads_little_and_goes_on_where_they_left(db, name, language):
    campaign = ready(name, language)
    (invitation,) = invitations.invite(campaign, ["ada"])
    link, consent = reverse("join", args=[invitation.token]), reverse("consent", args=[campaign.slug])
    tutorial = reverse("tutorial", args=[campaign.slug])

    def come() -> Client:
        """Another browser, by the same link."""
        browser = Client(headers={"accept-language": language})
        browser.came = browser.post(link, follow=True)
        return browser

    pages = {link: Words(Client(headers={"accept-language": language}).get(link).content.decode()).words}
    browser = come()
    assert browser.came.redirect_chain == [(consent, 302)]
    page = browser.came.content.decode()
    pages[consent] = Words(page).words
    shown = re.search(r'name="shown" value="([^"]+)"', page)[1]
    assert browser.post(consent, {"shown": shown}).url == tutorial
    examples = examples_of(campaign)
    for number, example in enumerate(examples, 1):
        browser = come()
        assert browser.came.redirect_chain == [(tutorial, 302)]
        assert browser.came.context["number"] == number
        address = reverse("example", args=[campaign.slug, number])
        page = browser.came.content.decode()
        assert f'action="{address}"' in page
        compared = browser.post(address, answers_to(example, name))
        assert compared.context["differences"] == []
        pages[address] = Words(page).words + Words(compared.content.decode(), "compared").words
    screen = browser.post(reverse("begin", args=[campaign.slug])).url
    assert come().came.redirect_chain == [(screen, 302)]
    assert len(pages) <= MOST_PAGES
    assert sum(map(len, pages.values())) <= MOST_WORDS
    assert not Judgment.objects.exists()
