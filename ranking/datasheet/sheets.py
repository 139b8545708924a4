"""The datasheet of a campaign: read, written as a file, and saved with the campaign's settings."""

from collections.abc import Mapping
from typing import Any

from django.db.models import F

from judgments.campaigns.settings import configure
from judgments.models import Campaign
from judgments.rules.datasheet.files import json_text, to_markdown
from judgments.rules.datasheet.sheet import Answer, Sheet, Source, sheet_of, stored_form
from ranking.datasheet.known import known
from ranking.models import Report

TYPES = {"json": "application/json", "md": "text/markdown; charset=utf-8"}
WRITERS = {"json": json_text, "md": to_markdown}


def reports_for(campaign: Campaign) -> list[Report]:
    """Finished reports, the default first: published ones, the newest first, and then the others."""
    finished = Report.objects.of(campaign).filter(state=Report.State.DONE).select_related("campaign")
    return list(finished.order_by(F("publication").desc(nulls_last=True), "-pk"))


def datasheet_of(campaign: Campaign, report: Report | None) -> Sheet:
    source = Source(report.pk, report.name) if report else None
    return sheet_of(known(campaign, report), _stored(campaign), source)


def save(campaign: Campaign, answers: Mapping[str, Answer]) -> None:
    """Replace the organiser's answers to these questions; empty ones are removed."""
    stored = {number: Answer.of(given) for number, given in _stored(campaign).items()}
    configure(campaign, datasheet=stored_form({**stored, **answers}))


def _stored(campaign: Campaign) -> dict[str, Any]:
    """The stored answers; an imported campaign can hold any empty value, because Django validates none."""
    return campaign.datasheet or {}
