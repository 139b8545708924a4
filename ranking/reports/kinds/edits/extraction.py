"""Extract verdicts on edits: the versions that judges saw, their edits, verdicts and ranks."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from judgments.models import Campaign, Segment, System
from judgments.protocols.rows import Answer, Head
from judgments.protocols.stream import judged
from judgments.rules.authored.edit_verdicts import read_edit_verdicts
from judgments.rules.texts.collapsing import normalise
from judgments.rules.texts.decisions import decisions
from judgments.rules.texts.edits import Edit
from judgments.rules.texts.judged_edits import made, read_judged
from ranking.models import Metric
from ranking.numbers.tables import StatisticsError
from ranking.reports.kinds.comparisons.extraction import candidates_of, metrics_of
from ranking.reports.kinds.corrections.extraction import other_inputs as outputs_now
from ranking.reports.kinds.edits.categories import Placed, categories_of, in_references, parsed_language
from ranking.reports.kinds.kind import Extracted
from ranking.reports.rows import days_of, judges_that_count, judgments_that_count
from ranking.stats.ballots import Ballots, Candidates, starts_of
from ranking.stats.edits.parameters import EditParameters
from ranking.stats.edits.study import EditNames, EditStudy, Marks, VerdictName

Version = tuple[Edit, ...]


@dataclass
class _Collected:
    """Judgments and the rows of their versions as they are read; `marks` are row, sentence, version, edit, verdict."""

    verdicts: dict[str, int]
    heads: list[tuple[int, int, float, bool, int]] = field(default_factory=list)
    rows: list[tuple[int, float, int]] = field(default_factory=list)
    marks: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    versions: dict[int, dict[Version, int]] = field(default_factory=dict)

    def add(self, head: Head, judge: int, place: int, answers: Sequence[Answer], known: dict[int, int]) -> None:
        size = 0
        for answer in answers:
            if answer.candidate in known:
                self._add_row(place, known[answer.candidate], answer)
                size += 1
        seconds = np.nan if head.seconds is None else head.seconds
        self.heads.append((judge, place, seconds, head.repeats is not None, size))

    def _add_row(self, place: int, candidate: int, answer: Answer) -> None:
        rows, rank = answer.values
        found = read_judged(rows)
        there = self.versions.setdefault(place, {})
        version = there.setdefault(tuple(made(found)), len(there))
        given = [self._number(one.verdict) for one in found if not one.is_missed]
        self.marks += [(len(self.rows), place, version, edit, verdict) for edit, verdict in enumerate(given)]
        self.rows.append((candidate, np.nan if rank is None else -float(rank), len(found) - len(given)))

    def _number(self, verdict: str) -> int:
        if verdict not in self.verdicts:
            raise StatisticsError(
                f"Judges gave the verdict {verdict!r}, which is not among those of the campaign. Add it to its "
                "verdicts on edits again."
            )
        return self.verdicts[verdict]

    def numbered(self, texts: Sequence[str]) -> tuple[list[Placed], dict[tuple[int, int, int], int]]:
        """All edits once, those that versions share as one, and the number of each by sentence, version and place."""
        edits: list[Placed] = []
        numbers: dict[tuple[int, int, int], int] = {}
        for place, versions in self.versions.items():
            for decision in decisions(texts[place], list(versions)):
                numbers |= {(place, *where): len(edits) for where in decision.places}
                edits.append((place, decision.edit))
        return edits, numbers


def extract(campaign: Campaign, chosen: EditParameters) -> Extracted:
    """Read the judgments that count, sentence by sentence."""
    judges = list(judges_that_count(campaign, chosen.judged_by, chosen.answers).values_list("pk", "pseudonym"))
    systems = list(System.objects.filter(campaign=campaign).judged().order_by("name").values_list("pk", "name"))
    known, candidates = candidates_of([pk for pk, _ in systems])
    segments = list(
        Segment.objects.filter(campaign=campaign).order_by("position").values_list("position", "document", "text")
    )
    texts = [normalise(text or "") for _, _, text in segments]
    verdicts = tuple(VerdictName(*one) for one in read_edit_verdicts(campaign.edit_verdicts))
    collected = _Collected({verdict.name: number for number, verdict in enumerate(verdicts)})
    newest = _collect(campaign, chosen, [pk for pk, _ in judges], [position for position, *_ in segments],
                      dict(zip(known.tolist(), range(len(known)), strict=True)), collected)  # fmt: skip
    edits, numbers = collected.numbered(texts)
    language = parsed_language(campaign, chosen.categories)
    categories, category = np.unique(categories_of(texts, edits, language), return_inverse=True)
    references, in_reference = in_references(campaign, texts, edits, language)
    names = EditNames(
        tuple(name for _, name in systems), tuple(name for _, name in judges), verdicts,
        tuple(map(str, categories)), references,
    )  # fmt: skip
    metrics, lacking = metrics_of(campaign, names.systems, len(segments))
    study = EditStudy(
        ballots=_ballots(collected, names, [document for _, document, _ in segments], candidates),
        marks=_marks(collected, numbers),
        missed=np.array([missed for *_, missed in collected.rows], dtype=np.int64),
        is_repeat=np.array([repeat for *_, repeat, _ in collected.heads], dtype=bool),
        category=category.reshape(-1).astype(np.int64), in_reference=in_reference, names=names, parameters=chosen,
        metrics=metrics, lacking=tuple(sorted(lacking.items())), days=days_of(campaign, names.judges),
    )  # fmt: skip
    return Extracted(study, newest)


def other_inputs(campaign: Campaign) -> dict[str, Any]:
    """Inputs other than judgments: systems and their outputs, and scores of metrics."""
    return outputs_now(campaign) | {
        "metrics": list(Metric.objects.of(campaign).order_by("pk").values_list("pk", flat=True))
    }


def _collect(
    campaign: Campaign, chosen: EditParameters, judges: list[int], positions: list[int], known: dict[int, int],
    collected: _Collected,
) -> int:  # fmt: skip
    wanted = set(judgments_that_count(campaign, judges, chosen.answers).values_list("pk", flat=True))
    numbers = {pk: number for number, pk in enumerate(judges)}
    places = {position: place for place, position in enumerate(positions)}
    for head, answers in judged(campaign, with_excluded=False, with_revisions=True, by_sentence=True):
        if head.pk in wanted:
            collected.add(head, numbers[head.judge or 0], places[head.position], answers, known)
    return max(wanted, default=0)


def _ballots(collected: _Collected, names: EditNames, documents: list[int], candidates: Candidates) -> Ballots:
    judge, segment, seconds, _, sizes = np.array(collected.heads, dtype=float).reshape(-1, 5).T
    candidate, merit, _ = np.array(collected.rows, dtype=float).reshape(-1, 3).T
    present, document_of = np.unique(documents, return_inverse=True)
    return Ballots(
        systems=len(names.systems), judges=len(names.judges), documents=len(present), judge=judge.astype(np.int64),
        segment=segment.astype(np.int64), seconds=seconds, starts=starts_of(sizes.astype(np.int64)),
        candidate=candidate.astype(np.int64), merit=merit, candidates=candidates,
        document_of=document_of.reshape(-1).astype(np.int64),
    )  # fmt: skip


def _marks(collected: _Collected, numbers: dict[tuple[int, int, int], int]) -> Marks:
    rows = [(row, numbers[place, version, edit], verdict) for row, place, version, edit, verdict in collected.marks]
    return Marks(*np.array(rows, dtype=np.int64).reshape(-1, 3).T)
