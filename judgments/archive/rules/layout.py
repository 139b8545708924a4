"""What a bundle is made of: its files, and how a row is written."""

import json
from collections.abc import Mapping
from typing import Any

FORMAT, VERSION = "campaign of appraise-gec", 4
MANIFEST, SETTINGS = "bundle.json", "campaign.json"

Row = dict[str, Any]

_encoder = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def line(row: Mapping[str, Any]) -> str:
    """A row as a line of JSON, the same bytes for the same row."""
    return _encoder.encode(row) + "\n"


def file_of(kind: str) -> str:
    """The file that holds the rows of a kind."""
    return f"{kind}.jsonl"
