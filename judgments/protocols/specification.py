"""What the form of a protocol asks for, read from an assignment or from the organiser's texts."""

from judgments.models import Assignment, Campaign
from judgments.protocols.form import FormSpecification
from judgments.protocols.registry import protocol_of
from judgments.rules.authored.categories import Category, categories_of
from judgments.rules.authored.questions import Question, read_questions
from judgments.rules.authored.tutorials import Example, read_tutorial


def specification_for(assignment: Assignment) -> FormSpecification:
    return protocol_of(assignment.campaign).specification(assignment)


def specification_of_example(campaign: Campaign, example: Example) -> FormSpecification:
    """The specification of an example, which has a version for each place."""
    return FormSpecification(len(example.versions), example.source, categories_offered(campaign))


def examples_of(campaign: Campaign) -> list[Example]:
    if not campaign.tutorial.strip():
        return []
    return read_tutorial(campaign.tutorial, protocol_of(campaign).teaching.kind)


def categories_offered(campaign: Campaign) -> tuple[Category, ...]:
    return categories_of(campaign.category_list, campaign.categories)


def questions_of(campaign: Campaign) -> list[Question]:
    return read_questions(campaign.questions)
