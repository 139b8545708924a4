"""Importing judgments in tests, by a file's name and content."""

from typing import Any

from judgments.exchange.importers.importing import import_judgments
from judgments.exchange.importers.kinds import Imported
from judgments.exchange.importers.rules.recorded import Options
from judgments.models import Campaign
from judgments.rules.files.text_files import UploadedFile


def bring_in(campaign: Campaign, name: str, content: bytes, file_format: str, **options: Any) -> Imported:
    return import_judgments(campaign, UploadedFile(name, content), Options(file_format, **options))
