"""Extract ratings of whole texts: the ballots of comparisons, and beside them every scale and marked error."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from django.db.models import QuerySet

from judgments.models import Campaign, EssayRating, Judgment
from judgments.protocols.registry import rubric_of
from judgments.protocols.stream import IN_NO_TIME
from judgments.rules.authored.rubrics import Rubric
from ranking.numbers.tables import StatisticsError
from ranking.reports.ballots import Collected, collect
from ranking.reports.kinds.kind import Extracted
from ranking.reports.rows import (
    ROWS_AT_ONCE,
    days_of,
    judges_that_count,
    judgments_that_count,
    repeats_among,
)
from ranking.stats.ballots import Ballots
from ranking.stats.essays.parameters import EssayParameters
from ranking.stats.essays.ratings import EssayRatings, ScaleName, SeverityName
from ranking.stats.essays.study import EssayStudy

Said = tuple[int, dict[str, int | None], list[dict[str, Any]]]


def extract(campaign: Campaign, chosen: EssayParameters) -> Extracted:
    """Read the judgments that count, sentence by sentence."""
    rubric = rubric_of(campaign)
    found = collect(campaign, chosen.judged_by, chosen.answers)
    judges = list(judges_that_count(campaign, chosen.judged_by, chosen.answers).values_list("pk", flat=True))
    counted = judgments_that_count(campaign, judges, chosen.answers).filter(pk__lte=found.newest).order_by(*IN_NO_TIME)
    is_repeat, ballots = repeats_among(counted), found.of_judges
    said = list(_said(counted, found))
    if len(is_repeat) != len(ballots) or [one for one, *_ in said] != ballots.candidate.tolist():
        raise StatisticsError("Judges changed answers while they were read. Request the report again.")
    names = found.names
    study = EssayStudy(
        _ratings(ballots, rubric, said), is_repeat, names.systems, names.judges, chosen,
        days_of(campaign, names.judges),
    )  # fmt: skip
    return Extracted(study, found.newest)


def _said(counted: QuerySet[Judgment], found: Collected) -> Iterator[Said]:
    """What judges said of each version of a system that takes part, by the number of its candidate."""
    numbers = {pk: number for number, pk in enumerate(found.candidates)}
    rows = EssayRating.objects.filter(judgment__in=counted).order_by(
        *(f"judgment__{name}" for name in IN_NO_TIME), "pk"
    )
    for candidate, scores, spans in rows.values_list("candidate", "scores", "spans").iterator(ROWS_AT_ONCE):
        if candidate in numbers:
            yield numbers[candidate], scores, spans


def _ratings(ballots: Ballots, rubric: Rubric, said: Sequence[Said]) -> EssayRatings:
    scales, severities = rubric.scales, rubric.severities
    shape = len(said), len(scales)
    given = [[scores.get(scale.name) for scale in scales] for _, scores, _ in said]
    unsaid = [[scale.name in scores and scores[scale.name] is None for scale in scales] for _, scores, _ in said]
    marked = [Counter(span["severity"] for span in spans) for *_, spans in said]
    errors = [[counts[severity.name] for severity in severities] for counts in marked]
    return EssayRatings(
        ballots,
        tuple(ScaleName(scale.name, scale.lowest, scale.highest) for scale in scales),
        np.array(given, dtype=float).reshape(shape),
        np.array(unsaid, dtype=bool).reshape(shape),
        tuple(SeverityName(one.name, one.weight) for one in severities),
        np.array(errors, dtype=float).reshape(len(said), len(severities)),
    )
