"""Outputs that a metric and people judge differently."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from judgments.models import Segment, SystemOutput
from judgments.rules.errors import Refused
from ranking.models import Metric, Report
from ranking.reports.sentences.listing import Listing, Version, scores_of, versions_of
from ranking.stats.comparisons.output_scores import places

COLUMNS = ("segment", "document", "source", "system", "output", "metric_score", "people_score", "metric_place",
           "people_place", "difference")  # fmt: skip
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


@dataclass(frozen=True)
class Output:
    """An output with its scores, and their places among all outputs with both, from 0 to 1."""

    segment: Segment
    system: str
    version: Version | None
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


@dataclass(frozen=True)
class MetricBesidePeople:
    """The outputs that a metric and people both scored: rows and columns of the tables, scores, and places."""

    report: Report
    systems: tuple[str, ...]
    segment: np.ndarray
    system: np.ndarray
    scores: np.ndarray
    places: np.ndarray

    @classmethod
    def of(cls, report: Report, metric: str) -> "MetricBesidePeople":
        systems, people = scores_of(report)
        row = Metric.objects.get(campaign=report.campaign_id, name=metric, level=Metric.Level.SENTENCE)
        scores = np.array(json.loads(row.scores), dtype=float)
        if not set(systems) <= set(row.systems) or len(scores) != len(people):
            raise Refused(CHANGED)
        scores = scores[:, [row.systems.index(name) for name in systems]]
        segment, system = np.nonzero(np.isfinite(people) & np.isfinite(scores))
        both = np.stack([scores[segment, system], people[segment, system]])
        return cls(report, systems, segment, system, both, np.stack([places(one) for one in both]))

    def listing(self, system: str, sort: str) -> Listing:
        """List the outputs of a system, or of all if its name is empty."""
        chosen = np.arange(len(self.segment))
        if system and system not in self.systems:
            raise Refused(CHANGED)
        if system:
            chosen = np.flatnonzero(self.system == self.systems.index(system))
        difference = self.places[0, chosen] - self.places[1, chosen]
        if sort != "order":
            by = {"apart": -np.abs(difference), "metric": -difference, "people": difference}[sort]
            chosen = chosen[np.argsort(by, kind="stable")]
        return Listing(chosen.tolist(), self.read, COLUMNS, self.cells)

    def read(self, chosen: Sequence[int]) -> list[Output]:
        """Read outputs in full, in this order."""
        wanted = [(self._segments[self.segment[one]], self.systems[self.system[one]]) for one in chosen]
        known = Segment.objects.select_related("document").in_bulk({segment for segment, _ in wanted})
        outputs = SystemOutput.objects.filter(segment__in=known, system__name__in=self.systems)
        candidates = {row[:2]: row[2] for row in outputs.values_list("segment", "system__name", "candidate")}
        versions = versions_of(candidates[key] for key in wanted if key in candidates)
        return [
            Output(known[segment], system, versions.get(candidates.get((segment, system), 0)),
                   *self.scores[:, one].tolist(), *self.places[:, one].tolist())
            for one, (segment, system) in zip(chosen, wanted, strict=True)
        ]  # fmt: skip

    @cached_property
    def _segments(self) -> list[int]:
        """Segments by row: rows are in the order of the text, to which later material is added."""
        return list(
            Segment.objects.filter(campaign=self.report.campaign_id).order_by("position").values_list("pk", flat=True)
        )

    def cells(self, one: Output) -> Iterator[Sequence[object]]:
        segment, text = one.segment, one.version.text if one.version else None
        yield (segment.position + 1, segment.document.name, segment.text, one.system, text, one.metric, one.people,
               one.metric_place, one.people_place, one.difference)  # fmt: skip
