"""Correction campaigns for tests, and corrections made elsewhere."""

import json
from collections.abc import Iterable, Mapping

from judgments.exchange.exporters import EXPORTS, NO_OPTIONS, ExportOptions
from judgments.exchange.importers.joining import ImportedJudgments
from judgments.models import Campaign, Judgment
from tests import factory
from tests.judgments.exchange.importing import bring_in

SOURCE = ["He go school .", "She have  a cat", "I likes tea .", "Fine ."]
# By judge and line (from 1) either edits or a label.
Corrections = Mapping[tuple[str, int], Iterable[tuple] | str]
MADE: Corrections = {
    ("ada", 1): [(3, 5, "goes", "SVA"), (5, 5, " to", "Prep")],
    ("ada", 2): [(4, 8, "has", "SVA")],
    ("ada", 3): "merge",
    ("ada", 4): [],
    ("ben", 1): [(3, 5, "went", "Vt")],
    ("ben", 3): [(6, 7, "", "SVA"), (8, 11, "coffee", "Wci")],
    ("ben", 4): [(5, 6, "!", "")],
}


def correction_campaign(source: Iterable[str] = SOURCE, **texts: list[str]) -> Campaign:
    """Sentences to correct, with outputs if wished."""
    return factory.make_campaign({"source": list(source), **texts}, factory.Roles(), protocol="correction")


def lines_of(made: Corrections) -> bytes:
    rows = []
    for (judge, line), answer in made.items():
        edits = [] if isinstance(answer, str) else [
            dict(zip(("start", "end", "replacement", "category"), edit, strict=True)) for edit in answer
        ]  # fmt: skip
        rows.append({"judge": judge, "line": line, "edits": edits, "label": answer if isinstance(answer, str) else ""})
    return "\n".join(map(json.dumps, rows)).encode()


def bring(campaign: Campaign, made: Corrections = MADE) -> ImportedJudgments:
    return bring_in(campaign, "made.jsonl", lines_of(made), "corrections-jsonl")


def exported(campaign: Campaign, name: str, wishes: ExportOptions = NO_OPTIONS) -> bytes:
    return b"".join(EXPORTS[name].blocks(campaign, wishes))


def stored(campaign: Campaign) -> dict[tuple[str, int], tuple]:
    """By judge and line: the edits, and the label."""
    return {
        (judgment.assignment.judge.pseudonym, judgment.screen.segment.position + 1): (
            tuple(judgment.edit_set.order_by("position").values_list("start", "end", "replacement", "category")),
            judgment.skip_reason,
        )
        for judgment in Judgment.objects.current().filter(assignment__campaign=campaign)
    }
