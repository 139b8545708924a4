"""The datasheet of a campaign: read, written as a file, and saved with the campaign's settings."""

from collections.abc import Mapping
from typing import Any

from judgments.campaigns.settings import configure
from judgments.models import Campaign
from judgments.rules.datasheet.files import json_text, to_markdown
from judgments.rules.datasheet.sheet import Answer, Sheet, sheet_of, stored_form
from ranking.datasheet.known import known

TYPES = {"json": "application/json", "md": "text/markdown; charset=utf-8"}
WRITERS = {"json": json_text, "md": to_markdown}


def datasheet_of(campaign: Campaign) -> Sheet:
    return sheet_of(known(campaign), _stored(campaign))


def save(campaign: Campaign, answers: Mapping[str, Answer]) -> None:
    """Replace the organiser's answers to these questions; empty ones are removed."""
    stored = {number: Answer.of(given) for number, given in _stored(campaign).items()}
    configure(campaign, datasheet=stored_form({**stored, **answers}))


def _stored(campaign: Campaign) -> dict[str, Any]:
    """The stored answers; an imported campaign can hold any empty value, because Django validates none."""
    return campaign.datasheet or {}
