"""What a campaign teaches and asks before the first screen, read from the organiser's texts."""

from judgments.models import Campaign
from judgments.protocols import PROTOCOLS
from judgments.rules.questions import Question, read_questions
from judgments.rules.tutorials import Example, read_tutorial


def examples_of(campaign: Campaign) -> list[Example]:
    """The examples of the tutorial."""
    if not campaign.tutorial.strip():
        return []
    return read_tutorial(campaign.tutorial, PROTOCOLS[campaign.protocol].teaching.kind)


def questions_of(campaign: Campaign) -> list[Question]:
    """The questions of the comprehension check."""
    return read_questions(campaign.questions)
