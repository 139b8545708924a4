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
from judgments.protocols.registry import examples_of, questions_of
from judgments.rules.authored.prose import to_html
from judgments.rules.authored.tutorials import Example
from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.edits import derive_edits
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
def test_a_new_campaign_has_texts_that_judges_can_be_shown(olga, name, language):
    campaign, protocol = fresh(name, language), PROTOCOLS[name]
    assert not campaign.questions, "an organiser may add them"
    settings.restore_guidance(campaign, language, ["questions"])
    examples, questions = examples_of(campaign), questions_of(campaign)
    assert len(examples) == 3
    assert 3 <= len(questions) <= 4
    assert all(one.why for one in (*examples, *questions))
    assert "<strong>" in to_html(campaign.consent)
    assert onboarding.next_step(factory.judge(campaign, "ada")) == onboarding.OnboardingStep.CONSENT
    # Instructions are short and name every point of the scale.
    assert len(campaign.instructions.split()) <= MOST_WORDS
    with translation.override(language):
        for point in protocol.scale.points if protocol.scale and protocol.scale.ends else ():
            assert f"| **{point.value}** |" in campaign.instructions
            assert str(point.meaning).casefold() in campaign.instructions.casefold()
    # The expected answers can be given, and agree.
    for example in examples:
        form = protocol.form(
            answers_to(example, name),
            specification=protocol.specification_of_example(campaign, example),
        )
        assert form.is_valid(), form.errors
        assert protocol.differences(example, form.tutorial_answers()) == [], example


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
            edits = derive_edits(normalise(example.source), normalise(text))
            verdicts = expected.split(", ") if edits else []
            names = ("start", "end", "replacement", "verdict")
            judged = [
                dict(zip(names, (*edit[:3], said), strict=True)) for edit, said in zip(edits, verdicts, strict=True)
            ]
            fields[f"verdicts_{place}"] = json.dumps(judged)
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


def test_the_language_is_that_of_the_sentences_where_there_are_texts_in_it(olga):
    assert [language_for(tag) for tag in ("en-GB", "PL", "de", "")] == ["en", "pl", "en", "en"]
    assert language_for("de", otherwise="pl") == "pl"
    campaign = fresh("ranking", "de")
    assert campaign.instructions.startswith("**Rank the versions")
    assert campaign.tutorial == "", "there is none for sentences in another language"


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


def test_the_chosen_ones_are_filled_in_again(olga, browser_of):
    own = dict.fromkeys(TEXTS[:2], "My own.") | dict.fromkeys(TEXTS[2:], "")
    settings.create("olga", "recommended", slug="own", name="Own", **own)
    browser, address = browser_of(olga), reverse("restore_guidance", args=["own"])
    page = browser.post(address, {"language": "pl"}, follow=True).content.decode()
    assert "Choose at least one of the texts" in page
    assert Campaign.objects.get().instructions == "My own."
    chosen = {"language": "pl", "texts": ["instructions", "questions"]}
    page = browser.post(address, chosen, follow=True).content.decode()
    assert "The ready-made texts were filled in." in page
    now = Campaign.objects.get()
    assert now.instructions.startswith("**Uszereguj")
    assert now.questions.startswith("? Dwie wersje")
    assert (now.consent, now.tutorial) == ("My own.", "")
    # A tutorial without a ready-made one stays.
    Campaign.objects.update(language="de", tutorial=factory.TUTORIAL, questions="")
    now = settings.restore_guidance(Campaign.objects.get(), "en", TEXTS)
    assert now.tutorial == factory.TUTORIAL
    assert now.questions
