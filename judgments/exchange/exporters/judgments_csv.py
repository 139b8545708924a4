"""Judgments as a table: a row an answer; a row without one for a skip, and where nothing was to be corrected."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from judgments.exchange.exporters.base import CSV, NO_WISHES, Export, Wishes
from judgments.exchange.exporters.rows import ROWS_AT_ONCE, Answer, Head, Judge, judged, judges_of, systems_behind
from judgments.models import Campaign, Screen, Segment
from judgments.rules.files.csv_tables import cells

FIRST = ["campaign", "judge", "screen", "segment", "document"]
LAST = [
    "skip_reason", "wall_seconds", "active_seconds", "revision", "submitted_at", "excluded", "flagged", "comment",
    "program",
]  # fmt: skip
NAMES = ["user", "worker"]
NOBODY = Judge("", False, False, "", "")


@dataclass(frozen=True)
class Said:
    """The columns between the first and the last, and the cells of an answer, which is the first, second ... given.

    `nothing` are the cells of a judgment without an answer.
    """

    columns: tuple[str, ...]
    cells: Callable[[Head, int, Answer], str]
    nothing: Callable[[Head], str]


def judgments_csv(campaign: Campaign, wishes: Wishes = NO_WISHES) -> Iterator[str]:
    """Lines of the current judgments, those of excluded judges marked."""
    judges, said = judges_of(campaign), SAID[campaign.protocol](campaign)
    yield cells([*FIRST, *said.columns, *LAST, *(NAMES if wishes.with_names else [])]) + "\n"
    for head, answers in judged(campaign):
        judge = judges.get(head.judge or 0, NOBODY)
        first = cells([campaign.slug, judge.pseudonym, head.screen, head.position + 1, head.document])
        last = cells(_last(head, judge) + ([judge.user, judge.worker] if wishes.with_names else []))
        if not answers:
            yield f"{first},{said.nothing(head)},{last}\n"
        for number, answer in enumerate(answers, 1):
            yield f"{first},{said.cells(head, number, answer)},{last}\n"


def _of_candidates(campaign: Campaign) -> Said:
    behind = {candidate: cells([" ".join(names)]) for candidate, names in systems_behind(campaign).items()}
    told = _ranked if campaign.protocol == Campaign.Protocol.RANKING else _rated

    def written(head: Head, shown: int, answer: Answer) -> str:
        return f"{answer.candidate},{behind.get(answer.candidate or 0, '')},{shown},{told(answer)}"

    columns = ("candidate", "systems", "shown_position", "rank", "score", "meaning_changed")
    return Said(columns, written, _empty(columns))


def _ranked(answer: Answer) -> str:
    return f"{answer.said[0]},,"


def _rated(answer: Answer) -> str:
    score, meaning_changed = answer.said
    return f",{score},{'yes' if meaning_changed else 'no'}"


def _of_usages(campaign: Campaign) -> Said:
    """What each screen asks about, and what is known of it."""
    rows = Screen.objects.filter(campaign=campaign, usage__isnull=False)
    asked = {
        screen: cells([name, "" if gold is None else "error" if gold else "ok", "yes" if control else "no"])
        for screen, name, gold, control in rows.values_list("pk", "usage__name", "usage__gold", "has_control").iterator(
            ROWS_AT_ONCE
        )
    }
    return Said(
        ("instance", "gold", "control", "finding"),
        lambda head, number, answer: f"{asked[head.screen]},{answer.said[0]}",
        lambda head: f"{asked[head.screen]},",
    )


def _of_edits(campaign: Campaign) -> Said:
    """Characters from start to end of the sentence, what stands there, and what should."""
    rows = Segment.objects.filter(campaign=campaign)
    texts = dict(rows.values_list("position", "text").iterator(ROWS_AT_ONCE))

    def written(head: Head, number: int, answer: Answer) -> str:
        _, start, end, replacement, category = answer.said
        return cells([number, start, end, (texts[head.position] or "")[start:end], replacement, category])

    columns = ("edit", "start", "end", "original", "replacement", "category")
    return Said(columns, written, _empty(columns))


def _empty(columns: Sequence[str]) -> Callable[[Head], str]:
    """Nothing in any of the columns."""
    return lambda head: "," * (len(columns) - 1)


SAID: dict[str, Callable[[Campaign], Said]] = {
    Campaign.Protocol.RANKING.value: _of_candidates,
    Campaign.Protocol.RATING.value: _of_candidates,
    Campaign.Protocol.VERDICT.value: _of_usages,
    Campaign.Protocol.CORRECTION.value: _of_edits,
}


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


def _seconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.1f}"


EXPORT = Export(
    name="judgments.csv",
    about="A row for each answer of each judgment, for tables and statistics of your own.",
    content_type=CSV,
    write=judgments_csv,
    marks_excluded=True,
    tells_names=True,
)
