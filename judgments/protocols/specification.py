"""What the form of a protocol asks for, read from an assignment or from the texts that the organiser wrote."""

from judgments.models import Assignment, Campaign
from judgments.protocols.form import FormSpecification
from judgments.protocols.registry import protocol_of
from judgments.rules.authored.categories import Category, categories_of
from judgments.rules.authored.questions import Question, read_questions
from judgments.rules.authored.tutorials import Example, read_tutorial


def specification_for(assignment: Assignment) -> FormSpecification:
    """By the protocol of its campaign."""
    return protocol_of(assignment.campaign).specification(assignment)


def specification_of_example(campaign: Campaign, example: Example) -> FormSpecification:
    """The same for an example, which has a version for each place."""
    return FormSpecification(len(example.versions), example.source, categories_offered(campaign))


def examples_of(campaign: Campaign) -> list[Example]:
    """The examples of the tutorial."""
    if not campaign.tutorial.strip():
        return []
    return read_tutorial(campaign.tutorial, protocol_of(campaign).teaching.kind)


def categories_offered(campaign: Campaign) -> tuple[Category, ...]:
    """The categories from which judges choose one for each edit."""
    return categories_of(campaign.category_list, campaign.categories)


def questions_of(campaign: Campaign) -> list[Question]:
    """The questions of the comprehension check."""
    return read_questions(campaign.questions)
