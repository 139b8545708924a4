"""Ready-made texts: every protocol brings them in every language, and a new campaign has them unless told otherwise."""

import json
import re
from itertools import product
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.urls import reverse
from django.utils import translation

from judgments.campaigns import settings
from judgments.judges import onboarding
from judgments.models import Campaign
from judgments.protocols import PROTOCOLS
from judgments.protocols.guidance import LANGUAGES, TEXTS, language_for, read_guidance
from judgments.protocols.registry import examples_of, questions_of, specification_of_example
from judgments.rules.authored.prose import to_html
from judgments.rules.authored.tutorials import Example
from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.edits import derived
from tests import factory

MOST_WORDS = 170  # half a minute of a hurried reader

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga() -> User:
    """She is about to organise her first campaign."""
    return User.objects.create_user("olga", is_staff=True)


def fresh(name: str, language: str = "en") -> Campaign:
    return settings.create("olga", "recommended", slug=name, name=name, protocol=name, language=language)


def sentences(examples: list[Example]) -> list[tuple]:
    return [(example.source, example.versions) for example in examples]


@pytest.mark.parametrize(("name", "language"), list(product(PROTOCOLS, LANGUAGES)))
class TestEveryProtocol:
    def test_a_new_campaign_has_texts_that_judges_can_be_shown(self, olga, name, language):
        campaign = fresh(name, language)
        assert 4 <= len(examples_of(campaign)) <= 6
        assert all(example.why for example in examples_of(campaign))
        assert 3 <= len(questions_of(campaign)) <= 4
        assert all(question.why for question in questions_of(campaign))
        assert "<strong>" in to_html(campaign.consent)
        assert onboarding.next_step(factory.judge(campaign, "ada")) == onboarding.Step.CONSENT

    def test_instructions_are_short_and_name_every_point_of_the_scale(self, olga, name, language):
        campaign, scale = fresh(name, language), PROTOCOLS[name].scale
        assert len(campaign.instructions.split()) <= MOST_WORDS
        with translation.override(language):
            for point in scale.points if scale and scale.ends else ():
                assert f"| **{point.value}** |" in campaign.instructions
                assert str(point.meaning).casefold() in campaign.instructions.casefold()

    def test_the_expected_answers_can_be_given_and_agree(self, olga, name, language):
        campaign, protocol = fresh(name, language), PROTOCOLS[name]
        for example in examples_of(campaign):
            form = protocol.form(answers_to(example, name), specification=specification_of_example(campaign, example))
            assert form.is_valid(), form.errors
            assert all(protocol.teaching.agree(example.expected, form.taught())), example


def answers_to(example: Example, name: str) -> dict[str, object]:
    """The fields that a judge fills in who answers as expected."""
    fields = {"key": "00000000-0000-0000-0000-000000000000"}
    for place, (expected, text) in enumerate(example.versions, 1):
        if name == "essays":
            fields |= {f"scores_{place}-{n}": one.partition("-")[0] for n, one in enumerate(expected.split(", "), 1)}
        elif name == "rating":
            fields[f"score_{place}"] = re.match(r"\d+", expected)[0]
            fields |= {f"changed_{place}": "on"} if "changed" in expected else {}
        elif name == "marking":
            edits = derived(normalise(example.source), normalise(text))
            verdicts = expected.split(", ") if edits else []
            fields[f"verdicts_{place}"] = json.dumps(
                [
                    {"start": edit.start, "end": edit.end, "replacement": edit.replacement, "verdict": verdict}
                    for edit, verdict in zip(edits, verdicts, strict=True)
                ]
            )
        elif name == "correction":
            fields[f"text_{place}"] = expected.splitlines()[0]
            fields |= {f"fine_{place}": "on"} if example.source == expected else {}
        else:
            fields[{"ranking": "rank", "verdict": "finding"}[name] + f"_{place}"] = expected
    return fields


