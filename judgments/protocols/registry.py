"""The registered protocols, and what campaigns set for them."""

from collections.abc import Iterable

from judgments.models import Campaign
from judgments.protocols.base import Protocol
from judgments.protocols.guidance import ready_rubric
from judgments.rules.authored.categories import Category, categories_of
from judgments.rules.authored.edit_verdicts import EditVerdict, read_edit_verdicts
from judgments.rules.authored.rubrics import NO_RUBRIC, Rubric, read_rubric
from judgments.rules.authored.tutorials import Example, Question, read_questions, read_tutorial
from judgments.rules.errors import Refused

# In the order in which forms offer them.
PROTOCOLS: dict[str, Protocol] = {}


def protocol_named(name: str) -> Protocol:
    if name not in PROTOCOLS:
        raise Refused(f"There is no protocol {name!r}; the protocols are {', '.join(PROTOCOLS)}.")
    return PROTOCOLS[name]


def protocol_of(campaign: Campaign) -> Protocol:
    return protocol_named(campaign.protocol)


def protocols_about(material: str) -> list[Protocol]:
    return [protocol for protocol in PROTOCOLS.values() if protocol.material == material]


def names_of(protocols: Iterable[Protocol]) -> str:
    return " or ".join(sorted(protocol.name for protocol in protocols))


def examples_of(campaign: Campaign) -> list[Example]:
    return read_tutorial(campaign.tutorial, protocol_of(campaign))


def categories_offered(campaign: Campaign) -> tuple[Category, ...]:
    return categories_of(campaign.category_list, campaign.categories)


def verdicts_offered(campaign: Campaign) -> tuple[EditVerdict, ...]:
    """The verdicts on edits that judges choose from, if they judge edits."""
    return read_edit_verdicts(campaign.edit_verdicts) if protocol_of(campaign).uses("edit_verdicts") else ()


def rubric_of(campaign: Campaign) -> Rubric:
    """The campaign's rubric, or otherwise the ready-made one of its protocol, if that has one."""
    text = campaign.rubric or ready_rubric(protocol_of(campaign).guidance)
    return read_rubric(text) if text else NO_RUBRIC


def questions_of(campaign: Campaign) -> list[Question]:
    return read_questions(campaign.questions)
