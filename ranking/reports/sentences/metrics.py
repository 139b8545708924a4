"""Outputs that a metric and people judge differently."""

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from judgments.models import Segment, SystemOutput
from judgments.rules.errors import Refused
from ranking.models import Metric, Report
from ranking.reports.sentences.listing import ListedVersion, Listing, scores_of, versions_of
from ranking.stats.comparisons.compared import places

SORTS = {
    "apart": "furthest apart first",
    "metric": "the metric likes it better than people do",
    "people": "people like it better than the metric does",
    "order": "in the order of the text",
}
CHANGED = (
    "Systems were renamed or sentences were added since these scores were made. Add the scores again, then make a new "
    "report."
)


class Output(NamedTuple):
    """An output with its scores, and their places among all outputs with both, from 0 to 1."""

    segment: Segment
    system: str
    version: ListedVersion | None
    metric: float
    people: float
    metric_place: float
    people_place: float

    @property
    def difference(self) -> float:
        return self.metric_place - self.people_place


def metrics_of(report: Report) -> dict[str, bool]:
    """The metrics of a campaign by name, and whether they scored sentences."""
    rows = Metric.objects.of(report.campaign).values_list("name", "level")
    found: dict[str, bool] = {}
    for name, level in rows:
        found[name] = found.get(name, False) or level == Metric.Level.SENTENCE
    return found


class MetricBesidePeople(Listing):
    """The outputs of a system, or of all if its name is empty, that a metric and people both scored.

    A key is a row and a column of the tables of scores, its scores, and its places.
    """

    columns = ("segment", "document", "source", "system", "output", "metric_score", "people_score", "metric_place",
               "people_place", "difference")  # fmt: skip

    def __init__(self, report: Report, metric: str, system: str = "", sort: str = "apart") -> None:
        self.report = report
        self.systems, people = scores_of(report)
        row = Metric.objects.get(campaign=report.campaign_id, name=metric, level=Metric.Level.SENTENCE)
        scores = np.array(json.loads(row.scores), dtype=float)
        if not set(self.systems) <= set(row.systems) or len(scores) != len(people):
            raise Refused(CHANGED)
        scores = scores[:, [row.systems.index(name) for name in self.systems]]
        segments, systems = np.nonzero(np.isfinite(people) & np.isfinite(scores))
        both = [scores[segments, systems], people[segments, systems]]
        of_metric, of_people = (places(one) for one in both)
        chosen = np.arange(len(segments))
        if system:
            if system not in self.systems:
                raise Refused(CHANGED)
            chosen = np.flatnonzero(systems == self.systems.index(system))
        difference = of_metric[chosen] - of_people[chosen]
        if sort != "order":
            by = {"apart": -np.abs(difference), "metric": -difference, "people": difference}[sort]
            chosen = chosen[np.argsort(by, kind="stable")]
        columns = (segments, systems, *both, of_metric, of_people)
        self.keys = list(zip(*(column[chosen].tolist() for column in columns), strict=True))

    def read(self, keys: Sequence[tuple]) -> list[Output]:
        # Rows are in the order of the text, to which later material is added.
        segments = Segment.objects.filter(campaign=self.report.campaign_id).order_by("position")
        pks = list(segments.values_list("pk", flat=True))
        wanted = [(pks[segment], self.systems[system]) for segment, system, *_ in keys]
        known = Segment.objects.select_related("document").in_bulk({segment for segment, _ in wanted})
        outputs = SystemOutput.objects.filter(segment__in=known, system__name__in=self.systems)
        candidates = {row[:2]: row[2] for row in outputs.values_list("segment", "system__name", "candidate")}
        versions = versions_of(candidates[key] for key in wanted if key in candidates)
        return [
            Output(known[segment], system, versions.get(candidates.get((segment, system), 0)), *numbers)
            for (_, _, *numbers), (segment, system) in zip(keys, wanted, strict=True)
        ]

    def cells(self, entry: Output) -> Iterator[Sequence[object]]:
        segment, text = entry.segment, entry.version.text if entry.version else None
        yield (segment.position + 1, segment.document.name, segment.text, entry.system, text, *entry[3:],
               entry.difference)  # fmt: skip