@pytest.mark.parametrize(("name", "language"), list(product(PROTOCOLS, LANGUAGES)))
def test_sentences_in_each_language_are_explained_in_every_language(name, language):
    texts = [read_guidance(PROTOCOLS[name].guidance, spoken, language)["tutorial"] for spoken in LANGUAGES]
    examples = [examples_of(Campaign(protocol=name, tutorial=text)) for text in texts]
    assert all(sentences(one) == sentences(examples[0]) for one in examples)
    assert len({one[0].why for one in examples}) == len(LANGUAGES)


def test_the_language_is_that_of_the_sentences_where_there_are_texts_in_it():
    assert [language_for(tag) for tag in ("en-GB", "PL", "de", "")] == ["en", "pl", "en", "en"]
    assert language_for("de", otherwise="pl") == "pl"


def test_sentences_in_another_language_get_no_tutorial(olga):
    campaign = fresh("ranking", "de")
    assert campaign.instructions.startswith("**Rank the versions")
    assert campaign.tutorial == ""
    assert campaign.questions


def test_what_an_organiser_wrote_wins_even_if_it_is_nothing(olga):
    own = {"instructions": "Look *closely*.", "tutorial": ""}
    campaign = settings.create("olga", "recommended", slug="own", name="Own", **own)
    assert (campaign.instructions, campaign.tutorial) == ("Look *closely*.", "")
    assert campaign.consent
    without = settings.create("olga", "recommended", guidance="none", slug="without", name="Without")
    assert [getattr(without, name) for name in TEXTS] == [""] * 4


@pytest.mark.parametrize(
    ("sentences_in", "chosen", "spoken", "beginning"),
    [
        ("en", "", "pl", "**Rank"),
        ("de", "", "pl", "**Uszereguj"),
        ("de", "", "de", "**Rank"),
        ("en", "pl", "en", "**Uszereguj"),
        ("en", "none", "en", ""),
    ],
)
def test_the_page_takes_the_language_of_the_sentences_or_of_the_organiser_unless_one_is_chosen(
    olga, browser_of, sentences_in, chosen, spoken, beginning
):
    wish = {"name": "A", "slug": "a", "protocol": "ranking", "preset_name": "recommended"}
    wish |= {"language": sentences_in, "guidance": chosen}
    browser_of(olga).post(reverse("new_campaign"), wish, headers={"accept-language": spoken})
    assert Campaign.objects.get().instructions[: len(beginning) or None] == beginning


def test_a_command_takes_them_for_a_new_campaign_alone(tmp_path: Path):
    (tmp_path / "source.txt").write_text("\n".join(factory.SOURCE) + "\n", encoding="utf-8")
    for guidance in ("pl", "en"):
        call_command("import_outputs", "a", str(tmp_path), protocol="correction", guidance=guidance)
    assert Campaign.objects.get().instructions.startswith("**Popraw zdanie")


class TestRestoring:
    @pytest.fixture
    def campaign(self, olga) -> Campaign:
        own = dict.fromkeys(TEXTS[:2], "My own.") | dict.fromkeys(TEXTS[2:], "")
        return settings.create("olga", "recommended", slug="own", name="Own", **own)

    def restored(self, campaign: Campaign, browser, **chosen: object) -> tuple[str, Campaign]:
        page = browser.post(reverse("restore_guidance", args=[campaign.slug]), chosen, follow=True).content.decode()
        return page, Campaign.objects.get()

    def test_the_chosen_ones_are_filled_in_again(self, campaign, olga, browser_of):
        page, now = self.restored(campaign, browser_of(olga), language="pl", texts=["instructions", "questions"])
        assert "The ready-made texts were filled in." in page
        assert now.instructions.startswith("**Uszereguj")
        assert now.questions.startswith("? Dwie wersje")
        assert (now.consent, now.tutorial) == ("My own.", "")

    def test_none_are_chosen(self, campaign, olga, browser_of):
        page, now = self.restored(campaign, browser_of(olga), language="pl")
        assert "Choose at least one of the texts" in page
        assert now.instructions == "My own."

    def test_a_tutorial_without_a_ready_made_one_stays(self, campaign, olga):
        Campaign.objects.update(language="de", tutorial=factory.TUTORIAL)
        now = settings.restore_guidance(Campaign.objects.get(), "en", TEXTS)
        assert now.tutorial == factory.TUTORIAL
        assert now.questions
