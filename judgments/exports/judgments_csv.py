"""Judgments as a table: a row a candidate, in the order shown; a row without one for a skip."""

from collections.abc import Iterator

from judgments.exports.base import CSV, NO_WISHES, Export, Wishes
from judgments.exports.rows import Answer, Head, Judge, judged, judges_of, systems_behind
from judgments.exports.tables import cells
from judgments.models import Campaign

COLUMNS = [
    "campaign", "judge", "screen", "segment", "document", "candidate", "systems", "shown_position", "rank", "score",
    "meaning_changed", "skip_reason", "wall_seconds", "active_seconds", "revision", "submitted_at", "excluded",
    "flagged", "comment", "program",
]  # fmt: skip
NAMES = ["user", "worker"]
NOBODY = Judge("", False, False, "", "")
# What stands in a skip's row in the place of the cells of an answer, from the candidate to the meaning.
NO_ANSWER = ",,,,,"


def judgments_csv(campaign: Campaign, wishes: Wishes = NO_WISHES) -> Iterator[str]:
    """Lines of the current judgments, those of excluded judges marked."""
    judges = judges_of(campaign)
    behind = {candidate: cells([" ".join(names)]) for candidate, names in systems_behind(campaign).items()}
    said = _said_of_ranking if campaign.protocol == Campaign.Protocol.RANKING else _said_of_rating
    yield cells([*COLUMNS, *(NAMES if wishes.with_names else [])]) + "\n"
    for head, answers in judged(campaign):
        judge = judges.get(head.judge or 0, NOBODY)
        first = cells([campaign.slug, judge.pseudonym, head.screen, head.position + 1, head.document])
        last = cells(_last(head, judge) + ([judge.user, judge.worker] if wishes.with_names else []))
        if not answers:
            yield f"{first},{NO_ANSWER},{last}\n"
        for shown, answer in enumerate(answers, 1):
            systems = behind.get(answer.candidate, "")
            yield f"{first},{answer.candidate},{systems},{shown},{said(answer)},{last}\n"


def _last(head: Head, judge: Judge) -> list[object]:
    return [
        head.skip_reason,
        _seconds(head.wall_seconds),
        _seconds(head.active_seconds),
        head.revision,
        head.submitted_at.isoformat(),
        "yes" if judge.is_excluded else "no",
        "yes" if head.flagged else "no",
        head.comment,
        "yes" if judge.is_program else "no",
    ]


def _said_of_ranking(answer: Answer) -> str:
    return f"{answer.said[0]},,"


def _said_of_rating(answer: Answer) -> str:
    score, meaning_changed = answer.said
    return f",{score},{'yes' if meaning_changed else 'no'}"


def _seconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.1f}"


EXPORT = Export(
    name="judgments.csv",
    about="A row for each candidate of each judgment, for tables and statistics of your own.",
    content_type=CSV,
    write=judgments_csv,
    marks_excluded=True,
    tells_names=True,
)
