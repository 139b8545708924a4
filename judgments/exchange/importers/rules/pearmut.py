"""Answers collected with Pearmut: JSON lines, one document of one user a line.

`item` has the sentences as shown (`src`, and the outputs `tgt` by system) and `annotation` an object for each of them:
`{"Heron": {"score": 87, "error_spans": [...], "textfield": null}}`. Sentences have no numbers, so they are matched by
their texts; where a sentence occurs several times, by the outputs.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from judgments.exchange.importers.rules.ratings import (
    CampaignTexts,
    KnownLine,
    Ratings,
    join_screens,
    notes_on,
    score_of,
)
from judgments.exchange.importers.rules.recorded import (
    SKIP_UNMATCHED,
    ImportOptions,
    RecordedGroup,
    RecordedJudgment,
    RecordedScore,
    seconds_of,
)
from judgments.rules.files.problems import Problem, Problems
from judgments.rules.files.text_files import is_valid_text
from judgments.rules.files.values import RowFault, read_json_lines
from judgments.rules.texts.collapsing import one_line

Counts = Counter[tuple[str, str]]
# The lines of each one_lined sentence of the campaign.
Sentences = Mapping[str, Sequence[KnownLine]]
# Documents before the task, and attention checks between its documents.
BESIDE_THE_TASK = ("welcome_", "random_")
# Seconds since 1970; a later time is none.
LATEST = 1e11
# Stands instead of the annotation when an organiser discards a user's answers.
RESET = "__RESET__"
# What notes count, of one and of several.
REPLACED = ("answer was replaced by a later one", "answers were replaced by later ones")
TUTORIAL = ("item of a tutorial or attention check left out", "items of tutorials and attention checks left out")
NO_SCORE = ("output without a score left out", "outputs without a score left out")
SPANS = ("error span not stored", "error spans not stored")
TEXTS = ("comment or post-edit not stored", "comments and post-edits not stored")
ABSENT = ("sentence that the campaign lacks left out", "sentences that the campaign lacks left out")
REPORTED = (REPLACED, TUTORIAL, NO_SCORE, SPANS, TEXTS, ABSENT)
NEEDS_TEXTS = (
    "is matched by its texts, which the campaign lacks; upload the file of Pearmut's campaign on Material first"
)
NEEDS_ITEMS = "needs item, a list of the sentences shown, and annotation, a list as long, with an object for each"


# A user's answer to a document: its rated outputs, and what of it is left out or not stored, in numbers.
Answer = tuple[list[RecordedJudgment], Counts]


def read_pearmut(name: str, content: bytes, options: ImportOptions, known: CampaignTexts) -> Ratings:
    """Read the newest answer of each user to each document, or raise the problems of all lines."""
    sentences = known.lines()
    if not sentences:
        raise Problems([Problem(name, None, NEEDS_TEXTS)])
    read = read_json_lines(name, content, lambda line, answer: _answer(line, answer, options, sentences))
    newest = dict(read)
    rows = [row for found, _ in newest.values() for row in found]
    if not rows:
        raise Problems([Problem(name, None, "contains no score of an output")])
    counts: Counts = sum((counts for _, counts in newest.values()), Counter())
    counts[REPLACED] = len(read) - len(newest)
    found = [f"{name}: {counts[what]} {what[counts[what] != 1]}" for what in REPORTED if counts[what]]
    notes = (*notes_on(name, options, 0, ""), *found)
    return Ratings(join_screens(rows), 0, notes)


def _answer(
    line: int, answer: Mapping[str, Any], options: ImportOptions, sentences: Sentences
) -> tuple[tuple[str, str], Answer]:
    """The user and the document, and the answer."""
    user, document, items, annotation = (answer.get(key) for key in ("user_id", "item_i", "item", "annotation"))
    if not isinstance(user, str) or not user or type(document) not in (int, str):
        raise RowFault("needs a text as user_id and a number or a text as item_i")
    document, rows, counts = str(document), list[RecordedJudgment](), Counts()
    if annotation == RESET:
        return (user, document), (rows, counts)
    if document.startswith(BESIDE_THE_TASK):
        return (user, document), (rows, Counts([TUTORIAL]))
    if not isinstance(items, list) or not isinstance(annotation, list) or len(items) != len(annotation) or not items:
        raise RowFault(NEEDS_ITEMS)
    seconds = _seconds(answer.get("actions"), len(items))
    for number, (item, given) in enumerate(zip(items, annotation, strict=True), 1):
        try:
            for system, score, position in _scores(item, given, options, sentences, counts):
                rows.append(RecordedJudgment(line, user, position, (RecordedGroup(system, score),), seconds, document))
        except RowFault as fault:
            raise RowFault(f"item {number} {fault}") from None
    return (user, document), (rows, counts)


def _scores(
    item: Any, given: Any, options: ImportOptions, sentences: Sentences, counts: Counts
) -> Iterator[tuple[str, RecordedScore, int]]:
    """Yield the system, the score and the line of each output with a score."""
    if not isinstance(item, dict) or not isinstance(given, dict):
        raise RowFault(NEEDS_ITEMS)
    if item.get("validation"):
        counts[TUTORIAL] += 1
        return
    if options.skip_unmatched and one_line(str(item.get("src"))) not in sentences:
        counts[ABSENT] += 1
        return
    position = None
    for system, answer in given.items():
        if not isinstance(answer, dict) or not is_valid_text(system):
            raise RowFault(f"needs a name and an object for each system, not {system[:40]!r}")
        score, spans = answer.get("score"), answer.get("error_spans")
        counts[SPANS] += len(spans) if isinstance(spans, list) else 0
        counts[TEXTS] += bool(answer.get("textfield"))
        if score is None:
            counts[NO_SCORE] += 1
            continue
        position = _position(item, sentences) if position is None else position
        number = str(score) if isinstance(score, int | float | str) else "no number"
        yield system, RecordedScore(score_of(number, options.scale)), position


def _position(item: Mapping[str, Any], sentences: Sentences) -> int:
    """Find the sentence whose outputs are those shown; of several, the one that our export names, else the first."""
    source, shown = item.get("src"), item.get("tgt")
    if not isinstance(source, str) or not isinstance(shown, dict):
        raise RowFault("needs a text as src and an object as tgt")
    lines = sentences.get(one_line(source), ())
    if not lines:
        raise RowFault(f"is about {source[:60]!r}, which is no sentence of the campaign; upload it, {SKIP_UNMATCHED}")
    texts = {system: one_line(text) for system, text in shown.items() if isinstance(text, str)}
    fitting = [line for line in lines if all(line.outputs.get(one, text) == text for one, text in texts.items())]
    if fitting:
        own = item["item_id"] if isinstance(item.get("item_id"), str) else ""
        named = (line.position for line in fitting if own.endswith(f"_#_{line.position + 1}"))
        return next(named, fitting[0].position)
    other = next(one for one, text in texts.items() if lines[0].outputs.get(one, text) != text)
    raise RowFault(f"shows another output of {other[:40]!r} than the campaign has for {source[:60]!r}")


def _seconds(actions: Any, sentences: int) -> float | None:
    """Return the time between the first and the last action, divided among the sentences."""
    found = actions if isinstance(actions, list) else []
    times: list[Any] = [one.get("time") for one in found if isinstance(one, dict)]
    numbers = [time for time in times if type(time) in (int, float) and abs(time) < LATEST]
    return seconds_of(round((max(numbers) - min(numbers)) / sentences, 3)) or None if numbers else None
