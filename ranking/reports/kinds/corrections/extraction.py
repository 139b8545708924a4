"""Extract corrections: each judge's edits by token, and the systems' outputs."""

from collections import Counter
from hashlib import sha256
from typing import Any

from judgments.models import Campaign, Segment, System, SystemOutput
from judgments.protocols.rows import Answer
from judgments.protocols.stream import judged
from judgments.rules.texts.edits import Edit as EditByCharacters
from judgments.rules.texts.token_edits import by_tokens
from ranking.metrics.material import Edit, Edits
from ranking.numbers.tables import StatisticsError
from ranking.reports.kinds.kind import Extracted
from ranking.reports.rows import ROWS_AT_ONCE, days_of, judges_that_count
from ranking.scores.texts import outputs_of
from ranking.stats.corrections.corrections import Corrections
from ranking.stats.corrections.parameters import CorrectionParameters
from ranking.stats.corrections.study import CorrectionStudy, Label


def extract(campaign: Campaign, chosen: CorrectionParameters) -> Extracted:
    """Read the current judgments that count, and of repeated ones only the first."""
    lines = _lines(campaign)
    judges = list(judges_that_count(campaign, chosen.judged_by).values_list("pk", "pseudonym"))
    places = {position: place for place, (position, _, _) in enumerate(lines)}
    numbers = {pk: number for number, (pk, _) in enumerate(judges)}
    edits: list[list[Edits | None]] = [[None] * len(lines) for _ in judges]
    turns: dict[tuple[int, int], tuple[bool, int]] = {}
    labels: Counter[tuple[int, str]] = Counter()
    skips: set[tuple[int, int]] = set()
    counted = newest = 0
    for head, answers in judged(campaign, with_excluded=False):
        if head.judge not in numbers:
            continue
        counted, newest = counted + 1, head.pk
        judge, place = numbers[head.judge], places[head.position]
        if head.skipped:
            labels[judge, head.skip_reason] += 1
            skips.add((judge, place))
        elif head.turn <= turns.setdefault((judge, place), head.turn):
            turns[judge, place] = head.turn
            edits[judge][place] = _edits(lines[place][2], answers)
    # A missing output counts as unchanged; an empty line would be a correction that deletes everything.
    outputs = outputs_of(campaign, instead=[text for _, _, text in lines])
    names = tuple(name for _, name in judges)
    documents = {
        document: number for number, document in enumerate(dict.fromkeys(document for _, document, _ in lines))
    }
    corrections = Corrections(
        tuple(text for _, _, text in lines),
        tuple(documents[document] for _, document, _ in lines),
        names,
        tuple(map(tuple, edits)),
        outputs.names,
        outputs.lines,
        tuple(sorted((judge, place) for judge, place in skips if edits[judge][place] is None)),
    )
    labels_counted = tuple(Label(judge, label, many) for (judge, label), many in sorted(labels.items()))
    return Extracted(CorrectionStudy(corrections, chosen, counted, labels_counted, days_of(campaign, names)), newest)


def other_inputs(campaign: Campaign) -> dict[str, Any]:
    """Inputs other than judgments: the participating systems, and a digest of their outputs."""
    systems = System.objects.filter(campaign=campaign).judged().order_by("pk")
    outputs = SystemOutput.objects.filter(system__in=systems).order_by("pk")
    digest = sha256()
    for chosen in outputs.values_list("pk", "candidate").iterator(ROWS_AT_ONCE):
        digest.update(b"%d %d\n" % chosen)
    return {"systems": list(systems.values_list("name", flat=True)), "outputs": digest.hexdigest()}


def _lines(campaign: Campaign) -> list[tuple[int, int, str]]:
    """Position, document and text of every sentence."""
    rows = list(
        Segment.objects.filter(campaign=campaign).order_by("position").values_list("position", "document", "text")
    )
    lines = [(position, document, text) for position, document, text in rows if text is not None]
    if len(lines) < len(rows):
        raise StatisticsError("Some sentences have no text, so corrections of them cannot be read.")
    return lines


def _edits(text: str, answers: list[Answer]) -> Edits:
    made = (EditByCharacters(*answer.values[1:]) for answer in answers)
    return tuple(Edit(start, end, (text,), kind) for start, end, text, kind in by_tokens(text, made))
