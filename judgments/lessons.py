"""What a campaign teaches, asks before the first screen and offers to choose from, read from the organiser's texts."""

from judgments.models import Campaign
from judgments.protocols import PROTOCOLS
from judgments.rules.categories import Category, categories_of
from judgments.rules.questions import Question, read_questions
from judgments.rules.tutorials import Example, read_tutorial


def examples_of(campaign: Campaign) -> list[Example]:
    """The examples of the tutorial."""
    if not campaign.tutorial.strip():
        return []
    return read_tutorial(campaign.tutorial, PROTOCOLS[campaign.protocol].teaching.kind)


def categories_offered(campaign: Campaign) -> tuple[Category, ...]:
    """The categories from which judges choose one for each edit."""
    return categories_of(campaign.category_list, campaign.categories)


def questions_of(campaign: Campaign) -> list[Question]:
    """The questions of the comprehension check."""
    return read_questions(campaign.questions)
